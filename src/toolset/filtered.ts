import { Effect } from "effect"
import { dual } from "effect/Function"
import type { RunContext } from "../RunContext.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { answered, whileListing } from "./environment.ts"
import { memoized, stable } from "./memoized.ts"
import type { ListServices, OrEffect, Run, Tool, Toolset } from "./model.ts"
import { mapToolsPerStep } from "./transform.ts"

/** Asked while listing, once per tool and step. */
export type ToolPredicate<E, R> = (tool: ToolDefinition, run: Run) => OrEffect<boolean, E, R>

/**
 * Keeps the tools for which the predicate holds, asked once per tool and step; what is left out cannot be called in
 * that step.
 *
 * `filtered(() => true)` is the identity; `p` then `q` is `p` and `q` for pure predicates (with effects, up to which
 * failure is seen first). The predicate may be an Effect: its failures join `E`, its services `R`.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const tools = Toolset.combined(
 *   Toolset.tool("read", { handler: () => Effect.succeed(1) }),
 *   Toolset.tool("write", { handler: () => Effect.succeed(2) })
 * )
 * const readOnly = tools.pipe(Toolset.filtered((tool) => tool.name !== "write"))
 * console.log(Effect.runSync(Toolset.list(readOnly)).map((tool) => tool.name))
 * //> [ 'read' ]
 * ```
 */
export const filtered: {
  <E2 = never, R2 = never>(
    predicate: ToolPredicate<E2, R2>
  ): <E, R>(self: Toolset<E, R>) => Toolset<E | E2, R | Exclude<R2, ListServices>>
  <E, R, E2 = never, R2 = never>(
    self: Toolset<E, R>,
    predicate: ToolPredicate<E2, R2>
  ): Toolset<E | E2, R | Exclude<R2, ListServices>>
} = dual(
  2,
  <E, R, E2, R2>(
    self: Toolset<E, R>,
    predicate: ToolPredicate<E2, R2>
  ): Toolset<E | E2, R | Exclude<R2, ListServices>> => {
    const keptOf = memoized((_: ReadonlyArray<Tool<E>>) => stable<Tool<E>>())
    return mapToolsPerStep(self, "filtered", (tools, run) =>
      Effect.mapEager(holding(predicate)(tools, run), (holds) =>
        keptOf(tools)(tools.filter((_, i) => holds[i]))
      )
    )
  }
)

/** For which of the tools a predicate holds; at once, where it answers at once. */
export const holding =
  <E2, R2>(predicate: ToolPredicate<E2, R2>) =>
  (tools: ReadonlyArray<Tool<unknown>>, run: Run): Effect.Effect<ReadonlyArray<boolean>, E2, RunContext> => {
    const answers = tools.map((tool) => predicate(tool.definition, run))
    return isSettled(answers)
      ? Effect.succeed(answers)
      : Effect.forEach(answers, (answer) => whileListing(answered(answer)))
  }

const isSettled = (answers: ReadonlyArray<OrEffect<boolean, any, any>>): answers is ReadonlyArray<boolean> =>
  !answers.some(Effect.isEffect)
