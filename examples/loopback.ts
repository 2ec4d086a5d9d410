// Shared by the examples: a real HTTP server on loopback that serves recorded documents.
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"

// A document by its path, or the status that its path answers with.
const Documents = Schema.Record(Schema.String, Schema.Union([Schema.Int, Schema.Json]))

const serving = (file: string) => {
  const documents = Schema.decodeUnknownSync(Schema.fromJsonString(Documents))(
    readFileSync(new URL(`./data/${file}`, import.meta.url), "utf8")
  )
  return HttpRouter.add("GET", "/*", (request) => {
    const document = documents[request.url] ?? 404
    return typeof document === "number"
      ? Effect.succeed(HttpServerResponse.empty({ status: document }))
      : HttpServerResponse.json(document)
  })
}

// The server, and a client for whoever wants to call it.
export const loopback = (file: string) => listening(serving(file))

// The same for any routes.
export const listening = <E, R>(routes: Layer.Layer<never, E, R>) =>
  Layer.mergeAll(
    HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }),
    FetchHttpClient.layer
  ).pipe(Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { port: 0, host: "127.0.0.1" })))

// Where it listens.
export const baseUrl = Effect.map(HttpServer.HttpServer, (server) => HttpServer.formatAddress(server.address))
