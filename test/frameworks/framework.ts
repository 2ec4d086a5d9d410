/** A framework with a model that says what it was told to say, and writes down what it was sent. */
import { Deferred, Effect, Schema } from "effect"
import { Toolset } from "effect-toolset"
import type * as Neutral from "effect-toolset/Neutral"

/** What the model answers with. */
export type Turn = string | ReadonlyArray<{ readonly name: string; readonly args: unknown }>

/** What the model is sent. */
export interface Request {
  readonly tools: ReadonlyArray<{
    readonly name: string
    readonly description: string | undefined
    readonly parameters: unknown
  }>
  /** The results of the turn before; `isError` is nothing where the framework has no flag. */
  readonly results: ReadonlyArray<{ readonly text: string; readonly isError: boolean | undefined }>
}

export interface Framework {
  readonly name: string
  /** Whether the model sees that a result is a failure. */
  readonly hasFlag: boolean
  /** Whether what is offered may change from turn to turn. */
  readonly follows: boolean
  /** What it makes of a schema on the way to the model, where it does. */
  readonly rewritten?: (schema: { readonly properties: Record<string, unknown> }) => object
  /** Runs the framework until the model answers in text. Bare, it is given the tools and nothing else. */
  readonly drive: (
    run: Neutral.Run,
    turns: ReadonlyArray<Turn>,
    seen: Array<Request>,
    how?: { readonly bare: boolean }
  ) => Promise<string>
}

/** A run of a framework, and what its model was sent. */
export const going = <E, R>(
  { drive }: Framework,
  toolset: Toolset.Toolset<E, R>,
  turns: ReadonlyArray<Turn>,
  options?: Neutral.Options
) => {
  const seen: Array<Request> = []
  return { seen, body: (run: Neutral.Run) => drive(run, turns, seen), toolset, options }
}

export const call = (name: string, args: unknown = {}) => ({ name, args })

/** A tool that waits for ever, and tells that it has begun and that it was interrupted. */
export const hanging = Effect.gen(function* () {
  const begun = yield* Deferred.make<void>()
  const log: Array<string> = []
  const tool = Toolset.tool("hang", {
    handler: () =>
      Deferred.succeed(begun, undefined).pipe(
        Effect.andThen(Effect.never),
        Effect.onInterrupt(() => Effect.sync(() => log.push("interrupted")))
      )
  })
  return { begun: Deferred.await(begun), log, tool }
})

/** A toolset that tells when it is opened and closed. */
export const told = <E, R>(log: Array<string>, toolset: Toolset.Toolset<E, R>) =>
  Toolset.unwrap(
    Effect.as(
      Effect.acquireRelease(
        Effect.sync(() => log.push("open")),
        () => Effect.sync(() => log.push("close"))
      ),
      toolset
    )
  )

export class StationOnFire extends Schema.TaggedError<StationOnFire>()("StationOnFire", {
  city: Schema.String
}) {}

/** A tool that needs approval, and when it ran. */
export const deploying = () => {
  const deployed: Array<string> = []
  const deploy = Toolset.tool("deploy", {
    handler: () => Effect.sync(() => (deployed.push("now"), "deployed"))
  }).pipe(Toolset.approvalRequired())
  return { deploy, deployed }
}
