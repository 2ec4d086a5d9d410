import { Effect, type Scope } from "effect"
import { ToolFailed } from "../ToolSignal.ts"
import type { ToolsetError } from "../ToolsetError.ts"
import type { Toolset } from "../toolset/model.ts"
import { open } from "../toolset/open.ts"
import { wrapper } from "../toolset/wrapper.ts"
import { upholdArguments, upholdHandingOver, upholdResults } from "./callLaws.ts"
import { upholdDefinitions } from "./definitionLaws.ts"
import type { ToolsetLawBroken } from "./law.ts"
import {
  closingWell,
  listed,
  newStep,
  upholdInstructions,
  upholdListing,
  upholdSessions
} from "./sessionLaws.ts"

/**
 * What every toolset keeps, whoever made it; for a test of your own toolset.
 *
 * - The names of a step are unique, and names that model providers accept. Parameters are the JSON Schema of an object.
 *   What a model or a front end sees of a tool is JSON.
 * - A step is listed once, however often one asks; what is the same at the next step has the same definition.
 * - A call finds a tool exactly where the list of its step names it.
 * - Arguments that do not satisfy the parameters are a `ModelRetry` of reason `arguments`, and nothing runs. A schema that
 *   takes more than it shows (zod's `coerce` and `catch`) does not keep this one.
 * - A toolset opens and closes as often as it is asked to, and its sessions do not know of each other.
 * - Instructions are there at every step. The results of the `calls`, by exposed name, are JSON.
 *
 * Opens the toolset several times. No tool runs but for the `calls`; those that wait for an approval get it. What is
 * broken first is a `ToolsetLawBroken`.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 * import { ToolsetLaws } from "effect-toolset/testing"
 *
 * const half = Toolset.tool("half", {
 *   parameters: Schema.Struct({ n: Schema.Finite }),
 *   handler: ({ n }) => Effect.succeed(n / 2)
 * })
 * await Effect.runPromise(ToolsetLaws.check(half, { calls: { half: { n: 3 } } }))
 *
 * const twice = Toolset.combined(half, half)
 * const error = await Effect.runPromise(Effect.flip(ToolsetLaws.check(twice)))
 * console.log(error.message)
 * //> "The names of a step are unique." But: 'half' is listed twice.
 * ```
 */
export const ToolsetLaws = {
  check: <E, R>(
    toolset: Toolset<E, R>,
    options?: { readonly calls?: Readonly<Record<string, unknown>> | undefined }
  ): Effect.Effect<void, E | ToolsetError | ToolsetLawBroken, R> =>
    closingWell(upholdAll(toolset, options?.calls ?? {}))
}

const upholdAll = Effect.fnUntraced(function* <E, R>(
  toolset: Toolset<E, R>,
  calls: Readonly<Record<string, unknown>>
): Effect.fn.Return<void, E | ToolsetError | ToolsetLawBroken, R | Scope.Scope> {
  const session = yield* open(toolset)
  yield* upholdSessions(toolset, session)
  // Outermost, where decoded arguments arrive before anything that could do something.
  const watched = yield* open(wrapper(toolset, () => Effect.fail(reached)))
  for (const step of [newStep(1), newStep(2)]) {
    yield* upholdDefinitions(yield* listed(session, step))
    yield* upholdListing(session, step)
    yield* upholdInstructions(session, step)
    const tools = yield* listed(watched, step)
    yield* upholdHandingOver(watched, step, tools)
    yield* upholdArguments(watched, step, tools)
  }
  yield* upholdResults(session, newStep(1), calls)
})

const reached = new ToolFailed({ message: "got past its arguments" })
