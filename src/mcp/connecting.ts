/** From a transport to a connection, in time. */
import { Duration, Effect, Predicate, type Scope } from "effect"
import { McpClient, type McpClientError } from "effect/ai"
import { type Connection, connectionOf } from "./connection.ts"
import type { Hearing } from "./hearing.ts"
import type { Hide } from "./hidden.ts"
import { McpConnectionError } from "./McpError.ts"
import type { ClientInfo, Revision } from "./revision.ts"
import { httpOf } from "./trouble.ts"
import { unusable } from "./unusable.ts"
import type { Remains } from "./watched.ts"

/** What a toolset that makes its own connection may be told about that. */
export interface Connecting {
  readonly protocol?: Revision | "auto" | undefined
  readonly connectTimeout?: Duration.Input | undefined
  readonly clientInfo?: ClientInfo | undefined
}

export const defaultClientInfo: ClientInfo = { name: "effect-toolset", version: "0.1.0" }

/** The first start of a server may fetch it from a registry. */
const defaultTimeout = "60 seconds"

/** Connects over a transport. All that goes wrong is one error, which says all that is known. */
export const connecting = <R>(
  server: { readonly name: string; readonly hide: Hide },
  options: Connecting,
  heard: Hearing,
  transport: Effect.Effect<McpClient.Transport, McpClientError.McpClientError, R>,
  more: {
    readonly isStream: boolean
    readonly remains?: Effect.Effect<Remains> | undefined
    readonly advice?: ((error: McpClientError.McpClientError) => string | undefined) | undefined
  }
): Effect.Effect<Connection, McpConnectionError, R | Scope.Scope> => {
  const timeout = Duration.fromInputUnsafe(options.connectTimeout ?? defaultTimeout)
  const clientInfo = options.clientInfo ?? defaultClientInfo
  const remains = more.remains ?? Effect.succeed<Remains>({})

  const connect = Effect.gen(function* () {
    const attending = attended(heard.onto(yield* transport))
    const client = yield* McpClient.make({ ...clientInfo, timeout }).pipe(
      Effect.provideService(McpClient.Transport, attending.transport)
    )
    if (attending.announcesChanges()) yield* listening(attending.transport, clientInfo)
    return connectionOf(client, { changes: heard.changes, remains, isStream: more.isStream })
  })

  return connect.pipe(
    Effect.catch((error) =>
      Effect.flatMap(remains, (remains) => Effect.fail(unusable(server, wrong(error, more.advice), remains)))
    ),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.flatMap(remains, (remains) =>
          Effect.fail(
            unusable(
              server,
              { problem: `it did not answer within ${Duration.format(timeout)}`, cause: undefined },
              remains
            )
          )
        )
    })
  )
}

const wrong = (
  error: McpClientError.McpClientError,
  advice: ((error: McpClientError.McpClientError) => string | undefined) | undefined
) => {
  const { reason } = error
  const because = "cause" in reason && Predicate.isError(reason.cause) ? `: ${reason.cause.message}` : ""
  const advised = advice?.(error)
  return {
    problem: `${error.message}${because}${advised === undefined ? "" : `. ${advised}`}`,
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
