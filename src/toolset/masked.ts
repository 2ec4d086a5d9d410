import { Effect } from "effect"
import type { Mask } from "../secrets/mask.ts"
import { quietly } from "../secrets/quiet.ts"
import { Secrets } from "../Secrets.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { fixed, instructionsOf, mapped, varying } from "./listing.ts"
import { maskedReturn } from "./maskedReturn.ts"
import type { Instruction, Listing, Tool, Toolset } from "./model.ts"
import { transform } from "./transform.ts"

/**
 * Puts `***` in the place of every registered secret (`Secrets`), wherever it would leave a toolset: definitions (as they
 * are when a tool is first listed) and instructions; results and their content, metadata and output; progress, failures,
 * signals and causes; spans, events, logs, metrics and reports, while opening, listing and calling.
 *
 * Errors keep their types; one that cannot be masked becomes a defect without details. A tool whose name holds a secret
 * cannot be offered. The model is told once that `***` is deliberate. Without secrets it is the identity; twice is once.
 * What is outside of it can still leak what it knows by itself: put it last.
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
    Effect.flatMap(Secrets, ({ mask }) =>
      Effect.map(quietly(mask, opened), (listing) => maskedListing(listing, mask))
    )
  )

const maskedListing = <E>(listing: Listing<E>, mask: Mask): Listing<E> => {
  const tools = mapped<E, E>(listing, (tool) => maskedTool(tool, mask))
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

const maskedTool = <E>(tool: Tool<E>, mask: Mask): Tool<E> => ({
  ...tool,
  definition: mask(tool.definition) as ToolDefinition,
  source: mask(tool.source),
  decode: (args) => inSecret(({ mask }) => quietly(mask, tool.decode(args))),
  validate: (args) => inSecret(({ mask }) => quietly(mask, tool.validate(args))),
  call: (args) =>
    inSecret(({ mask }) => Effect.map(quietly(mask, tool.call(args)), (result) => maskedReturn(mask, result)))
})

/** It was asked for when the toolset was opened. */
const inSecret = <A, E, R>(f: (secrets: Secrets["Service"]) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Secrets, f) as Effect.Effect<A, E, R>

const isOther = ({ text }: Instruction): boolean => text !== deliberate.text

/** Models take what they cannot read for a mistake, and say so to users. */
const deliberate: Instruction = {
  text: "Values shown as *** are hidden on purpose. They are no mistake, and nobody needs to mend them.",
  dynamic: false
}
