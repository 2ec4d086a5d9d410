/** What is no tool, and why; and options that cannot be. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Redacted, Schema, SchemaTransformation } from "effect"
import { FetchHttpClient } from "effect/http"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Toolset, ToolsetDefinitionError } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { api } from "./api.ts"
import { apiOf, only, reasonOf } from "./only.ts"

const meta = HttpApiToolset.ToolMeta

const namesOf = (options: HttpApiToolset.Options) =>
  Effect.runSync(HttpApiToolset.report(api, options)).tools.map(({ name }) => name)

const flawOf = (options: HttpApiToolset.Options, of: typeof api | ReturnType<typeof apiOf> = api): string => {
  const error = Effect.runSync(Effect.flip(HttpApiToolset.report(of as typeof api, options)))
  assert.instanceOf(error, ToolsetDefinitionError)
  const opened = Toolset.list(HttpApiToolset.make(of as typeof api, options)).pipe(
    Effect.flip,
    Effect.provide(FetchHttpClient.layer)
  )
  assert.deepStrictEqual(Effect.runSync(opened), error)
  return error.message
}

const Multipart = Schema.Struct({ file: Schema.String }).pipe(HttpApiSchema.asMultipart())
const Bytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array())

/** JSON on the wire, but not what is made of it. */
const key = Symbol.for("x")
const Odd = Schema.Struct({ a: Schema.String }).pipe(
  Schema.decodeTo(
    Schema.Struct({ [key]: Schema.String }),
    SchemaTransformation.transform({
      decode: ({ a }: { readonly a: string }) => ({ [key]: a }),
      encode: (decoded: { readonly [key]: string }) => ({ a: decoded[key] })
    })
  )
)

describe("an endpoint that cannot be a tool", () => {
  const post = (payload: any) => HttpApiEndpoint.post("x", "/x", { payload }).annotate(meta, {})
  const get = (success: any) => HttpApiEndpoint.get("x", "/x", { success }).annotate(meta, {})

  it("says why: its request", () => {
    assert.strictEqual(reasonOf(post(Multipart)), "its request body is multipart/form-data")
    assert.strictEqual(reasonOf(post(Bytes)), "its request body is application/octet-stream")
    assert.match(
      reasonOf(post(HttpApiSchema.StreamUint8Array())) ?? "",
      /request body is application\/octet-stream/
    )
    assert.match(reasonOf(post(Odd)) ?? "", /^its request_body cannot be printed as JSON Schema/)
    const needy = HttpApiEndpoint.get("x", "/x", { headers: { "x-tenant": Schema.String } }).annotate(
      meta,
      {}
    )
    assert.match(reasonOf(needy) ?? "", /`headers`.*`headerParams`/)
    assert.match(reasonOf(HttpApiEndpoint.get("x", "/files/*").annotate(meta, {})) ?? "", /wildcard/)
  })

  it("says why: its answer", () => {
    assert.strictEqual(reasonOf(get(Bytes)), "it answers with binary data")
    assert.strictEqual(
      reasonOf(get(HttpApiSchema.StreamUint8Array())),
      "it answers with a stream or an upgrade"
    )
    const events = HttpApiSchema.StreamSse({ data: Schema.String } as never)
    assert.strictEqual(reasonOf(get([Schema.String, events])), "it answers with a stream or an upgrade")
    assert.match(reasonOf(get(Odd)) ?? "", /^its result cannot be printed/)
  })

  it("says why: it was not meant to be one", () => {
    assert.strictEqual(reasonOf(HttpApiEndpoint.get("x", "/x")), "it carries no ToolMeta")
    assert.strictEqual(
      reasonOf(HttpApiEndpoint.get("x", "/x").annotate(meta, {}), { exclude: ["users"] }),
      "the options leave it out"
    )
  })

  it("costs no other endpoint its tool", () => {
    const { skipped, tools } = Effect.runSync(
      HttpApiToolset.report(
        HttpApi.make("x").add(
          HttpApiGroup.make("g").add(post(Multipart), HttpApiEndpoint.get("y", "/y").annotate(meta, {}))
        )
      )
    )
    assert.deepStrictEqual(
      tools.map(({ name }) => name),
      ["get_g_y"]
    )
    assert.deepStrictEqual(skipped, [
      {
        group: "g",
        endpoint: "x",
        method: "POST",
        path: "/x",
        reason: "its request body is multipart/form-data"
      }
    ])
  })

  it("is a tool where it takes or gives JSON too", () => {
    const either = only(post([Schema.Struct({ a: Schema.String }), Multipart]))
    assert.deepStrictEqual(Object.keys(either.parameters.properties as object), ["request_body"])
    assert.strictEqual(only(get(Schema.String.pipe(HttpApiSchema.asText()))).returns?.type, "string")
  })

  it.effect("is warned of when the toolset opens, where it says itself that it is a tool", () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const logger = Logger.make(({ message }) => void lines.push(message))
      const open = (of: ReturnType<typeof apiOf>) => {
        const toolset = HttpApiToolset.make(of)
        // Warned of once, however often it is opened.
        return Effect.andThen(Toolset.list(toolset), Toolset.list(toolset)).pipe(
          Effect.provide([FetchHttpClient.layer, Logger.layer([logger])])
        )
      }
      yield* open(
        apiOf(
          HttpApiEndpoint.post("x", "/x", { payload: Multipart }),
          HttpApiGroup.make("users").annotate(meta, {})
        )
      )
      assert.deepStrictEqual(lines, [])
      yield* open(apiOf(post(Multipart)))
      assert.deepStrictEqual(lines.flat(), [
        "http-api-one: POST /x (users.x) is no tool: its request body is multipart/form-data."
      ])
    })
  )
})

