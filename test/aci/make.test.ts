/** Functions of ACI.dev, and what is said about them. */
import { assert, describe, it } from "@effect/vitest"
import { Config, ConfigProvider, Context, Effect, Redacted, Schedule } from "effect"
import { Tool } from "effect/ai"
import { FetchHttpClient, HttpClient, HttpClientResponse } from "effect/http"
import { ToolNameConflict, Toolset } from "effect-toolset"
import * as Aci from "effect-toolset/Aci"
import { recording } from "../rest/server.ts"
import { first, flaw, names } from "../toolset/asking.ts"
import { apiKey, key, query, serving, toolset } from "./service.ts"

const search = { description: "Searches the web.", parameters: query }
const overHttp = Effect.provide(FetchHttpClient.layer)

describe("a function of ACI.dev", () => {
  it.live("is a tool as it is described", () =>
    Effect.gen(function* () {
      const { seen, tools } = yield* toolset({ BRAVE_SEARCH__WEB_SEARCH: search })
      const definition = yield* first(tools)
      assert.deepStrictEqual(definition, {
        name: "BRAVE_SEARCH__WEB_SEARCH",
        description: "Searches the web.",
        parameters: query,
        kind: "function",
        sequential: false,
        metadata: { aci: { name: "BRAVE_SEARCH__WEB_SEARCH" } },
        annotations: Context.empty()
      })
      assert.throws(() => Object.assign(definition.parameters, { type: "array" }), TypeError)
      assert.deepStrictEqual(
        seen.map(({ headers, method, url }) => [method, url, headers["x-api-key"]]),
        [["GET", "/v1/functions/BRAVE_SEARCH__WEB_SEARCH/definition?format=openai", key]]
      )
    }).pipe(overHttp)
  )

  it.live("is asked about once, however often it is listed", () =>
    Effect.gen(function* () {
      const { seen, tools } = yield* toolset({ A: search, B: search })
      assert.deepStrictEqual(yield* names(tools), ["A", "B"])
      assert.strictEqual(yield* first(tools), yield* first(tools))
      assert.lengthOf(seen, 2)
    }).pipe(overHttp)
  )

  it.live("may take nothing, have no description, and be strict", () =>
    Effect.gen(function* () {
      const { tools } = yield* toolset({ PING: {}, NULL: { description: null, strict: true } })
      const [ping, none] = yield* Toolset.list(tools)
      assert.deepStrictEqual(ping!.parameters, {
        type: "object",
        properties: {},
        additionalProperties: false
      })
      assert.isUndefined(none!.description)
      assert.isTrue(Context.get(none!.annotations, Tool.Strict))
    }).pipe(overHttp)
  )

  it.live("has a name that providers accept, and its own at the service", () =>
    Effect.gen(function* () {
      const { seen, tools } = yield* toolset({ "files/../read me": search })
      assert.deepStrictEqual(yield* names(tools), ["files____read_me"])
      yield* Toolset.call(tools, "files____read_me", { query: "x" })
      assert.deepStrictEqual(
        seen.map(({ url }) => url),
        [
          "/v1/functions/files%2F..%2Fread%20me/definition?format=openai",
          "/v1/functions/files%2F..%2Fread%20me/execute"
        ]
      )
    }).pipe(overHttp)
  )

  it.live("named twice is a conflict", () =>
    Effect.gen(function* () {
      const { tools } = yield* toolset({ A: search }, { functions: ["A", "A"] })
      const error = yield* Effect.flip(Toolset.list(tools))
      assert.instanceOf(error, ToolNameConflict)
      assert.deepStrictEqual(error.sources, ["aci(A)", "aci(A)"])
    }).pipe(overHttp)
  )

  it.live("may be described in an older draft, or with no parameters at all", () =>
    Effect.gen(function* () {
      const old = { $ref: "#/definitions/Query", definitions: { Query: query } }
      const none: any = { parameters: null }
      const { tools } = yield* toolset({ OLD: { parameters: old }, NONE: none })
      const [first, second] = yield* Toolset.list(tools)
      assert.deepStrictEqual(first?.parameters, query)
      assert.deepStrictEqual(second?.parameters.properties, {})
    }).pipe(overHttp)
  )

  it.live("that takes no object cannot be a tool", () =>
    Effect.gen(function* () {
      const { problem, source } = yield* flaw(toolset({ A: { parameters: { type: "string" } } }))
      assert.deepStrictEqual(
        [source, problem],
        ["aci(A)", `The root of its parameters is {"type":"string"}.`]
      )
    }).pipe(overHttp)
  )
})

