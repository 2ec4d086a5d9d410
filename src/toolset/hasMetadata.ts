import { Equal, Predicate } from "effect"
import type { ToolDefinition } from "../ToolDefinition.ts"

/**
 * The tools whose metadata contains this, as a predicate, wherever one is taken.
 *
 * An object contains another if it has its fields, at any depth, perhaps among others; everything else contains what it
 * is equal to. `hasMetadata({})` holds for every tool.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const tools = Toolset.combined(
 *   Toolset.tool("read", { metadata: { rest: { method: "GET", path: "/" } }, handler: () => Effect.succeed(1) }),
 *   Toolset.tool("write", { metadata: { rest: { method: "PUT", path: "/" } }, handler: () => Effect.succeed(2) })
 * )
 * const reads = tools.pipe(Toolset.filtered(Toolset.hasMetadata({ rest: { method: "GET" } })))
 * console.log(Effect.runSync(Toolset.list(reads)).map((tool) => tool.name))
 * //> [ 'read' ]
 * ```
 */
export const hasMetadata =
  (metadata: Readonly<Record<string, unknown>>): ((tool: ToolDefinition) => boolean) =>
  (tool) =>
    contains(tool.metadata, metadata)

const contains = (value: unknown, part: unknown): boolean =>
  isRecord(value) && isRecord(part)
    ? Object.keys(part).every((key) => Object.hasOwn(value, key) && contains(value[key], part[key]))
    : Equal.equals(value, part)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  Predicate.isObject(value) && [null, Object.prototype].includes(Object.getPrototypeOf(value))
