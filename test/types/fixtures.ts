/** What the type tests share. Nothing here runs. */
import { Context, Effect, Schema } from "effect"
import type { ToolDefinition, Toolset } from "effect-toolset"
import { ModelRetry } from "effect-toolset"

export class Db extends Context.Service<Db, { readonly get: (id: string) => Effect.Effect<number> }>()(
  "types/Db"
) {}
export class Log extends Context.Service<Log, (line: string) => Effect.Effect<void>>()("types/Log") {}

export class Fatal extends Schema.TaggedError<Fatal>()("Fatal", {}) {}
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { id: Schema.String }) {}

export type Tools = Toolset.Toolset<Fatal, Db>
export declare const tools: Tools
/** Of other types than `tools`. */
export declare const extra: Toolset.Toolset<NotFound, Log>
export declare const failing: Toolset.Toolset<Fatal | NotFound, Db>

export declare const flag: boolean
/** It decodes with `Db` and encodes with `Log`. */
export declare const Needs: Schema.Codec<string, string, Db, Log>
export const Id = Schema.Struct({ id: Schema.String })
export const lookup = Effect.fn("lookup")(function* ({ id }: { readonly id: string }) {
  if (id === "") return yield* new NotFound({ id })
  if (id === "!") return yield* new ModelRetry({ message: "no" })
  return id
})
export const isMarked = (tool: ToolDefinition): boolean => tool.metadata.marked === true
