/** Damaged documents: nodes anywhere in them replaced by what does not belong there. */
import { Schema } from "effect"

/** Where a node is, as a share of all nodes, and what takes its place. */
export const Damage = Schema.Array(
  Schema.Struct({
    at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })),
    by: Schema.Literals([
      "null",
      "number",
      "text",
      "list",
      "true",
      "object",
      "removed",
      "up",
      "lost",
      "root",
      "away",
      "five"
    ])
  })
).check(Schema.isMinLength(1), Schema.isMaxLength(20))
export type Damage = typeof Damage.Type

type Node = { parent: any; key: string | number; pointer: string }

/** A copy with every damage done, one after another. */
export const damaged = (document: unknown, damage: Damage): unknown => {
  const copy: unknown = structuredClone(document)
  for (const { at, by } of damage) {
    const nodes = nodesIn(copy, "#")
    const node = nodes[Math.floor((at / 1_000_001) * nodes.length)]
    if (node === undefined) return copy
    if (by === "removed") {
      if (Array.isArray(node.parent)) node.parent.splice(Number(node.key), 1)
      else delete node.parent[node.key]
    } else node.parent[node.key] = replacement(by, node.pointer)
  }
  return copy
}

const replacement = (by: Damage[number]["by"], pointer: string): unknown => {
  switch (by) {
    case "null":
      return null
    case "number":
      return -0.5
    case "text":
      return "\ud800 %"
    case "list":
      return [{}, null]
    case "true":
      return true
    case "object":
      return { type: 5, properties: [], __proto__x: {}, nullable: true }
    case "up":
      return { $ref: pointer.split("/").slice(0, -1).join("/") || "#" }
    case "lost":
      return { $ref: "#/nowhere/at~2all/%E0%A4%A" }
    case "root":
      return { $ref: "#" }
    case "away":
      return { $ref: "other.yaml#/a" }
    default:
      return { $ref: 5 }
  }
}

const nodesIn = (value: unknown, pointer: string): Array<Node> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, item]) => {
        const below = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
        return [{ parent: value, key, pointer: below }, ...nodesIn(item, below)]
      })
