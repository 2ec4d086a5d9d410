/** What a server says without being asked: how far a call is, and that its tools have changed. */
import { Effect, Option, Predicate } from "effect"
import type { McpClient } from "effect/ai"
import { ToolCall } from "../ToolCall.ts"

/** What has been heard on one connection. */
export interface Hearing {
  /** Takes any message of the server. */
  readonly take: (message: unknown) => Effect.Effect<void>
  /** How often the tools have changed. */
  readonly changes: () => number
  /** A transport whose calls report progress to whoever made them. */
  readonly onto: (transport: McpClient.Transport) => McpClient.Transport
}

export const hearing = (): Hearing => {
  const listeners = new Map<unknown, ToolCall["Service"]["progress"]>()
  let changes = 0

  const take: Hearing["take"] = (message) => {
    if (meansChange(message)) changes++
    if (!Predicate.isReadonlyObject(message) || "id" in message) return Effect.void
    if (message.method !== "notifications/progress" || !Predicate.isReadonlyObject(message.params)) {
      return Effect.void
    }
    const { _meta, progressToken, ...progress } = message.params
    const report = listeners.get(progressToken)?.(progress)
    // Whoever watches cannot end the connection.
    return report === undefined ? Effect.void : Effect.catchCause(report, (cause) => Effect.logError(cause))
  }

  const onto: Hearing["onto"] = (transport) => ({
    ...transport,
    request: (message, tool) =>
      message.method !== "tools/call"
        ? transport.request(message, tool)
        : Effect.flatMap(Effect.serviceOption(ToolCall), (call) => {
            if (Option.isNone(call)) return transport.request(message, tool)
            listeners.set(message.id, call.value.progress)
            return Effect.ensuring(
              transport.request(withToken(message), tool),
              Effect.sync(() => listeners.delete(message.id))
            )
          })
  })

  return { take, changes: () => changes, onto }
}

/** Whether a message of a server says that its tools may have changed. */
export const meansChange = (message: unknown): boolean =>
  Predicate.isReadonlyObject(message) && !("id" in message) && changing.has(message.method)

/** What changed before a subscription began was not announced. */
const changing: ReadonlySet<unknown> = new Set([
  "notifications/tools/list_changed",
  "notifications/subscriptions/acknowledged"
])

type Request = Parameters<McpClient.Transport["request"]>[0]

const withToken = (message: Request): Request => ({
  ...message,
  params: {
    ...message.params,
    _meta: { ...(message.params?._meta as object | undefined), progressToken: message.id }
  }
})