describe("include and exclude", () => {
  it("choose among what carries ToolMeta", () => {
    assert.deepStrictEqual(namesOf({ include: ["files"] }), [
      "get_files_name",
      "get_files_name_versions_version"
    ])
    assert.deepStrictEqual(namesOf({ include: { users: ["GET"] } }), ["get_users_id", "list_users"])
    assert.deepStrictEqual(namesOf({ include: { users: { GET: ["/users"] } } }), ["list_users"])
    assert.deepStrictEqual(namesOf({ include: ["users"], exclude: { users: ["DELETE", "put"] } }), [
      "get_users_id",
      "list_users"
    ])
    assert.deepStrictEqual(namesOf({ include: ({ endpoint }) => endpoint === "ping" }), ["post_orders_ping"])
    assert.deepStrictEqual(namesOf({ include: [] }), [])
    assert.deepStrictEqual(namesOf({ include: { users: { GET: ["/users/:id/secret"] } } }), [])
    assert.strictEqual(namesOf({ exclude: { users: { GET: ["/users/:id/secret"] } } }).length, 10)
  })

  it("list what there is, where they name what there is not", () => {
    assert.strictEqual(
      flawOf({ include: ["user"] }),
      "http-api-example: Its `include` names the group 'user', which the API does not have. There are: 'users', 'files', 'orders'."
    )
    assert.match(flawOf({ exclude: { files: ["DELETE"] } }), /There are: 'GET'\.$/)
    assert.match(flawOf({ include: { files: { GET: ["/files/{name}"] } } }), /There are: '\/files\/:name', /)
  })
})

describe("names that collide", () => {
  const twice = (a: object, b: object) =>
    HttpApi.make("one").add(
      HttpApiGroup.make("users").add(
        HttpApiEndpoint.get("a", "/users").annotate(meta, a),
        HttpApiEndpoint.get("b", "/users/").annotate(meta, b)
      )
    ) as never

  it("name both endpoints and the way out, generated or given", () => {
    const message =
      "http-api-one: GET /users (users.a) and GET /users/ (users.b) are all called 'get_users'. " +
      "Give them different names with `ToolMeta`, or leave all but one out with `exclude`."
    assert.strictEqual(flawOf({}, twice({}, {})), message)
    assert.strictEqual(flawOf({}, twice({ name: "get_users" }, {})), message)
    assert.strictEqual(flawOf({}, twice({ name: "x" }, { name: "x" })), message.replace("'get_users'", "'x'"))
  })

  it("are none, where one of them is left out", () => {
    const left = { exclude: { users: { GET: ["/users/"] } } }
    assert.strictEqual(Effect.runSync(HttpApiToolset.report(twice({}, {}), left)).tools.length, 1)
  })
})

describe("options that cannot be", () => {
  it("are definition errors that say what to do", () => {
    assert.match(flawOf({ maxRetries: -1 }), /retries/)
    assert.match(flawOf({ maxItems: 1.5 }), /maxItems/)
    const endpoint = HttpApiEndpoint.get("x", "/x").annotate(meta, { maxItems: -3 })
    assert.match(flawOf({}, apiOf(endpoint)), /GET \/x \(users\.x\): Its `maxItems` is -3/)
    const opened = (options: HttpApiToolset.Options) =>
      Toolset.list(HttpApiToolset.make(api, options)).pipe(Effect.flip, Effect.provide(FetchHttpClient.layer))
    assert.match(Effect.runSync(opened({ timeout: 0 })).message, /^http-api-example: The timeout/)
    assert.match(Effect.runSync(opened({ baseUrl: "nowhere" })).message, /^http-api-example: Its `baseUrl`/)
  })

  it("are known by the id of the toolset", () => {
    assert.match(flawOf({ id: "mine", include: ["x"] }), /^mine: /)
    assert.strictEqual(HttpApiToolset.make(api).id, "http-api-example")
    assert.strictEqual(HttpApiToolset.make(api, { id: "mine" }).label, "mine")
  })

  it("do not repeat what is secret", () => {
    const message = flawOf({ include: ["x"], headers: { authorization: Redacted.make("hunter22") } })
    assert.notMatch(message, /hunter22/)
  })
})
