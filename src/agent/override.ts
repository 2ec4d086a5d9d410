import { Cause, Context, Effect } from "effect"
import { dual } from "effect/Function"
import { caught } from "../toolset/caught.ts"
import { combined } from "../toolset/combined.ts"
import { over, ownServices, surrounded } from "../toolset/environment.ts"
import type { Any, Error, Services, Toolset } from "../toolset/model.ts"
import { transform } from "../toolset/transform.ts"
import { Nesting } from "./nesting.ts"

/** The toolset that takes the place of every run's, if there is one. Its failures are defects until they are out. */
export const Override = Context.Reference<Toolset | undefined>("effect-toolset/Agent/Override", {
  defaultValue: () => undefined
})

/**
 * Replaces the toolsets of every run inside an effect, those given to a run too.
 *
 * An agent's `transform` stays over them. The innermost override wins. What the toolsets fail with and need is added
 * here, since nothing inside knows of it: their own failures pass by the handlers inside. The `exit` of a `runExit` has
 * them, though its type does not know of them.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Agent, Toolset } from "effect-toolset"
 * import { TestModel } from "effect-toolset/testing"
 *
 * const real = Toolset.tool("send", { handler: () => Effect.fail("not in a test" as const) })
 * const fake = Toolset.tool("send", { handler: () => Effect.succeed("sent") })
 * const program = Agent.run(Agent.make({ toolsets: [real] }), { prompt: "Send it." })
 * const { output } = await Effect.runPromise(
 *   program.pipe(Agent.override({ toolsets: [fake] }), Effect.provide(TestModel.layer()))
 * )
 * console.log(output)
 * //> {"send":"sent"}
 * ```
 */
export const override: {
  <T extends Any>(options: {
    readonly toolsets: ReadonlyArray<T>
  }): <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Error<T>, R | Services<T>>
  <A, E, R, T extends Any>(
    effect: Effect.Effect<A, E, R>,
    options: { readonly toolsets: ReadonlyArray<T> }
  ): Effect.Effect<A, E | Error<T>, R | Services<T>>
} = dual(
  2,
  <A, E, R, T extends Any>(
    effect: Effect.Effect<A, E, R>,
    options: { readonly toolsets: ReadonlyArray<T> }
  ): Effect.Effect<A, E | Error<T>, R | Services<T>> =>
    Effect.gen(function* () {
      const boundary = {}
      const all: Toolset<Error<T>, Services<T>> = combined(...options.toolsets)
      const passing = caught(all, "override", (error) => Effect.die(new Passing(boundary, error)))
      // A run inside a handler of these has what is there where this stands.
      const around = Context.make(Override, yield* Override)
      // Runs inside calls belong to the run that makes the call, wherever this stands.
      const services = Context.omit(Nesting)(yield* Effect.context<Services<T>>())
      const toolset = knowing(passing, Context.merge(services, around) as Context.Context<Services<T>>)
      return yield* Effect.catchCause(Effect.provideService(effect, Override, toolset), (cause) =>
        Effect.failCause(arrived<E, Error<T>>(cause, boundary))
      )
    })
)

/** A failure on its way out to the override that it belongs to. */
class Passing<E> {
  readonly boundary: object
  readonly error: E
  constructor(boundary: object, error: E) {
    this.boundary = boundary
    this.error = error
  }
}

/**
 * The cause with failures in the place of the defects that they travelled as: those of this override, or, where somebody
 * looks at how a run ended, those of any.
 */
export const arrived = <E, E2 = never>(cause: Cause.Cause<E>, boundary?: object): Cause.Cause<E | E2> =>
  Cause.fromReasons(
    cause.reasons.map((reason): Cause.Reason<E | E2> => {
      const defect = Cause.isDieReason(reason) ? reason.defect : undefined
      // What passes this boundary was made for it, above.
      return defect instanceof Passing && (boundary === undefined || defect.boundary === boundary)
        ? Cause.makeFailReason(defect.error as E2)
        : reason
    })
  )

/** A toolset that uses these services, whoever runs it. */
const knowing = <E, R>(self: Toolset<E, R>, services: Context.Context<R>): Toolset<E> =>
  transform<E, R, E, never>(self, "override", (opened) =>
    Effect.map(Effect.provideContext(opened, ownServices(services)), (listing) =>
      surrounded(listing, over(services))
    )
  )
