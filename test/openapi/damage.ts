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
      "five",
      "anchor",
      "cycle",
      "bomb",
      "deep",
      "proto",
      "huge",
      "moved",
      "twice"
    ])
  })
).check(Schema.isMinLength(1), Schema.isMaxLength(40))
export type Damage = typeof Damage.Type

type Node = { parent: any; key: string | number; pointer: string }

/** A copy with every damage done, one after another. */
export const damaged = (document: unknown, damage: Damage): unknown => {
  const copy: unknown = structuredClone(document)
  for (const { at, by } of damage) {
    const nodes = nodesIn(copy, "#")
    const node = nodes[Math.floor((at / 1_000_001) * nodes.length)]
    if (node === undefined) return copy
    const other = nodes[(nodes.length * 7 + at) % nodes.length]!
    if (by === "moved") node.parent[node.key] = structuredClone(other.parent[other.key])
    else if (by === "cycle") node.parent[node.key] = node.parent
    else if (by === "twice") node.parent[`${node.key}2`] = node.parent[node.key]
    else if (by === "removed") {
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
    case "anchor":
      return { $ref: "#name", $id: "https://example.com/x", $anchor: "name", $dynamicRef: "#name" }
    case "bomb":
      return Array.from({ length: 8 }).reduce<unknown>(
        (inside) => ({ type: "object", properties: { a: inside, b: inside, c: inside, d: inside } }),
        { enum: [1] }
      )
    case "deep":
      return Array.from({ length: 300 }).reduce<unknown>((inside) => ({ items: inside, allOf: [inside] }), {})
    case "proto":
      return JSON.parse(`{ "__proto__": { "type": "string" }, "constructor": [], "required": ["__proto__"] }`)
    case "huge":
      return "x".repeat(100_000)
    default:
      return { $ref: 5 }
  }
}

/** Each place of each object once, but for the insides of what was put there to be deep. */
const nodesIn = (value: unknown, pointer: string, seen = new Set<unknown>()): Array<Node> => {
  if (typeof value !== "object" || value === null || seen.has(value) || seen.size > 3_000) return []
  seen.add(value)
  return Object.entries(value).flatMap(([key, item]) => {
    const below = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
    return [
      { parent: value, key, pointer: below },
      ...(pointer.length > 400 ? [] : nodesIn(item, below, seen))
    ]
  })
}
