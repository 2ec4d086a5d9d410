/** Calls against a real server of the API: what goes over the wire, and what comes back. */
import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Toolset } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { ToolsetLaws } from "effect-toolset/testing"
import { api, baseUrl } from "./api.ts"
import { calling, served } from "./calling.ts"

const since = "2024-01-01T00:00:00.000Z"

describe("a call", () => {
  served("reaches the endpoint that its tool was made from, with what the model sent", (seen) =>
    Effect.gen(function* () {
      const call = yield* calling()
      assert.deepStrictEqual(yield* call("get_users_id", { path_params: { id: 7 } }), {
        id: 7,
        name: "user 7",
        since
      })
      assert.deepStrictEqual(yield* call("list_users", { query: { search: "a b&c", limit: 1 } }), [
        { id: 0, name: "user 0", since }
      ])
      assert.deepStrictEqual(yield* call("list_users", { query: { limit: 2 } }), [
        { id: 0, name: "user 0", since },
        { id: 1, name: "user 1", since }
      ])
      assert.strictEqual(yield* call("delete_users_id", { path_params: { id: 7 } }), null)
      assert.strictEqual(
        yield* call("put_users_id_name", { path_params: { id: 7 }, request_body: "Ada" }),
        "renamed to Ada"
      )
      const version = { path_params: { name: "a", version: "1.0" }, query: { raw: true } }
      assert.deepStrictEqual(yield* call("get_files_name_versions_version", version), {
        name: "a",
        version: "1.0",
        raw: true
      })
      const order = { item: "tea", count: 2, due: since, price: 1.5 }
      assert.deepStrictEqual(yield* call("post_orders", { request_body: order }), order)
      assert.deepStrictEqual(yield* call("post_orders_form", { request_body: { item: "a&b=c", count: 3 } }), {
        item: "a&b=c",
        count: 3
      })
      assert.strictEqual(yield* call("post_orders_ping", {}), null)
      assert.deepStrictEqual(yield* call("post_orders_optional", {}), { note: null })
      assert.deepStrictEqual(
        seen.map(({ line }) => line),
        [
          "GET /users/7",
          "GET /users?search=a+b%26c&limit=1",
          "GET /users?limit=2",
          "DELETE /users/7",
          "PUT /users/7/name",
          "GET /files/a/versions/1.0?raw=true",
          "POST /orders",
          "POST /orders/form",
          "POST /orders/ping",
          "POST /orders/optional"
        ]
      )
    })
  )

  served("may leave out a part without required fields, and send it empty", () =>
    Effect.gen(function* () {
      const call = yield* calling()
      const three = yield* call("list_users", {})
      assert.deepStrictEqual(three, yield* call("list_users", { query: {} }))
      assert.propertyVal(three as object, "total_items", 3)
    })
  )

  served("in flat form is the same request", (seen) =>
    Effect.gen(function* () {
      const call = yield* calling({ flat: true, exclude: { users: ["PUT"] } })
      assert.deepStrictEqual(yield* call("get_users_id", { id: 7 }), { id: 7, name: "user 7", since })
      yield* call("list_users", { search: "x" })
      yield* call("list_users", {})
      yield* call("get_files_name_versions_version", { name: "a", version: "b", raw: false })
      const order = { item: "tea", price: 1 }
      assert.deepStrictEqual(yield* call("post_orders", order), order)
      yield* call("post_orders_ping", {})
      assert.deepStrictEqual(
        seen.map(({ line }) => line),
        [
          "GET /users/7",
          "GET /users?search=x",
          "GET /users",
          "GET /files/a/versions/b?raw=false",
          "POST /orders",
          "POST /orders/ping"
        ]
      )
    })
  )

  served("with a list that is too long says so, or fails, as asked", () =>
    Effect.gen(function* () {
      const call = yield* calling()
      assert.deepStrictEqual(yield* call("list_users", { query: { limit: 137 } }), {
        items: [
          { id: 0, name: "user 0", since },
          { id: 1, name: "user 1", since }
        ],
        truncated: true,
        total_items: 137,
        returned_items: 2
      })
      const raising = yield* calling({ onTruncate: "raise" })
      assert.strictEqual(
        yield* raising("list_users", { query: { limit: 137 } }),
        "ToolFailed: GET /users returned 137 items, more than the 2 that fit. Narrow the query."
      )
    })
  )
})

describe("an API as a toolset", () => {
  served("keeps the laws of toolsets", () =>
    Effect.flatMap(baseUrl, (baseUrl) =>
      ToolsetLaws.check(HttpApiToolset.make(api, { baseUrl }), {
        calls: {
          get_users_id: { path_params: { id: 1 } },
          list_users: {},
          delete_users_id: { path_params: { id: 1 } },
          post_orders: { request_body: { item: "tea", price: 1 } }
        }
      })
    )
  )

  served("keeps them in flat form, and gives results that its schemas describe", () =>
    Effect.gen(function* () {
      const toolset = HttpApiToolset.make(api, {
        baseUrl: yield* baseUrl,
        flat: true,
        exclude: { users: ["PUT"] }
      })
      yield* ToolsetLaws.check(toolset, {
        calls: { get_users_id: { id: 1 }, post_orders: { item: "a", price: 1 } }
      })
      const user = yield* Toolset.call(toolset, "get_users_id", { id: 1 })
      assert.isTrue(Schema.is(Schema.Json)(user))
    })
  )
})
