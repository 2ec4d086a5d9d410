import { Effect } from "effect"
import { dual } from "effect/Function"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import { nameConflict } from "./collect.ts"
import { type Flaw, flawed } from "./flawed.ts"
import type { Any, Tool, Toolset } from "./model.ts"
import { mapDefinition, mapTools, redefining } from "./transform.ts"

/**
 * Gives tools other names: a record maps new names to original ones, a function each original name to its new one.
 *
 * Renaming to the same names is the identity; two renamings compose; a swap works. No tool is ever lost: a new name that
 * is taken is a `ToolNameConflict`. An original that is not there is a `ToolsetDefinitionError` where the tools are the
 * same at every step, and without effect where they can change. Tools keep their places.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const tools = Toolset.combined(
 *   Toolset.tool("a", { handler: () => Effect.succeed(1) }),
 *   Toolset.tool("b", { handler: () => Effect.succeed(2) })
 * )
 * const swapped = tools.pipe(Toolset.renamed({ a: "b", b: "a" }))
 * console.log(Effect.runSync(Toolset.call(swapped, "a", {})))
 * //> 2
 * ```
 */
export const renamed: {
  (
    names: Readonly<Record<string, string>> | ((original: string) => string)
  ): <E, R>(self: Toolset<E, R>) => Toolset<E, R>
  <E, R>(
    self: Toolset<E, R>,
    names: Readonly<Record<string, string>> | ((original: string) => string)
  ): Toolset<E, R>
} = dual(
  2,
  <E, R>(
    self: Toolset<E, R>,
    names: Readonly<Record<string, string>> | ((original: string) => string)
  ): Toolset<E, R> =>
    typeof names === "function" ? byFunction(self, names) : byRecord(self, new Map(Object.entries(names)))
)

const byFunction = <E, R>(self: Toolset<E, R>, rename: (original: string) => string): Toolset<E, R> =>
  mapDefinition(self, "renamed", withName(rename))

/** `originals`: new name → original name. */
const byRecord = <E, R>(self: Toolset<E, R>, originals: ReadonlyMap<string, string>): Toolset<E, R> => {
  const names = new Map(Array.from(originals, ([name, original]) => [original, name]))
  const flaw = renamedTwice(originals, names)
  if (flaw !== undefined) return flawed(self, "renamed", flaw)
  const rename = redefining(
    "renamed",
    withName((original) => names.get(original) ?? original)
  )
  return mapTools<E, R, E>(self, "renamed", (tools, fixed) => {
    const problem = nameConflict(tools) ?? (fixed ? unknownOriginal(self, originals, tools) : undefined)
    return problem === undefined ? Effect.succeed(tools.map(rename)) : Effect.fail(problem)
  })
}

const withName =
  (rename: (original: string) => string) =>
  (tool: ToolDefinition): ToolDefinition => {
    const name = rename(tool.name)
    return name === tool.name ? tool : { ...tool, name }
  }

/** `names`: the last new name of each original. */
const renamedTwice = (
  originals: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>
): Flaw | undefined => {
  for (const [name, original] of originals) {
    const last = names.get(original)
    if (last === name) continue
    return {
      problem: `'${original}' gets two names, '${name}' and '${last}'.`,
      hint: "A tool has one name; combine the toolset with a renamed copy of it to offer it under two."
    }
  }
  return undefined
}

const unknownOriginal = (
  self: Any,
  originals: ReadonlyMap<string, string>,
  tools: ReadonlyArray<Tool<unknown>>
): ToolsetDefinitionError | undefined => {
  const known = new Set(tools.map((tool) => tool.definition.name))
  const unknown = Array.from(originals).filter(([, original]) => !known.has(original))
  if (unknown.length === 0) return undefined
  const inverted = unknown.every(([name]) => known.has(name))
  return new ToolsetDefinitionError({
    source: `renamed(${self.label})`,
    problem: `There is no tool ${unknown.map(([, original]) => `'${original}'`).join(", ")} to rename.`,
    hint: inverted ? invertedHint : availableHint(known)
  })
}

const invertedHint = "Is the map the wrong way round? It goes from new names to original ones."

const availableHint = (known: ReadonlySet<string>): string =>
  known.size === 0
    ? "There are no tools."
    : `There are: ${Array.from(known, (name) => `'${name}'`).join(", ")}.`
