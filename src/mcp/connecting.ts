/** From a transport to a connection, in time. */
import { Duration, Effect, Option, Predicate, type Scope } from "effect"
import { McpClient, type McpClientError } from "effect/ai"
import { notPositive, positive } from "../toolset/bounded.ts"
import { flawed } from "../toolset/flawed.ts"
import type { Toolset } from "../toolset/model.ts"
import { type Connection, connectionOf, type Means } from "./connection.ts"
import type { Hearing } from "./hearing.ts"
import type { Hide } from "./hidden.ts"
import type { McpConnectionError } from "./McpError.ts"
import type { ClientInfo, Revision } from "./revision.ts"
import { httpOf } from "./trouble.ts"
import { unusable } from "./unusable.ts"

/** What a toolset that makes its own connection may be told about that. */
export interface Connecting {
  readonly protocol?: Revision | "auto" | undefined
  readonly connectTimeout?: Duration.Input | undefined
  readonly clientInfo?: ClientInfo | undefined
}

export const defaultClientInfo: ClientInfo = { name: "effect-toolset", version: "0.1.0" }

/** The first start of a server may fetch it from a registry. */
const defaultTimeout = "60 seconds"

/** How a server is reached. */
export interface Way<R> {
  readonly transport: Effect.Effect<McpClient.Transport, McpClientError.McpClientError, R>
  readonly means: Means
  readonly heard: Hearing
  /** What to do about an error of this way. */
  readonly advice?: ((error: McpClientError.McpClientError) => string | undefined) | undefined
}

/** Connects. All that goes wrong is one error, which says all that is known. */
export const connecting = <R>(
  server: { readonly name: string; readonly hide: Hide },
  { clientInfo = defaultClientInfo, connectTimeout = defaultTimeout }: Connecting,
  { advice, heard, means, transport }: Way<R>
): Effect.Effect<Connection, McpConnectionError, R | Scope.Scope> => {
  const failing = (wrong: Parameters<typeof unusable>[1]) =>
    Effect.flatMap(means.remains, (remains) => Effect.fail(unusable(server, wrong, remains)))
  return Effect.gen(function* () {
    const attending = attended(heard.onto(yield* transport))
    const client = yield* McpClient.make({ ...clientInfo, timeout: connectTimeout }).pipe(
      Effect.provideService(McpClient.Transport, attending.transport)
    )
    if (attending.announcesChanges()) yield* listening(attending.transport, clientInfo)
    return connectionOf(client, means)
  }).pipe(
    Effect.catch((error) => failing(wrong(error, advice?.(error)))),
    Effect.timeoutOrElse({
      duration: connectTimeout,
      orElse: () =>
        failing({ problem: `it did not answer within ${inWords(connectTimeout)}`, cause: undefined })
    })
  )
}

/** A toolset that has time to connect. */
export const inTime = <E, R>(self: Toolset<E, R>, { connectTimeout }: Connecting): Toolset<E, R> =>
  connectTimeout === undefined || positive(connectTimeout) !== undefined
    ? self
    : flawed(self, "mcp", notPositive(connectTimeout))

const inWords = (duration: Duration.Input): string =>
  Option.match(Duration.fromInput(duration), { onNone: () => String(duration), onSome: Duration.format })

const wrong = (error: McpClientError.McpClientError, advice: string | undefined) => {
  const { reason } = error
  const because = "cause" in reason && Predicate.isError(reason.cause) ? `: ${reason.cause.message}` : ""
  return {
    problem: `${error.message}${because}${advice === undefined ? "" : `. ${advice}`}`,
    http: reason._tag === "HttpError" ? httpOf(reason) : undefined,
    cause: error
  }
}

/** A transport that notes whether the server announces changes of its tools. */
const attended = (transport: McpClient.Transport) => {
  let announces = false
  const request: McpClient.Transport["request"] = (message, tool) =>
    message.method !== "server/discover"
      ? transport.request(message, tool)
      : Effect.tap(transport.request(message, tool), (response) =>
          Effect.sync(() => {
            announces = "result" in response && announcesChanges(response.result)
          })
        )
  return { transport: { ...transport, request }, announcesChanges: () => announces }
}

const announcesChanges = (discovered: unknown): boolean =>
  Predicate.isReadonlyObject(discovered) &&
  Predicate.isReadonlyObject(discovered.capabilities) &&
  Predicate.isReadonlyObject(discovered.capabilities.tools) &&
  discovered.capabilities.tools.listChanged === true

/** The revision without a handshake announces changes to those who ask. The answer comes when the connection ends. */
const listening = (transport: McpClient.Transport, clientInfo: ClientInfo) =>
  transport
    .request({
      jsonrpc: "2.0",
      id: "tools/list_changed",
      method: "subscriptions/listen",
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": transport.protocol.protocolVersion,
          "io.modelcontextprotocol/clientInfo": clientInfo,
          "io.modelcontextprotocol/clientCapabilities": {}
        },
        notifications: { toolsListChanged: true }
      }
    })
    .pipe(Effect.ignore, Effect.forkScoped)
