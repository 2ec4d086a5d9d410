import { Context, Effect, Schema, SchemaTransformation } from "effect"
import type { HttpClient, HttpClientError } from "effect/http"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { type ToolDefinition, Toolset, type ToolsetDefinitionError } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { describe, expectTypeOf, it } from "vitest"

class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { id: Schema.Int }) {}
class NoToken extends Schema.TaggedError<NoToken>()("NoToken", {}) {}
class Tokens extends Context.Service<Tokens, string>()("types/Tokens") {}

class Plain extends HttpApiMiddleware.Service<Plain>()("types/Plain", { error: NotFound }) {}
class Signed extends HttpApiMiddleware.Service<Signed, { clientError: NoToken }>()("types/Signed", {
  requiredForClient: true
}) {}

const get = HttpApiEndpoint.get("byId", "/users/:id", {
  params: { id: Schema.Int },
  success: Schema.String,
  error: NotFound
})
const api = HttpApi.make("plain").add(HttpApiGroup.make("users").add(get))

type Client = HttpClient.HttpClient
type HttpError = HttpClientError.HttpClientError

describe("HttpApiToolset.make", () => {
  it("fails with nothing of its own, and needs a client", () => {
    expectTypeOf(HttpApiToolset.make(api)).toEqualTypeOf<Toolset.Toolset<never, Client>>()
    expectTypeOf(HttpApiToolset.make(api, {})).toEqualTypeOf<Toolset.Toolset<never, Client>>()
    expectTypeOf(HttpApiToolset.make(api, { baseUrl: "http://a.test", retryOn: [429] })).toEqualTypeOf<
      Toolset.Toolset<never, Client>
    >()
  })

  it("leaves in `E` what its policy leaves there", () => {
    expectTypeOf(HttpApiToolset.make(api, { onError: "retry" })).toEqualTypeOf<
      Toolset.Toolset<never, Client>
    >()
    expectTypeOf(HttpApiToolset.make(api, { onError: "recover" })).toEqualTypeOf<
      Toolset.Toolset<never, Client>
    >()
    expectTypeOf(HttpApiToolset.make(api, { onError: "fail" })).toEqualTypeOf<
      Toolset.Toolset<HttpError, Client>
    >()
    const never = HttpApiToolset.make(api, {
      onError: ({ status }) => (status === 404 ? "retry" : "recover")
    })
    expectTypeOf(never).toEqualTypeOf<Toolset.Toolset<never, Client>>()
    const some = HttpApiToolset.make(api, {
      onError: (failure) => {
        expectTypeOf(failure).toEqualTypeOf<HttpApiToolset.RequestFailure>()
        return failure.isTransient ? "fail" : "recover"
      }
    })
    expectTypeOf(some).toEqualTypeOf<Toolset.Toolset<HttpError, Client>>()
  })

  it("leaves in `E` what a policy that is not known may leave there", () => {
    const options: HttpApiToolset.Options = { baseUrl: "http://a.test" }
    expectTypeOf(HttpApiToolset.make(api, options)).toEqualTypeOf<Toolset.Toolset<HttpError, Client>>()
    // @ts-expect-error no such mode
    HttpApiToolset.make(api, { onError: "ignore" })
    // @ts-expect-error no such mode
    HttpApiToolset.make(api, { onError: () => "ignore" })
  })

  it("needs the client side of the API's middleware, and fails with what that fails with", () => {
    const plain = HttpApi.make("plain").add(HttpApiGroup.make("users").add(get.middleware(Plain)))
    expectTypeOf(HttpApiToolset.make(plain)).toEqualTypeOf<Toolset.Toolset<never, Client>>()
    const signed = HttpApi.make("signed").add(HttpApiGroup.make("users").add(get.middleware(Signed)))
    expectTypeOf(HttpApiToolset.make(signed)).toEqualTypeOf<
      Toolset.Toolset<NoToken, Client | HttpApiMiddleware.ForClient<Signed>>
    >()
  })

  it("needs what the API's schemas need to encode and decode", () => {
    const Needy = Schema.String.pipe(
      Schema.decodeTo(
        Schema.String,
        SchemaTransformation.transformEffect({
          decode: (text: string) => Effect.as(Tokens, text),
          encode: (text: string) => Effect.succeed(text)
        })
      )
    )
    const needy = HttpApi.make("needy").add(
      HttpApiGroup.make("users").add(HttpApiEndpoint.get("x", "/x", { success: Needy }))
    )
    expectTypeOf(HttpApiToolset.make(needy)).toEqualTypeOf<Toolset.Toolset<never, Client | Tokens>>()
  })

  it("is a toolset like any other", () => {
    const all = Toolset.combined(
      HttpApiToolset.make(api, { onError: "fail" }).pipe(Toolset.prefixed("users")),
      Toolset.tool("x", { handler: () => new NotFound({ id: 1 }) })
    )
    expectTypeOf(all).toEqualTypeOf<Toolset.Toolset<HttpError | NotFound, Client>>()
  })
})

describe("the options", () => {
  it("select by the endpoint", () => {
    HttpApiToolset.make(api, {
      include: (endpoint) => {
        expectTypeOf(endpoint).toEqualTypeOf<HttpApiToolset.Endpoint>()
        return endpoint.method === "GET"
      },
      exclude: { users: { GET: ["/users/:id"] } }
    })
    HttpApiToolset.make(api, { include: ["users"], exclude: { users: ["DELETE"] } })
    // @ts-expect-error no boolean
    HttpApiToolset.make(api, { include: () => "yes" })
    // @ts-expect-error no number
    HttpApiToolset.make(api, { include: { users: 1 } })
  })

  it("take undefined for what is not there", () => {
    const maybe: { readonly baseUrl?: string | undefined; readonly maxItems?: number | undefined } = {}
    expectTypeOf(HttpApiToolset.make(api, { ...maybe, timeout: undefined })).toEqualTypeOf<
      Toolset.Toolset<never, Client>
    >()
  })
})

describe("ToolMeta", () => {
  it("goes on endpoints, groups and APIs, and nothing of it is required", () => {
    get.annotate(HttpApiToolset.ToolMeta, {})
    HttpApiGroup.make("users").annotate(HttpApiToolset.ToolMeta, { maxItems: 20, onTruncate: "raise" })
    HttpApi.make("x").annotate(HttpApiToolset.ToolMeta, { metadata: { team: "a" } })
    // @ts-expect-error no such way
    get.annotate(HttpApiToolset.ToolMeta, { onTruncate: "cut" })
    // @ts-expect-error no such field
    get.annotate(HttpApiToolset.ToolMeta, { title: "x" })
  })
})

describe("HttpApiToolset.report", () => {
  it("needs nothing", () => {
    expectTypeOf(HttpApiToolset.report(api, { onError: "fail" })).toEqualTypeOf<
      Effect.Effect<HttpApiToolset.Report, ToolsetDefinitionError>
    >()
    expectTypeOf<HttpApiToolset.Report["tools"]>().toEqualTypeOf<ReadonlyArray<ToolDefinition>>()
  })
})
