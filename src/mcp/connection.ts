/** A connection to a server, whoever's client holds it. */
import { Effect } from "effect"
import type { McpClient, McpSchema } from "effect/ai"
import type { Args } from "../toolset/model.ts"
import { type Trouble, troubleOf } from "./trouble.ts"
import type { Remains } from "./watched.ts"

/** A tool as the server lists it. */
export type Descriptor = McpSchema.Tool

export interface Connection {
  /** What the server says about itself, for the model. */
  readonly instructions: string | undefined
  readonly list: Effect.Effect<ReadonlyArray<Descriptor>, Trouble>
  readonly call: (tool: Descriptor, args: Args) => Effect.Effect<McpSchema.CallToolResult, Trouble>
  /** How often the server said that its tools have changed. */
  readonly changes: () => number
  /** What is left of it, when it is lost. */
  readonly remains: Effect.Effect<Remains>
  /** Ends what it holds at once, where nothing good can come of it any more. */
  readonly discard: Effect.Effect<void>
}

/** What a client does not say of its connection. */
export interface Means extends Pick<Connection, "changes" | "discard" | "remains"> {
  /** All requests share one stream. */
  readonly isStream: boolean
}

/** Of a connection that somebody else made. */
export const unknownMeans: Means = {
  isStream: true,
  changes: () => 0,
  remains: Effect.succeed({}),
  discard: Effect.void
}

/** The connection that effect's client holds. */
export const connectionOf = (
  client: McpClient.McpClient,
  { isStream, ...means }: Means = unknownMeans
): Connection => ({
  ...means,
  instructions: client.instructions,
  list: Effect.mapError(client.listTools(), (error) => troubleOf(error, isStream)),
  call: (tool, args) =>
    Effect.mapError(client.callTool({ tool, arguments: args }), (error) => troubleOf(error, isStream))
})
