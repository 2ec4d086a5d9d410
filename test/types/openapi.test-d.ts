import { Effect, Redacted, Schedule } from "effect"
import type { HttpClient, HttpClientError } from "effect/http"
import { type ToolDefinition, Toolset, type ToolsetDefinitionError } from "effect-toolset"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { describe, expectTypeOf, it } from "vitest"

type Client = HttpClient.HttpClient
type HttpError = HttpClientError.HttpClientError
type Refused = OpenApiToolset.OpenApiError | ToolsetDefinitionError

declare const document: unknown

describe("OpenApiToolset.make", () => {
  it("is an Effect of a toolset that fails with nothing of its own, and needs a client", () => {
    type Expected = Effect.Effect<Toolset.Toolset<never, Client>, Refused>
    expectTypeOf(OpenApiToolset.make(document)).toEqualTypeOf<Expected>()
    expectTypeOf(OpenApiToolset.make("openapi: 3.1.0", {})).toEqualTypeOf<Expected>()
    expectTypeOf(OpenApiToolset.make(document, { onError: "recover" })).toEqualTypeOf<Expected>()
    expectTypeOf(
      OpenApiToolset.make(document, { headers: undefined, id: undefined })
    ).toEqualTypeOf<Expected>()
  })

  it("leaves in `E` what its policy leaves there", () => {
    type Expected = Effect.Effect<Toolset.Toolset<HttpError, Client>, Refused>
    expectTypeOf(OpenApiToolset.make(document, { onError: "fail" })).toEqualTypeOf<Expected>()
    const chosen = OpenApiToolset.make(document, {
      onError: (failure) => {
        expectTypeOf(failure).toEqualTypeOf<OpenApiToolset.RequestFailure>()
        return failure.isTransient ? "fail" : "recover"
      }
    })
    expectTypeOf(chosen).toEqualTypeOf<Expected>()
    const options: OpenApiToolset.Options = {}
    expectTypeOf(OpenApiToolset.make(document, options)).toEqualTypeOf<Expected>()
    // @ts-expect-error no such mode
    OpenApiToolset.make(document, { onError: "ignore" })
  })

  it("takes all its options without annotations", () => {
    OpenApiToolset.make(document, {
      id: "api",
      baseUrl: new URL("https://example.com"),
      include: (operation) => {
        expectTypeOf(operation).toEqualTypeOf<OpenApiToolset.Operation>()
        return operation.deprecated
      },
      exclude: { users: { GET: ["/users/{id}"] } },
      serverVariables: { region: "eu" },
      security: { key: Redacted.make("k"), basic: { username: "u", password: Redacted.make("p") } },
      headers: { a: "b", c: Redacted.make("d") },
      cookies: { a: "b" },
      headerParams: ["x"],
      trustedHosts: ["uploads.example.com"],
      slashes: "refuse",
      maxRetries: 2,
      maxItems: 20,
      onTruncate: "raise",
      retryOn: [429],
      schedule: Schedule.recurs(3),
      timeout: "10 seconds",
      transformClient: (client) => client
    })
    // @ts-expect-error a credential is redacted
    OpenApiToolset.make(document, { security: { key: "k" } })
    // @ts-expect-error a predicate says yes or no
    OpenApiToolset.make(document, { include: () => "yes" })
    // @ts-expect-error there is no such option
    OpenApiToolset.make(document, { header: {} })
  })

  it("composes as every toolset does", () => {
    const tools = Effect.map(OpenApiToolset.make(document), (api) =>
      Toolset.combined(
        api.pipe(
          Toolset.prefixed("api"),
          Toolset.approvalRequired((tool) => tool.metadata.method !== "GET")
        )
      )
    )
    expectTypeOf(tools).toEqualTypeOf<Effect.Effect<Toolset.Toolset<never, Client>, Refused>>()
  })
})

describe("OpenApiToolset.report", () => {
  it("is what `make` would do", () => {
    const report = OpenApiToolset.report(document, { onError: "fail" })
    expectTypeOf(report).toEqualTypeOf<Effect.Effect<OpenApiToolset.Report, Refused>>()
    expectTypeOf<OpenApiToolset.Report["tools"]>().toEqualTypeOf<ReadonlyArray<ToolDefinition>>()
    expectTypeOf<OpenApiToolset.Report["skipped"][number]["reason"]>().toEqualTypeOf<string>()
    expectTypeOf<OpenApiToolset.Remark>().toExtend<OpenApiToolset.Operation>()
  })
})
