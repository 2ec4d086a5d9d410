/** Headers that the model is asked for, as they go on the wire. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { HttpApiEndpoint } from "effect/http-api"
import { Toolset } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { asked, brokenValues, neverAsked } from "../rest/neverAsked.ts"
import { json, recording } from "../rest/server.ts"
import { apiOf, only, reasonOf } from "./only.ts"

const meta = HttpApiToolset.ToolMeta

const endpointOf = (headers: Schema.Struct.Fields | Schema.Top) =>
  HttpApiEndpoint.get("x", "/x", {
    headers: headers as never,
    success: Schema.Struct({ ok: Schema.Boolean })
  }).annotate(meta, {
    name: "x"
  })

const fields = (names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, Schema.optionalKey(Schema.String)]))

/** What reached the server, or why nothing did. */
const calling = (
  headers: Schema.Struct.Fields | Schema.Top,
  args: unknown,
  options: HttpApiToolset.Options = {}
) =>
  Effect.gen(function* () {
    const { baseUrl, seen } = yield* recording(() => json({ ok: true }))
    const toolset = HttpApiToolset.make(apiOf(endpointOf(headers)), {
      baseUrl,
      headerParams: true,
      ...options
    })
    const said = yield* Effect.match(Toolset.call(toolset, "x", args), {
      onSuccess: () => "fine",
      onFailure: ({ _tag, message }) => `${_tag}: ${message}`
    })
    return { said, seen }
  }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))

describe("headers that a model fills in", () => {
  it("are those that are declared, but for credentials and what frames or routes a request", () => {
    const { parameters } = only(endpointOf(fields([...neverAsked, ...asked])), { headerParams: true })
    const { headers } = parameters.properties as Record<string, any>
    assert.deepStrictEqual(Object.keys(headers.properties), asked)
  })

  it("and no model may fill in, are configuration where they are needed", () => {
    for (const name of neverAsked) {
      const endpoint = endpointOf({ [name]: Schema.String })
      assert.strictEqual(
        reasonOf(endpoint, { headerParams: true }),
        "it needs headers that no model may fill in: give them with `headers`"
      )
      only(endpoint, { headerParams: true, headers: { [name]: "x" } })
    }
  })

  it.live("cannot break out of their line: arguments to mend, and no request", () =>
    Effect.gen(function* () {
      for (const value of brokenValues) {
        const { said, seen } = yield* calling({ "x-a": Schema.String }, { headers: { "x-a": value } })
        assert.strictEqual(said, "ModelRetry: Invalid arguments: x-a has characters that no header can have.")
        assert.strictEqual(seen.length, 0)
      }
      for (const value of ["", "a\tb", "\u00e9", "~"]) {
        const { said, seen } = yield* calling({ "x-a": Schema.String }, { headers: { "x-a": value } })
        assert.deepStrictEqual([said, seen[0]?.headers["x-a"]], ["fine", value])
      }
    })
  )

  it.live("in a schema that is open, or has other names on the wire, are none of those either", () =>
    Effect.gen(function* () {
      const open = Schema.Record(Schema.String, Schema.String)
      for (const name of ["authorization", "Host", "content-length", "cookie", "x-forwarded-for"]) {
        const { said, seen } = yield* calling(open, { headers: { [name]: "1" } })
        assert.strictEqual(
          said,
          `ModelRetry: Invalid arguments: ${name} is a header that only the application sets.`
        )
        assert.strictEqual(seen.length, 0)
      }
      const odd = yield* calling(open, { headers: { "a\r\nb": "1" } })
      assert.include(odd.said, "is no name of a header.")
      assert.strictEqual((yield* calling(open, { headers: { "x-b": "1" } })).seen[0]?.headers["x-b"], "1")
      const renamed = Schema.Struct({ key: Schema.String }).pipe(Schema.encodeKeys({ key: "authorization" }))
      const { said, seen } = yield* calling(renamed, { headers: { key: "Bearer x" } })
      assert.include(said, "authorization is a header that only the application sets.")
      assert.strictEqual(seen.length, 0)
    })
  )

  it.live("are checked beside those that are given, whatever these are", () =>
    Effect.gen(function* () {
      const headers = { authorization: Schema.String, "x-a": Schema.String }
      const options = { headers: { Authorization: "Bearer mine" } }
      const { said, seen } = yield* calling(headers, { headers: { "x-a": "1" } }, options)
      assert.deepStrictEqual(
        [said, seen[0]?.headers.authorization, seen[0]?.headers["x-a"]],
        ["fine", "Bearer mine", "1"]
      )
    })
  )

  it.live("with flat arguments too", () =>
    Effect.gen(function* () {
      const { said, seen } = yield* calling({ "x-a": Schema.String }, { "x-a": "a\r\nb" }, { flat: true })
      assert.include(said, "x-a has characters that no header can have.")
      assert.strictEqual(seen.length, 0)
    })
  )
})
