/** Beside other combinators: what wrappers and predicates see, and what they may change. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { HttpApiEndpoint } from "effect/http-api"
import { Toolset } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { json, recording } from "../rest/server.ts"
import { User } from "./api.ts"
import { apiOf } from "./only.ts"

const put = apiOf(
  HttpApiEndpoint.put("x", "/users/:user", {
    params: { user: Schema.String },
    query: { notify: Schema.optionalKey(Schema.Boolean) },
    payload: User,
    success: User
  }).annotate(HttpApiToolset.ToolMeta, { name: "put" })
)

const since = "2024-01-01T00:00:00.000Z"
const body = { id: 7, name: "Ada", since }
const call = {
  nested: { path_params: { user: "ada" }, request_body: body },
  flat: { user: "ada", ...body }
}

/** Calls through a wrapper that may change the arguments. */
const through = (form: "nested" | "flat", change: (args: Toolset.Args) => Toolset.Args) =>
  Effect.gen(function* () {
    const { baseUrl, seen } = yield* recording((seen) => json(JSON.parse(seen.body)))
    const args: Array<Toolset.Args> = []
    const toolset = HttpApiToolset.make(put, { baseUrl, flat: form === "flat" }).pipe(
      Toolset.wrapper((call, next) => {
        args.push(call.args)
        return next({ ...call, args: change(call.args) })
      })
    )
    const result = yield* Effect.match(Toolset.call(toolset, "put", call[form]), {
      onSuccess: (value) => value,
      onFailure: String
    })
    return { args, result, lines: seen.map(({ body, method, url }) => `${method} ${url} ${body}`) }
  }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))

describe("a wrapper", () => {
  it.live("sees decoded arguments, in the form that the model is told of", () =>
    Effect.gen(function* () {
      const decoded = new User({ id: 7, name: "Ada", since: DateTime.makeUnsafe(since) })
      const nested = yield* through("nested", (args) => args)
      assert.deepStrictEqual(nested.args, [
        { path_params: { user: "ada" }, query: {}, request_body: decoded }
      ])
      const flat = yield* through("flat", (args) => args)
      assert.deepStrictEqual(flat.args, [{ user: "ada", ...decoded }])
      for (const { lines, result } of [nested, flat]) {
        assert.deepStrictEqual(lines, [`PUT /users/ada ${JSON.stringify(body)}`])
        assert.deepStrictEqual(result, body)
      }
    })
  )

  it.live("may change them", () =>
    Effect.gen(function* () {
      const nested = yield* through("nested", (args) => ({ ...args, query: { notify: true } }))
      const flat = yield* through("flat", (args) => ({ ...args, notify: true, name: "Eve" }))
      assert.deepStrictEqual(nested.lines, [`PUT /users/ada?notify=true ${JSON.stringify(body)}`])
      assert.deepStrictEqual(flat.lines, [
        `PUT /users/ada?notify=true ${JSON.stringify({ ...body, name: "Eve" })}`
      ])
    })
  )

  it.live("cannot change them to what would reach another path, or is nothing that goes on the wire", () =>
    Effect.gen(function* () {
      for (const user of ["..", "", "a/b", "\ud800"]) {
        const nested = yield* through("nested", (args) => ({ ...args, path_params: { user } }))
        const flat = yield* through("flat", (args) => ({ ...args, user }))
        for (const { lines, result } of [nested, flat]) {
          assert.match(String(result), /^ModelRetry: Invalid arguments: user /)
          assert.deepStrictEqual(lines, [])
        }
      }
      const odd = yield* through("nested", (args) => ({ ...args, request_body: { id: "x" } }))
      assert.match(String(odd.result), /^ModelRetry: Invalid arguments: /)
      const missing = yield* through("flat", () => ({ user: "ada" }))
      assert.match(String(missing.result), /^ModelRetry: Invalid arguments: /)
    })
  )
})

describe("a gate", () => {
  it.live("asks by where a tool comes from", () =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording(() => json(body))
      const toolset = HttpApiToolset.make(put, { baseUrl, flat: true }).pipe(
        Toolset.approvalRequired((tool, args) => tool.metadata.method !== "GET" && args["user"] !== "me")
      )
      assert.strictEqual(
        (yield* Effect.flip(Toolset.call(toolset, "put", call.flat)))._tag,
        "ApprovalRequired"
      )
      assert.deepStrictEqual(seen, [])
      assert.deepStrictEqual(yield* Toolset.call(toolset, "put", { ...call.flat, user: "me" }), body)
      // What could never run is not asked about.
      const refused = yield* Effect.flip(Toolset.call(toolset, "put", { ...call.flat, user: ".." }))
      assert.strictEqual(refused._tag, "ModelRetry")
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )
})
