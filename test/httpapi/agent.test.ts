/** A run over a real server: what the model reads, and when it ends. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { HttpApiEndpoint } from "effect/http-api"
import { Agent, Toolset, ToolRetriesExceeded } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { ScriptedModel } from "effect-toolset/testing"
import { json, recording } from "../rest/server.ts"
import { api, baseUrl } from "./api.ts"
import { served } from "./calling.ts"
import { apiOf } from "./only.ts"

const meta = HttpApiToolset.ToolMeta

/** What the model read after its calls, in order. */
const reading = (toolset: Toolset.Any, calls: ReadonlyArray<readonly [string, unknown]>, maxRetries = 5) =>
  Effect.gen(function* () {
    const { messages } = yield* Agent.run(
      Agent.make({ toolsets: [toolset as Toolset.Toolset], retries: maxRetries }),
      {
        prompt: "go"
      }
    )
    return messages.content.flatMap((message) =>
      message.role === "tool"
        ? message.content.map((part) => (part.type === "tool-result" ? part.result : part))
        : []
    )
  }).pipe(
    Effect.provide(
      ScriptedModel.layer([
        ...calls.map(([name, args]) => ScriptedModel.calls([{ name, args }])),
        ScriptedModel.text("done")
      ])
    )
  )

const fix = "\n\nFix the errors and try again."

describe("a run", () => {
  served("tells the model what to mend, and what it cannot", () =>
    Effect.gen(function* () {
      const toolset = HttpApiToolset.make(api, { baseUrl: yield* baseUrl })
      const read = yield* reading(toolset, [
        ["get_users_id", { path_params: { id: "seven" } }],
        ["get_users_id", { path_params: { id: 503 } }],
        ["get_users_id", { path_params: { id: 404 } }],
        ["get_files_name", { path_params: { name: "../users" } }],
        ["get_users_id", { path_params: { id: 7 } }]
      ])
      const at = "2024-01-01T00:00:00.000Z"
      assert.deepStrictEqual(read, [
        `Invalid arguments: Expected number\n  at ["path_params"]["id"]${fix}`,
        `GET /users/:id returned 503: {"_tag":"Busy","queue":3}${fix}`,
        {
          message: `GET /users/:id returned 404: {"_tag":"NotFound","id":404,"at":"${at}"}`,
          details: { _tag: "NotFound", id: 404, at }
        },
        `Invalid arguments: name must not contain a slash: "../users".${fix}`,
        { id: 7, name: "user 7", since: at }
      ])
    })
  )

  served("ends at the first retry, where the tools have none", () =>
    Effect.gen(function* () {
      const toolset = HttpApiToolset.make(api, { baseUrl: yield* baseUrl, maxRetries: 0 })
      const error = yield* Effect.flip(reading(toolset, [["get_users_id", { path_params: { id: 503 } }]]))
      assert.instanceOf(error, ToolRetriesExceeded)
    })
  )
})

describe("a request", () => {
  const sent = (endpoint: any, args: unknown) =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording(() => ({ status: 204 }))
      const toolset = HttpApiToolset.make(apiOf(endpoint.annotate(meta, { name: "x" })), { baseUrl })
      yield* Toolset.call(toolset, "x", args)
      return seen.map(({ body, method, url }) => `${method} ${url} ${body}`.trim())
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))

  it.live("of a GET has its payload in the query, of a DELETE in the body: none is dropped", () =>
    Effect.gen(function* () {
      const payload = { q: Schema.String }
      assert.deepStrictEqual(
        yield* sent(HttpApiEndpoint.get("x", "/x", { payload }), { request_body: { q: "a b" } }),
        ["GET /x?q=a+b"]
      )
      const struct = Schema.Struct(payload)
      assert.deepStrictEqual(
        yield* sent(HttpApiEndpoint.delete("x", "/x", { payload: struct }), { request_body: { q: "a b" } }),
        ['DELETE /x {"q":"a b"}']
      )
    })
  )

  it.live("of a class is an instance of it, where the model leaves its fields out too", () =>
    Effect.gen(function* () {
      class Note extends Schema.Class<Note>("Note")({ text: Schema.optionalKey(Schema.String) }) {}
      const endpoint = HttpApiEndpoint.post("x", "/x", { payload: Note })
      assert.deepStrictEqual(yield* sent(endpoint, {}), ["POST /x {}"])
      assert.deepStrictEqual(yield* sent(endpoint, { request_body: { text: "a" } }), ['POST /x {"text":"a"}'])
    })
  )

  it.live("has numbers, dates and lists as the API's codecs write them", () =>
    Effect.gen(function* () {
      const endpoint = HttpApiEndpoint.get("x", "/x/:price/:at", {
        params: { price: Schema.Finite, at: Schema.DateTimeUtcFromString },
        query: { tags: Schema.Array(Schema.String), on: Schema.Boolean }
      })
      const args = {
        path_params: { price: 145.56, at: "2024-01-01T00:00:00Z" },
        query: { tags: ["a", "b&c"], on: true }
      }
      assert.deepStrictEqual(yield* sent(endpoint, args), [
        "GET /x/145.56/2024-01-01T00%3A00%3A00.000Z?tags=a&tags=b%26c&on=true"
      ])
    })
  )

  it.live("leaves out an optional parameter of a path, with its slash", () =>
    Effect.gen(function* () {
      const endpoint = HttpApiEndpoint.get("x", "/x/:id?", {
        params: { id: Schema.optionalKey(Schema.String) }
      })
      assert.deepStrictEqual(yield* sent(endpoint, {}), ["GET /x"])
      assert.deepStrictEqual(yield* sent(endpoint, { path_params: { id: "a" } }), ["GET /x/a"])
    })
  )

  it.live("goes to the endpoint of its tool, where another one's path would match too", () =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording((seen) => json(seen.url))
      const toolset = HttpApiToolset.make(api, { baseUrl })
      yield* Effect.exit(Toolset.call(toolset, "get_files_name", { path_params: { name: "versions" } }))
      assert.deepStrictEqual(
        seen.map(({ url }) => url),
        ["/files/versions"]
      )
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )
})
