/** What the official SDK's client hears of changes, heard by the way: it has one handler for each notification, its owner's. */
import type { Client } from "@modelcontextprotocol/client"
import { Effect, type Scope } from "effect"
import { memoized } from "../toolset/memoized.ts"
import { meansChange } from "./hearing.ts"

export type Heard = Partial<
  Pick<Client, "autoOpenedSubscription" | "getServerCapabilities" | "listen" | "transport">
>

/**
 * How often a client's server said that its tools have changed. One ear for each client, whoever's it is, however many
 * toolsets it has; a client that was connected again may have other tools.
 */
export const changesOf = memoized((client: Heard): (() => number) => {
  let listenedTo: Heard["transport"]
  let changes = 0
  return () => {
    const { transport } = client
    if (transport === undefined || transport === listenedTo) return changes
    listenedTo = transport
    const { onmessage } = transport
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no EventTarget.
    transport.onmessage = (message, extra) => {
      onmessage?.call(transport, message, extra)
      if (meansChange(message)) changes++
    }
    return ++changes
  }
})

/** Asks for changes while the scope lasts, where they are announced to those who ask and the client has not asked itself. */
export const asking = (client: Heard): Effect.Effect<void, never, Scope.Scope> =>
  client.listen === undefined ||
  client.getServerCapabilities?.()?.tools?.listChanged !== true ||
  client.autoOpenedSubscription?.honoredFilter.toolsListChanged === true
    ? Effect.void
    : // The client refuses where changes are announced unasked.
      Effect.tryPromise((signal) =>
        client.listen!({ toolsListChanged: true }, { signal }).then(({ closed }) => closed)
      ).pipe(Effect.ignore, Effect.forkScoped, Effect.asVoid)
