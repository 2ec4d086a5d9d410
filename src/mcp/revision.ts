/** Which revision of MCP to speak with a server. */
import { Effect, Predicate } from "effect"
import { McpClient, McpClientError, McpProtocol } from "effect/ai"

/** A revision of MCP. */
export type Revision = McpProtocol.ProtocolVersion

type Adapter = McpClient.Transport["protocol"]

const modern: Adapter = McpProtocol.v2026_07_28

/** The revisions that begin with a handshake, newest first. Types of effect's client say one of them, it speaks all. */
const stateful = new Map<string, Adapter>(
  [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18, McpProtocol.v2025_03_26, McpProtocol.v2024_11_05].map(
    (adapter) => [adapter.protocolVersion, adapter as unknown as Adapter]
  )
)

export const newest: Adapter = McpProtocol.v2025_11_25

export const adapterOf = (revision: Revision): Adapter => stateful.get(revision) ?? modern

/**
 * A transport of the revision that the server chose: offers the newest with a handshake, and takes what is answered, or
 * offers the next older one where it is refused. `undefined` where the server speaks only the one without a handshake.
 *
 * effect's client settles on a revision before its own handshake: it is given the answer that came already.
 */
export const negotiated = Effect.fnUntraced(function* (
  transport: McpClient.Transport,
  clientInfo: ClientInfo,
  agreed: (revision: string) => void = () => {}
) {
  const refusals: Array<string> = []
  for (const offer of stateful.keys()) {
    const answer = yield* offered(transport, offer, clientInfo)
    if (!("error" in answer)) {
      const chosen = Predicate.isReadonlyObject(answer.result) ? String(answer.result.protocolVersion) : ""
      const protocol = stateful.get(chosen)
      if (protocol === undefined) return yield* unspoken(`the server chose revision '${chosen}'`)
      agreed(chosen)
      return replaying({ ...transport, protocol }, answer)
    }
    if (speaksOnlyModern.has(answer.error.code)) return undefined
    refusals.push(`${offer}: ${answer.error.message}`)
  }
  return yield* unspoken(`the server refused every revision that was offered (${refusals.join("; ")})`)
})

/** How this program presents itself to servers. */
export interface ClientInfo {
  readonly name: string
  readonly version: string
}

type Response = Effect.Success<ReturnType<McpClient.Transport["request"]>>

/** What the server says to an offer; some refuse it with an HTTP status. */
const offered = (transport: McpClient.Transport, protocolVersion: string, clientInfo: ClientInfo) => {
  const { name, version } = clientInfo
  const id = `initialize ${protocolVersion}`
  const params = { protocolVersion, capabilities: {}, clientInfo: { name, version } }
  return Effect.catch(
    transport.request({ jsonrpc: "2.0", id, method: "initialize", params }),
    (error): Effect.Effect<Response, McpClientError.McpClientError> => {
      const { reason } = error
      return reason._tag === "HttpError" && reason.status === 400 && reason.code !== undefined
        ? Effect.succeed({ jsonrpc: "2.0", id, error: { code: reason.code, message: reason.message } })
        : Effect.fail(error)
    }
  )
}

/** "Method not found", "unsupported revision", "a header that only the modern one has is required". */
const speaksOnlyModern: ReadonlySet<number> = new Set([-32601, -32022, -32020])

const unspoken = (problem: string) =>
  new McpClientError.McpClientError({
    reason: new McpClientError.UnsupportedError({
      description: `${problem}; spoken here are ${[modern.protocolVersion, ...stateful.keys()].join(", ")}`
    })
  })

const replaying = (transport: McpClient.Transport, answer: Response): McpClient.Transport => ({
  ...transport,
  request: (message, tool) =>
    message.method === "initialize"
      ? Effect.succeed({ ...answer, id: message.id })
      : transport.request(message, tool)
})