describe("a definition that cannot be read", () => {
  const problem = (effect: Effect.Effect<unknown, unknown, any>) =>
    Effect.map(Effect.flip(effect), (error) => {
      assert.instanceOf(error, Aci.AciError)
      assert.notInclude(JSON.stringify(error) + error.message, key)
      return error
    })

  it.live("names the function and says why", () =>
    Effect.gen(function* () {
      const error = yield* problem(toolset({ A: search }, { functions: ["A", "NONE"] }))
      assert.strictEqual(error.functionName, "NONE")
      assert.strictEqual(
        error.message,
        "The definition of the ACI.dev function 'NONE' cannot be read: " +
          'GET /functions/NONE/definition returned 404: {"error":"Function not found"}'
      )
    }).pipe(overHttp)
  )

  it.live("is one that is refused, not described, or not answered", () =>
    Effect.gen(function* () {
      const wrong = Config.succeed(Redacted.make("another-key"))
      assert.match(
        (yield* problem(toolset({ A: search }, { apiKey: wrong }))).message,
        /401.*Invalid API key/
      )
      const { baseUrl } = yield* recording(({ url }) =>
        url.includes("HTML") ? { body: "<html>" } : { body: '{"function":{}}' }
      )
      const of = (name: string) => problem(toolset({}, { functions: [name], baseUrl }))
      assert.match((yield* of("HTML")).message, /not what the API declares/)
      assert.match((yield* of("NAMELESS")).message, /Missing key/)
      const gone = yield* recording(() => "hang up")
      const error = yield* problem(toolset({}, { functions: ["A"], baseUrl: gone.baseUrl }))
      assert.match(error.message, /the connection failed/)
    }).pipe(overHttp)
  )

  it.live("is one that is nested without end", () =>
    Effect.gen(function* () {
      const depth = 20_000
      const nested = `${'{"type":"object","properties":{"a":'.repeat(depth)}{}${"}}".repeat(depth)}`
      const { baseUrl } = yield* recording(() => ({
        body: `{"function":{"name":"A","parameters":${nested}}}`
      }))
      assert.match((yield* problem(toolset({}, { functions: ["A"], baseUrl }))).message, /'A' cannot be read/)
    }).pipe(overHttp)
  )

  it.live("is asked for again where a schedule says so", () =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording((_, index) =>
        index === 0
          ? { status: 503 }
          : { body: JSON.stringify({ function: { name: "A", parameters: query } }) }
      )
      const again = { functions: ["A"], baseUrl, schedule: Schedule.recurs(1) }
      assert.deepStrictEqual(yield* names((yield* toolset({}, again)).tools), ["A"])
      assert.lengthOf(seen, 2)
    }).pipe(overHttp)
  )

  it.live("is not followed to another host", () =>
    Effect.gen(function* () {
      const other = yield* recording(() => ({ body: "{}" }))
      const { baseUrl } = yield* recording(() => ({ status: 302, headers: { location: other.baseUrl } }))
      const error = yield* problem(toolset({}, { functions: ["A"], baseUrl }))
      assert.match(error.message, /302/)
      assert.lengthOf(other.seen, 0)
    }).pipe(overHttp)
  )
})

describe("the configuration", () => {
  const options = { functions: ["A"], linkedAccountOwnerId: "ada" }
  const configured = (env: Record<string, string>) =>
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))

  it.live("has the key", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* serving({ A: search })
      const tools = yield* Aci.make({ ...options, baseUrl }).pipe(configured({ ACI_API_KEY: key }))
      assert.deepStrictEqual(yield* names(tools), ["A"])
      const error = yield* Effect.flip(Aci.make({ ...options, baseUrl }).pipe(configured({})))
      assert.instanceOf(error, Config.ConfigError)
      assert.include(error.message, "ACI_API_KEY")
    }).pipe(overHttp)
  )

  it.effect("has names of functions that lead nowhere else", () =>
    Effect.gen(function* () {
      const client = HttpClient.make(() => Effect.die("nothing is asked"))
      for (const name of ["", ".", ".."]) {
        const { problem } = yield* flaw(
          Aci.make({ ...options, apiKey, functions: [name] }).pipe(
            Effect.provideService(HttpClient.HttpClient, client)
          )
        )
        assert.strictEqual(problem, `'${name}' is no name of a function.`)
      }
    })
  )

  it.effect("has the service of ACI.dev, unless another base URL is given", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const client = HttpClient.make((request, url) => {
        asked.push(url.href)
        const body = { function: { name: "A", parameters: query } }
        return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(body)))
      })
      yield* Aci.make({ ...options, apiKey }).pipe(Effect.provideService(HttpClient.HttpClient, client))
      assert.deepStrictEqual(asked, ["https://api.aci.dev/v1/functions/A/definition?format=openai"])
      const { source } = yield* flaw(
        Aci.make({ ...options, apiKey, baseUrl: "aci" }).pipe(
          Effect.provideService(HttpClient.HttpClient, client)
        )
      )
      assert.strictEqual(source, "aci")
    })
  )
})
