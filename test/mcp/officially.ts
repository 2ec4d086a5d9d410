/** Toolsets served over HTTP on loopback, and the official clients that speak with them. */
import { NodeHttpServer } from "@effect/platform-node"
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Context, Effect, Layer, type Scope } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { createServer } from "node:http"

export const presented = { name: "served", version: "1.0.0", path: "/mcp" } as const

/** A server on loopback, and where it is. */
export const listening = <E>(routes: Layer.Layer<never, E, HttpRouter.HttpRouter>) =>
  Effect.gen(function* () {
    const server = HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { port: 0, host: "127.0.0.1" }))
    )
    const { address } = Context.get(yield* Layer.build(server), HttpServer.HttpServer)
    return `${HttpServer.formatAddress(address)}/mcp`
  })

const closed = (client: { readonly close: () => Promise<void> }) => Effect.promise(() => client.close())

/** The official client, version 2, in one of its modes. */
export const official = (mode: "legacy" | "auto", options?: ClientOptions) => (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "1" }, { ...options, versionNegotiation: { mode } })
      await client.connect(new StreamableHTTPClientTransport(new URL(url)))
      return client
    }),
    closed
  )

/** The official client, version 1. */
export const official1 = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client1({ name: "test", version: "1" })
      await client.connect(new Http1(new URL(url)))
      return client
    }),
    closed
  )

type AnyClient =
  | Effect.Success<ReturnType<typeof official1>>
  | Effect.Success<ReturnType<ReturnType<typeof official>>>

export const clients: Readonly<
  Record<string, (url: string) => Effect.Effect<AnyClient, never, Scope.Scope>>
> = {
  "the official client 1": official1,
  "the official client 2": official("legacy"),
  "the official client 2, in the newest revision": official("auto")
}

export const call = (client: AnyClient, name: string, args: Record<string, unknown> = {}) =>
  Effect.promise(() => client.callTool({ name, arguments: args }) as Promise<Record<string, unknown>>)

export const refusal = (client: AnyClient, name: string) =>
  Effect.promise(() =>
    client.callTool({ name, arguments: {} }).then(
      () => Promise.reject(new Error("it was answered")),
      (error: { code: number; message: string }) => [error.code, error.message]
    )
  )

/** What the two SDKs agree on. */
interface Listed {
  readonly name: string
  readonly title?: string
  readonly inputSchema: { readonly required?: ReadonlyArray<string> }
  readonly outputSchema?: object
  readonly annotations?: object
  readonly _meta?: object
}

export const listed = (client: AnyClient) =>
  Effect.promise(async () => (await client.listTools()).tools as ReadonlyArray<Listed>)

export const text = (text: string) => [{ type: "text", text }]
