import { type Any, nodeOf } from "./model.ts"

/**
 * The tree of a toolset, as text or as a Mermaid graph. Pure: opens nothing, so a dynamic toolset is a leaf.
 *
 * A toolset that occurs several times, and so is opened once, is drawn once.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const search = Toolset.tool("search", { handler: () => Effect.succeed([]) })
 * const tree = Toolset.combined(search.pipe(Toolset.prefixed("a")), search.pipe(Toolset.prefixed("b")))
 * console.log(Toolset.describe(tree))
 * //> combined
 * //> ├─ prefixed
 * //> │  └─ tool(search)
 * //> └─ prefixed
 * //>    └─ tool(search) (as above)
 * console.log(Toolset.describe(tree, "mermaid"))
 * //> graph TD
 * //>   n0["combined"]
 * //>   n1["prefixed"]
 * //>   n2["tool(search)"]
 * //>   n3["prefixed"]
 * //>   n0 --> n1
 * //>   n1 --> n2
 * //>   n0 --> n3
 * //>   n3 --> n2
 * ```
 */
export const describe = (self: Any, format: "text" | "mermaid" = "text"): string =>
  (format === "text" ? textLines(self) : mermaidLines(self)).join("\n")

const textLines = (self: Any, seen: Set<Any> = new Set()): ReadonlyArray<string> => {
  const { children, name } = nodeOf(self)
  const isKnown = seen.has(self)
  seen.add(self)
  if (isKnown) return [`${name} (as above)`]
  return [
    name,
    ...children.flatMap((child, i) => {
      const isLast = i === children.length - 1
      return textLines(child, seen).map((line, j) =>
        j === 0 ? `${isLast ? "└─" : "├─"} ${line}` : `${isLast ? "  " : "│ "} ${line}`
      )
    })
  ]
}

const mermaidLines = (self: Any): ReadonlyArray<string> => {
  const ids = new Map<Any, string>()
  const edges: Array<string> = []
  const visit = (toolset: Any): string => {
    const known = ids.get(toolset)
    if (known !== undefined) return known
    const id = `n${ids.size}`
    ids.set(toolset, id)
    for (const child of toolset.children) {
      const place = edges.push("") - 1
      edges[place] = `  ${id} --> ${visit(child)}`
    }
    return id
  }
  visit(self)
  const nodes = Array.from(
    ids,
    ([toolset, id]) => `  ${id}["${nodeOf(toolset).name.replaceAll('"', "#quot;")}"]`
  )
  return ["graph TD", ...nodes, ...edges]
}
