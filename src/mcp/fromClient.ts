import { Effect, type Scope } from "effect"
import type { McpClient } from "effect/ai"
import type { OnError } from "../toolset/failure.ts"
import type { Toolset } from "../toolset/model.ts"
import { connected, type Options, type ToolFailure } from "./connected.ts"
import { connectionOf } from "./connection.ts"
import type { McpError } from "./McpError.ts"

export const fromClient = <E = never, R = never, Mode extends OnError | undefined = "retry">(
  client: McpClient.McpClient | Effect.Effect<McpClient.McpClient, E, R>,
  options?: Options<Mode>
): Toolset<E | McpError | ToolFailure<Mode>, Exclude<R, Scope.Scope>> =>
  connected(
    {
      name: options?.id ?? "client",
      connect: Effect.map(Effect.isEffect(client) ? client : Effect.succeed(client), (client) =>
        connectionOf(client)
      ),
      hide: (text) => text
    },
    options
  )
