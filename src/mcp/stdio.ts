import { Effect, type Redacted } from "effect"
import { McpClient, McpClientError } from "effect/ai"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import type { OnError } from "../toolset/failure.ts"
import type { Toolset } from "../toolset/model.ts"
import { connected, type Options, type ToolFailure } from "./connected.ts"
import { type Connecting, connecting, defaultClientInfo, inTime } from "./connecting.ts"
import { hearing } from "./hearing.ts"
import { hiding, secretsGiven } from "../secrets/hiding.ts"
import { inherited } from "./inherited.ts"
import type { McpError } from "./McpError.ts"
import { adapterOf, negotiated, newest } from "./revision.ts"
import { watched, type Watched } from "./watched.ts"

/** A program that is an MCP server, and how to speak with it. */
export interface StdioOptions<Mode extends OnError | undefined = OnError | undefined>
  extends Options<Mode>, Connecting {
  readonly command: string
  readonly args?: ReadonlyArray<string | Redacted.Redacted> | undefined
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string | Redacted.Redacted | undefined>> | undefined
}

/**
 * The tools of an MCP server that is a program of its own, spoken with over its input and output.
 *
 * The program is started when the toolset is opened and ended with it; the revision of MCP is agreed on once. What goes
 * wrong with it is an `McpConnectionError` with the end of its stderr and its exit code. A server that dies is started
 * again by the next call.
 *
 * - `command`, `args`, `cwd`: the program. `env`: its variables, beside the few that any program needs (`HOME`, `PATH`,
 *   …); the rest of this process's environment stays here. What is `Redacted` is hidden in errors.
 * - `id`: names the server in errors, and is the toolset's identity.
 * - `onError`: what becomes of a tool that says that it failed: `retry` (default), `recover`, or `fail`, which leaves an
 *   `McpToolError` in `E`.
 * - `list`: when the tools are asked for: once per `run` (default), and again where the server says that they have
 *   changed; or at each `step`.
 * - `protocol`: the revision of MCP; default: the newest that both speak.
 * - `connectTimeout`: for starting and agreeing, and for each list (default: a minute). `Toolset.timeout` bounds calls.
 * - `clientInfo`: how this program presents itself.
 *
 * ```ts run
 * import { NodeServices } from "@effect/platform-node"
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 * import * as McpToolset from "effect-toolset/McpToolset"
 *
 * const everything = McpToolset.stdio({
 *   command: "node",
 *   args: ["node_modules/@modelcontextprotocol/server-everything/dist/index.js"]
 * })
 * const tools = everything.pipe(Toolset.filtered((tool) => tool.name.startsWith("get-")), Toolset.prefixed("demo"))
 * const sum = Toolset.call(tools, "demo_get-sum", { a: 1, b: 2 })
 * console.log(await Effect.runPromise(sum.pipe(Effect.provide(NodeServices.layer))))
 * //> The sum of 1 and 2 is 3.
 * ```
 */
export const stdio = <Mode extends OnError | undefined = "retry">(
  options: StdioOptions<Mode>
): Toolset<McpError | ToolFailure<Mode>, ChildProcessSpawner.ChildProcessSpawner> => {
  const { args = [], command, cwd, env = {} } = options
  const server = {
    name: options.id ?? command.slice(command.lastIndexOf("/") + 1),
    hide: hiding(secretsGiven([...args, ...Object.values(env)]))
  }
  const connect = Effect.gen(function* () {
    const heard = hearing()
    const process = watched(yield* ChildProcessSpawner.ChildProcessSpawner, heard.take)
    const program = ChildProcess.make(command, args, { cwd, env: { ...inherited(), ...env } })
    const transport = spawned(program, options, process).pipe(
      Effect.provideService(ChildProcessSpawner.ChildProcessSpawner, process.spawner)
    )
    const { discard, remains } = process
    const means = { isStream: true, changes: heard.changes, discard, remains }
    return yield* connecting(server, options, { transport, means, heard })
  })
  return inTime(connected({ ...server, connect }, options), options)
}

const spawned = Effect.fnUntraced(function* (
  command: ChildProcess.Command,
  { clientInfo = defaultClientInfo, protocol = "auto" }: Connecting,
  process: Watched
) {
  const pinned = protocol === "auto" ? undefined : adapterOf(protocol)
  const transport = mortal(yield* McpClient.stdio({ command, protocol: pinned ?? newest }), process)
  if (pinned !== undefined) return transport
  return (yield* negotiated(transport, clientInfo)) ?? { ...transport, protocol: adapterOf("2026-07-28") }
})

/** Says of a request that cannot be sent any more that it was not. */
const mortal = (transport: McpClient.Transport, process: Watched): McpClient.Transport => {
  let end: McpClientError.McpClientError | undefined
  return {
    ...transport,
    request: (message, tool) =>
      Effect.suspend(() => {
        if (end === undefined && !process.isSilent()) {
          return Effect.tapError(transport.request(message, tool), (error) =>
            Effect.sync(() => {
              if (isEnd(error)) end = error
            })
          )
        }
        const description = end?.message ?? "MCP server closed stdout"
        return Effect.fail(
          new McpClientError.McpClientError({ reason: new McpClientError.ClosedError({ description }) })
        )
      })
  }
}

/** Errors after which the stream is of no use. */
const isEnd = ({ reason }: McpClientError.McpClientError): boolean =>
  reason._tag === "TransportError" ||
  reason._tag === "ClosedError" ||
  reason._tag === "LimitError" ||
  (reason._tag === "ProtocolError" && reason.code === undefined)
