import type { Client } from "@modelcontextprotocol/client"
import { Context, Effect, Option, Predicate, Schema, type Scope } from "effect"
import { McpSchema } from "effect/ai"
import { ToolCall } from "../ToolCall.ts"
import { failureText, type OnError } from "../toolset/failure.ts"
import type { Toolset } from "../toolset/model.ts"
import { connected, type Options, type ToolFailure } from "./connected.ts"
import type { Connection } from "./connection.ts"
import type { McpError } from "./McpError.ts"
import { asking, changesOf, type Heard } from "./sdkChanges.ts"
import { answered, Trouble } from "./trouble.ts"

/** What is used of a `Client` of `@modelcontextprotocol/client`. */
export type SdkClient = Pick<Client, "callTool" | "getInstructions" | "listTools"> & Heard

/**
 * The tools of a server that a connected `Client` of `@modelcontextprotocol/client` 2 speaks with: the way to what
 * effect's client has not, such as OAuth, the older transport of two endpoints (HTTP+SSE), and servers that ask the user.
 *
 * Given an Effect, connects when the toolset is opened, and again, once, where the connection is lost; a client as a
 * value is whoever's it is, and stays connected. Its handlers stay its own; changes are heard beside them.
 *
 * ```ts run
 * import { Client } from "@modelcontextprotocol/client"
 * import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 * import * as McpSdk from "effect-toolset/McpSdk"
 *
 * const connect = Effect.acquireRelease(
 *   Effect.promise(async () => {
 *     const client = new Client({ name: "my-agent", version: "1.0.0" })
 *     const args = ["node_modules/@modelcontextprotocol/server-everything/dist/index.js"]
 *     await client.connect(new StdioClientTransport({ command: "node", args, stderr: "ignore" }))
 *     return client
 *   }),
 *   (client) => Effect.promise(() => client.close())
 * )
 * const tools = McpSdk.fromClient(connect)
 * console.log(await Effect.runPromise(Toolset.call(tools, "echo", { message: "hello" })))
 * //> Echo: hello
 * ```
 */
export const fromClient = <E = never, R = never, Mode extends OnError | undefined = "retry">(
  client: SdkClient | Effect.Effect<SdkClient, E, R>,
  options?: Options<Mode>
): Toolset<E | McpError | ToolFailure<Mode>, Exclude<R, Scope.Scope>> =>
  connected(
    {
      name: options?.id ?? "client",
      connect: Effect.tap(Effect.isEffect(client) ? client : Effect.succeed(client), asking).pipe(
        Effect.map(connectionOf)
      ),
      hide: (text) => text
    },
    options
  )

const connectionOf = (client: SdkClient): Connection => ({
  instructions: client.getInstructions(),
  list: asked((signal) => client.listTools(undefined, { signal, cacheMode: "refresh" })).pipe(
    Effect.flatMap(({ tools }) => read(tools, decodeTools))
  ),
  call: ({ name }, args) =>
    Effect.gen(function* () {
      const call = Option.getOrUndefined(yield* Effect.serviceOption(ToolCall))
      const report = Effect.runForkWith(Context.empty())
      const result = yield* asked((signal) =>
        client.callTool(
          { name, arguments: args },
          {
            signal,
            timeout: longest,
            ...(call === undefined ? {} : { onprogress: (progress) => report(call.progress(progress)) })
          }
        )
      )
      return yield* read(result, decodeResult)
    }),
  changes: changesOf(client),
  remains: Effect.succeed({}),
  discard: Effect.void
})

/** No deadline: whoever wants one says so with `Toolset.timeout`. What a timer can wait for at most. */
const longest = 2 ** 31 - 1

const asked = <A>(ask: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, Trouble> =>
  Effect.tryPromise({ try: ask, catch: troubleOf })

const decodeTools = Schema.decodeUnknownEffect(Schema.Array(McpSchema.Tool))
const decodeResult = Schema.decodeUnknownEffect(McpSchema.CallToolResult)

const read = <A>(value: unknown, decode: (value: unknown) => Effect.Effect<A, Schema.SchemaError>) =>
  Effect.mapError(decode(value), (cause) =>
    Trouble.Garbled({ problem: "the server's answer is not what MCP allows", cause })
  )

/** The client throws errors of its own: with a number as code they are answers, with a word they are not. */
const troubleOf = (cause: unknown): Trouble => {
  const { code, status } = Predicate.isReadonlyObject(cause) ? cause : {}
  const problem = failureText(cause)
  if (Predicate.isNumber(code)) return answered(code, problem)
  // Whether it still has a transport it says without a code.
  if (code === "NOT_CONNECTED" || status === 404 || problem === "Not connected")
    return Trouble.Lost({ problem, sent: false, cause })
  if (code === "CONNECTION_CLOSED" || code === "SEND_FAILED")
    return Trouble.Lost({ problem, sent: true, cause })
  if (code === "UNSUPPORTED_RESULT_TYPE" || code === "INPUT_REQUIRED_ROUNDS_EXCEEDED") {
    return Trouble.Hopeless({ message: problem })
  }
  return Trouble.Garbled({ problem, http: Predicate.isNumber(status) ? { status } : undefined, cause })
}
