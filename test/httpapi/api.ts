/** An API with one endpoint of each kind, and a real server of it on loopback. */
import { NodeHttpServer } from "@effect/platform-node"
import { DateTime, Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiSchema,
  OpenApi
} from "effect/http-api"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { createServer, type IncomingHttpHeaders } from "node:http"

export class User extends Schema.Class<User>("User")({
  id: Schema.Int,
  name: Schema.String,
  since: Schema.DateTimeUtcFromString
}) {}

export class NotFound extends Schema.TaggedError<NotFound>()(
  "NotFound",
  { id: Schema.Int, at: Schema.DateTimeUtcFromString },
  { httpApiStatus: 404 }
) {}

export class Busy extends Schema.TaggedError<Busy>()("Busy", { queue: Schema.Int }, { httpApiStatus: 503 }) {}

export const Order = Schema.Struct({
  item: Schema.String.annotate({ description: "What to order." }),
  count: Schema.optionalKey(Schema.Int),
  due: Schema.optionalKey(Schema.DateTimeUtcFromString),
  /** Text on the wire, a number to the model. */
  price: Schema.FiniteFromString
})

const meta = HttpApiToolset.ToolMeta

export const users = HttpApiGroup.make("users").add(
  HttpApiEndpoint.get("byId", "/users/:id", {
    params: { id: Schema.Int },
    success: User,
    error: [NotFound, Busy]
  }).annotate(meta, {}),
  HttpApiEndpoint.get("list", "/users", {
    query: { search: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Schema.Int) },
    success: Schema.Array(User)
  })
    .annotate(meta, { name: "list_users", description: "Lists users.", maxItems: 2 })
    .annotate(OpenApi.Description, "Not used: ToolMeta says more."),
  HttpApiEndpoint.delete("remove", "/users/:id", { params: { id: Schema.Int } }).annotate(meta, {}),
  HttpApiEndpoint.put("rename", "/users/:id/name", {
    params: { id: Schema.Int },
    payload: Schema.String.pipe(HttpApiSchema.asText()),
    success: Schema.String.pipe(HttpApiSchema.asText())
  }).annotate(meta, {}),
  // No ToolMeta: never a tool.
  HttpApiEndpoint.get("secret", "/users/:id/secret", { params: { id: Schema.Int }, success: Schema.String })
)

export const files = HttpApiGroup.make("files").add(
  HttpApiEndpoint.get("read", "/files/:name", { params: { name: Schema.String }, success: Schema.String })
    .annotate(meta, {})
    .annotate(OpenApi.Description, "Reads a file."),
  HttpApiEndpoint.get("version", "/files/:name/versions/:version", {
    params: { name: Schema.String, version: Schema.String },
    query: { raw: Schema.optionalKey(Schema.Boolean) },
    success: Schema.Struct({ name: Schema.String, version: Schema.String, raw: Schema.Boolean })
  })
    .annotate(meta, {})
    .annotate(OpenApi.Summary, "Reads a version.")
)

export const orders = HttpApiGroup.make("orders")
  .add(
    HttpApiEndpoint.post("create", "/orders", { payload: Order, success: Order }),
    HttpApiEndpoint.post("form", "/orders/form", {
      payload: Schema.Struct({ item: Schema.String, count: Schema.Int }).pipe(
        HttpApiSchema.asFormUrlEncoded()
      ),
      success: Schema.Struct({ item: Schema.String, count: Schema.Int })
    }),
    HttpApiEndpoint.post("ping", "/orders/ping"),
    HttpApiEndpoint.post("optional", "/orders/optional", {
      payload: Schema.Struct({ note: Schema.optionalKey(Schema.String) }),
      success: Schema.Struct({ note: Schema.NullOr(Schema.String) })
    })
  )
  .annotate(meta, { metadata: { team: "sales" } })

export const api = HttpApi.make("example").add(users, files, orders)

const at = DateTime.makeUnsafe("2024-01-01T00:00:00Z")
const user = (id: number) => new User({ id, name: `user ${id}`, since: at })

const handlers = Layer.mergeAll(
  HttpApiBuilder.group(api, "users", (handlers) =>
    handlers
      .handle("byId", ({ params: { id } }) =>
        id === 404
          ? Effect.fail(new NotFound({ id, at }))
          : id === 503
            ? Effect.fail(new Busy({ queue: 3 }))
            : Effect.succeed(user(id))
      )
      .handle("list", ({ query: { limit = 3 } }) =>
        Effect.succeed(Array.from({ length: limit }, (_, i) => user(i)))
      )
      .handle("remove", () => Effect.void)
      .handle("rename", ({ payload }) => Effect.succeed(`renamed to ${payload}`))
      .handle("secret", () => Effect.succeed("secret"))
  ),
  HttpApiBuilder.group(api, "files", (handlers) =>
    handlers
      .handle("read", ({ params }) => Effect.succeed(params.name))
      .handle("version", ({ params, query: { raw = false } }) => Effect.succeed({ ...params, raw }))
  ),
  HttpApiBuilder.group(api, "orders", (handlers) =>
    handlers
      .handle("create", ({ payload }) => Effect.succeed(payload))
      .handle("form", ({ payload }) => Effect.succeed(payload))
      .handle("ping", () => Effect.void)
      .handle("optional", ({ payload }) => Effect.succeed({ note: payload.note ?? null }))
  )
)

/** What came over the wire, byte for byte. */
export interface Line {
  readonly line: string
  readonly headers: IncomingHttpHeaders
}

/** The server, with a client for whoever calls it; what arrives is put into `seen`. */
export const serving = (seen: Array<Line> = []) =>
  Layer.mergeAll(
    HttpRouter.serve(
      Layer.mergeAll(
        HttpApiBuilder.layer(api).pipe(Layer.provide(handlers)),
        // Where a value that escapes would arrive.
        HttpRouter.add("*", "/*", HttpServerResponse.text("elsewhere", { status: 418 }))
      ),
      { disableLogger: true, disableListenLog: true }
    ),
    FetchHttpClient.layer
  ).pipe(
    Layer.provideMerge(
      NodeHttpServer.layer(
        () => {
          const server = createServer()
          server.on("request", ({ headers, method, url }) => seen.push({ line: `${method} ${url}`, headers }))
          return server
        },
        { port: 0, host: "127.0.0.1" }
      )
    )
  )

export const baseUrl = Effect.map(HttpServer.HttpServer, (server) => HttpServer.formatAddress(server.address))
