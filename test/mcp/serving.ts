/** Servers that nobody here wrote, and small ones on their SDKs. */
import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, type Layer, type Scope } from "effect"
import { ToolCall } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { fileURLToPath } from "node:url"

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const official = (name: string): string =>
  file(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`)

/** How to start a server with this very Node. */
export const node = (...args: ReadonlyArray<string>) => ({ command: process.execPath, args })

export const everything = node(official("everything"))
export const filesystem = (folder: string) => node(official("filesystem"), folder)
export const memory = node(official("memory"))

/** Servers that offer what `servers/offer.mjs` says, by what they are built on. */
export const offering = {
  "sdk 1.0": node(file("servers/sdk1.mjs"), "sdk-1.0"),
  "sdk 1.11": node(file("servers/sdk1.mjs"), "sdk-1.11"),
  "sdk 1.17": node(file("servers/sdk1.mjs"), "sdk-1.17"),
  "sdk 1": node(file("servers/sdk1.mjs"), "@modelcontextprotocol/sdk"),
  "sdk 2": node(file("servers/sdk2.mjs")),
  "sdk 2, nothing older": node(file("servers/sdk2.mjs"), "reject")
}

/** Servers that speak MCP by hand, and some badly. */
export const raw = (...args: ReadonlyArray<string>) => node(file("servers/raw.mjs"), ...args)

export const sdk1 = (env: McpToolset.StdioOptions["env"] = {}) =>
  McpToolset.stdio({ ...offering["sdk 1"], id: "offer", env })

type Services = Layer.Success<typeof NodeServices.layer> | Scope.Scope

/** A test with what servers over stdio need. */
export const onNode = <A, E>(effect: Effect.Effect<A, E, Services>): Effect.Effect<A, E> =>
  Effect.scoped(effect).pipe(Effect.provide(NodeServices.layer))

/** A call whose progress is written down. */
export const watchedCall = () => {
  const seen: Array<unknown> = []
  const call = ToolCall.of({
    id: "1",
    name: "slow",
    exposedName: "slow",
    attempt: 0,
    maxRetries: 1,
    lastAttempt: false,
    approved: false,
    metadata: {},
    progress: (value) => Effect.sync(() => seen.push(value))
  })
  return { call, seen, provided: Effect.provideService(ToolCall, call) }
}

/** A file that a server writes to, and what it wrote, a line each. */
export const notebook = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* fs.makeTempFileScoped()
  const lines = Effect.map(fs.readFileString(path), (text) => text.split("\n").filter((line) => line !== ""))
  return { path, lines: Effect.orDie(lines) }
}).pipe(Effect.orDie)
