import { Effect } from "effect"
import { quietly } from "../secrets/quiet.ts"
import { Secrets } from "../Secrets.ts"
import { ToolReturn } from "../ToolReturn.ts"
import { fixed, instructionsOf, mapped, varying } from "./listing.ts"
import { memoized } from "./memoized.ts"
import type { Instruction, Listing, Tool, Toolset } from "./model.ts"
import { transform } from "./transform.ts"

/**
 * Puts `***` in the place of every registered secret (`Secrets`), wherever it would leave a toolset: results and their
 * content, metadata and output, progress, failures, signals and causes, instructions, spans, events and logs, while
 * opening, listing and calling.
 *
 * Errors keep their types; one that cannot be masked becomes a defect without details. The model is told once that `***`
 * is deliberate. Without secrets it is the identity; twice is once. What is outside of it can still leak what it knows
 * by itself: put it last.
 *
 * ```ts run
 * import { Effect, Redacted } from "effect"
 * import { Secrets, Toolset } from "effect-toolset"
 *
 * const env = Toolset.tool("env", { handler: () => Effect.succeed({ DATABASE: "postgres://app:pa55-w0rd@db" }) })
 * const secrets = Secrets.layer(Redacted.make("pa55-w0rd"))
 * const program = Toolset.call(env.pipe(Toolset.masked), "env", {}).pipe(Effect.provide(secrets))
 * console.log(Effect.runSync(program))
 * //> { DATABASE: 'postgres://app:***@db' }
 * ```
 */
export const masked = <E, R>(self: Toolset<E, R>): Toolset<E, R | Secrets> =>
  transform<E, R, E, R | Secrets>(self, "masked", (opened) =>
    Effect.map(
      Effect.flatMap(Secrets, ({ mask }) => quietly(mask, opened)),
      maskedListing
    )
  )

const maskedListing: <E>(listing: Listing<E>) => Listing<E> = memoized(
  <E>(listing: Listing<E>): Listing<E> => {
    const tools = mapped<E, E>(listing, maskedTool)
    const instructions: Listing<E>["instructions"] = (run) =>
      inSecret(({ isEmpty, mask }) =>
        Effect.map(quietly(mask, instructionsOf(listing, run)), (texts) =>
          isEmpty()
            ? texts
            : [deliberate, ...texts.filter(isOther).map((one) => ({ ...one, text: mask(one.text) }))]
        )
      )
    return listing.fixed === undefined
      ? varying<E>((run) => inSecret(({ mask }) => quietly(mask, tools.list(run))), instructions)
      : fixed<E>(tools.fixed!, instructions)
  }
)

const maskedTool = <E>(tool: Tool<E>): Tool<E> => ({
  ...tool,
  decode: (args) => inSecret(({ mask }) => quietly(mask, tool.decode(args))),
  validate: (args) => inSecret(({ mask }) => quietly(mask, tool.validate(args))),
  call: (args) =>
    inSecret(({ mask }) => Effect.map(quietly(mask, tool.call(args)), (result) => maskedReturn(mask, result)))
})

/** It was asked for when the toolset was opened. */
const inSecret = <A, E, R>(f: (secrets: Secrets["Service"]) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Secrets, f) as Effect.Effect<A, E, R>

const maskedReturn = (mask: Secrets["Service"]["mask"], result: ToolReturn): ToolReturn => {
  const { content, metadata, modelOutput, value } = result
  const next = { content, metadata, modelOutput, value }
  const masked = mask(next) as typeof next
  return masked === next ? result : new ToolReturn(masked)
}

const isOther = ({ text }: Instruction): boolean => text !== deliberate.text

/** Models take what they cannot read for a mistake, and say so to users. */
const deliberate: Instruction = {
  text: "Values shown as *** are hidden on purpose. They are no mistake, and nobody needs to mend them.",
  dynamic: false
}
