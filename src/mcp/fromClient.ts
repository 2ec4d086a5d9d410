import { Effect, type Scope } from "effect"
import type { McpClient } from "effect/ai"
import type { OnError } from "../toolset/failure.ts"
import type { Toolset } from "../toolset/model.ts"
import { connected, type Options, type ToolFailure } from "./connected.ts"
import { connectionOf } from "./connection.ts"
import type { McpError } from "./McpError.ts"
import { spent } from "./spent.ts"

/**
 * The tools of a server that an `McpClient` of effect speaks with.
 *
 * Given an Effect, connects when the toolset is opened, and again, once, where the connection is lost; a client as a
 * value is whoever's it is, and stays connected. Such a client hears neither of progress nor of changes: `list: "step"`
 * asks for the tools at each step. `effect-toolset/McpSdk` does the same for the official SDK's client.
 *
 * ```ts run
 * import { NodeServices } from "@effect/platform-node"
 * import { Effect } from "effect"
 * import { McpClient, McpProtocol } from "effect/ai"
 * import { ChildProcess } from "effect/process"
 * import { Toolset } from "effect-toolset"
 * import * as McpToolset from "effect-toolset/McpToolset"
 *
 * const command = ChildProcess.make("node", ["node_modules/@modelcontextprotocol/server-everything/dist/index.js"])
 * const connect = McpClient.make({ name: "my-agent", version: "1.0.0" }).pipe(
 *   Effect.provideServiceEffect(
 *     McpClient.Transport,
 *     McpClient.stdio({ command, protocol: McpProtocol.v2025_11_25 })
 *   )
 * )
 * const tools = McpToolset.fromClient(connect)
 * const echo = Toolset.call(tools, "echo", { message: "hello" })
 * console.log(await Effect.runPromise(echo.pipe(Effect.provide(NodeServices.layer))))
 * //> Echo: hello
 * ```
 */
export const fromClient = <E = never, R = never, Mode extends OnError | undefined = "retry">(
  client: McpClient.McpClient | Effect.Effect<McpClient.McpClient, E, R>,
  options?: Options<Mode>
): Toolset<E | McpError | ToolFailure<Mode>, Exclude<R, Scope.Scope>> =>
  connected(
    {
      name: options?.id ?? "client",
      connect: Effect.map(Effect.isEffect(client) ? client : Effect.succeed(client), (client) =>
        spent(connectionOf(client))
      ),
      hide: (text) => text
    },
    options
  )
