/** What tools are made of endpoints: their names, descriptions and schemas. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema } from "effect"
import { Tool } from "effect/ai"
import { FetchHttpClient } from "effect/http"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { type ToolDefinition, Toolset } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { api } from "./api.ts"
import { only } from "./only.ts"

const meta = HttpApiToolset.ToolMeta

/** Parameters of any path. */
const params = Schema.Record(Schema.String, Schema.String)

const byName = (tools: ReadonlyArray<ToolDefinition>) =>
  Object.fromEntries(tools.map((tool) => [tool.name, tool]))

const definitions = byName(Effect.runSync(HttpApiToolset.report(api)).tools)

describe("the tools of an API", () => {
  it("are the endpoints that carry ToolMeta, in their order", () => {
    assert.deepStrictEqual(Object.keys(definitions), [
      "get_users_id",
      "list_users",
      "delete_users_id",
      "put_users_id_name",
      "get_files_name",
      "get_files_name_versions_version",
      "post_orders",
      "post_orders_form",
      "post_orders_ping",
      "post_orders_optional"
    ])
  })

  it("are none where nothing carries any, which is no error", () => {
    const none = HttpApi.make("none").add(HttpApiGroup.make("x").add(HttpApiEndpoint.get("a", "/a")))
    assert.deepStrictEqual(Effect.runSync(HttpApiToolset.report(none)).tools, [])
  })

  it.effect("are the same values from step to step, and from run to run", () =>
    Effect.gen(function* () {
      const toolset = HttpApiToolset.make(api)
      const [a, b] = [yield* Toolset.list(toolset), yield* Toolset.list(toolset)]
      assert.isAbove(a.length, 0)
      a.forEach((tool, i) => assert.strictEqual(tool, b[i]))
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})

describe("a name", () => {
  const nameOf = (path: `/${string}`, group = "users", method: "GET" | "POST" = "GET") =>
    only(HttpApiEndpoint.make(method)("x", path, { params }).annotate(meta, {}), {}, HttpApiGroup.make(group))
      .name

  it("is made of method, group and path", () => {
    assert.strictEqual(nameOf("/users/:user_id"), "get_users_user_id")
    assert.strictEqual(nameOf("/users", "users", "POST"), "post_users")
    assert.strictEqual(nameOf("/", "users", "POST"), "post_users")
    assert.strictEqual(nameOf("/users/"), "get_users")
    assert.strictEqual(nameOf("/users/:user_id/posts/:post_id"), "get_users_user_id_posts_post_id")
    assert.strictEqual(nameOf("/by.name/:n", "user-groups"), "get_user_groups_by_name_n")
    assert.strictEqual(nameOf("/api/v1/users/:userId"), "get_api_v1_users_userid")
    assert.strictEqual(nameOf("/reports/:year-:month"), "get_users_reports_year_month")
  })

  it("has nothing of patterns and marks", () => {
    assert.strictEqual(nameOf("/users/:id(\\d+)"), "get_users_id")
    assert.strictEqual(nameOf("/users/:id(a|(b))/x"), "get_users_id_x")
    assert.strictEqual(nameOf("/users/:id?"), "get_users_id")
  })

  it("has no group at the top level, and is never only a method", () => {
    const top = HttpApiGroup.make("system", { topLevel: true })
    assert.strictEqual(
      only(HttpApiEndpoint.get("x", "/health").annotate(meta, {}), {}, top).name,
      "get_health"
    )
    assert.strictEqual(only(HttpApiEndpoint.get("x", "/").annotate(meta, {}), {}, top).name, "get_root")
  })

  it("is cut where providers would refuse it", () => {
    assert.match(nameOf(`/users/${"x".repeat(80)}`), /^get_users_x{45}_[0-9a-f]{8}$/)
  })

  it("is the one that is given, as it is", () => {
    assert.strictEqual(
      only(HttpApiEndpoint.get("x", "/users").annotate(meta, { name: "All-Users" })).name,
      "All-Users"
    )
  })
})

describe("a description", () => {
  it("is that of ToolMeta, else of the endpoint, else says what is called", () => {
    const endpoint = HttpApiEndpoint.get("x", "/users/:id", { params })
    const described = endpoint.annotate(OpenApi.Description, "d").annotate(OpenApi.Summary, "s")
    assert.strictEqual(only(described.annotate(meta, { description: "m" })).description, "m")
    assert.strictEqual(only(described.annotate(meta, {})).description, "d")
    assert.strictEqual(only(endpoint.annotate(OpenApi.Summary, "s").annotate(meta, {})).description, "s")
    assert.strictEqual(
      only(endpoint.annotate(meta, {})).description,
      "GET /users/:id on the 'users' resource"
    )
  })

  it("of a group is not one of its endpoints", () => {
    const group = HttpApiGroup.make("users").annotate(OpenApi.Description, "All about users.")
    assert.strictEqual(
      only(HttpApiEndpoint.get("x", "/users").annotate(meta, {}), {}, group).description,
      "GET /users on the 'users' resource"
    )
  })
})

describe("ToolMeta", () => {
  it("on a group or an API holds for their endpoints, field by field, the nearest first", () => {
    const a = HttpApiEndpoint.get("a", "/a").annotate(meta, { description: "own", metadata: { x: 3 } })
    const b = HttpApiEndpoint.get("b", "/b").annotate(meta, { description: undefined })
    const c = HttpApiEndpoint.get("c", "/c")
    const one = HttpApi.make("one")
      .add(
        HttpApiGroup.make("one")
          .add(a, b)
          .annotate(meta, { description: "group", metadata: { x: 2, y: 2 } }),
        HttpApiGroup.make("two").add(c)
      )
      .annotate(meta, { description: "api", metadata: { x: 1, z: 1 } })
    const { tools } = Effect.runSync(HttpApiToolset.report(one))
    assert.deepStrictEqual(
      tools.map(({ description, metadata: { x, y, z } }) => ({ description, x, y, z })),
      [
        { description: "own", x: 3, y: 2, z: 1 },
        { description: "group", x: 2, y: 2, z: 1 },
        { description: "api", x: 1, y: undefined, z: 1 }
      ]
    )
  })

  it("of a group does not bring in what the API hides; the endpoint's own does", () => {
    const hidden = HttpApiEndpoint.get("a", "/a").annotate(OpenApi.Exclude, true)
    const group = HttpApiGroup.make("one").add(hidden).annotate(meta, {})
    assert.deepStrictEqual(Effect.runSync(HttpApiToolset.report(HttpApi.make("x").add(group))).tools, [])
    assert.strictEqual(only(hidden.annotate(meta, {})).name, "get_users_a")
  })
})

describe("what the application sees", () => {
  it("is where the tool comes from, and what ToolMeta adds", () => {
    assert.deepStrictEqual(definitions["get_users_id"]?.metadata, {
      method: "GET",
      path: "/users/:id",
      group: "users",
      endpoint: "byId"
    })
    assert.strictEqual(definitions["post_orders"]?.metadata["team"], "sales")
  })

  it("is what the method promises, unless the endpoint says otherwise", () => {
    const promises = (tool: ToolDefinition | undefined) =>
      [Tool.Readonly, Tool.Destructive, Tool.Idempotent].map((key) => Context.get(tool!.annotations, key))
    assert.deepStrictEqual(promises(definitions["get_users_id"]), [true, false, true])
    assert.deepStrictEqual(promises(definitions["put_users_id_name"]), [false, true, true])
    assert.deepStrictEqual(promises(definitions["delete_users_id"]), [false, true, true])
    assert.deepStrictEqual(promises(definitions["post_orders"]), [false, true, false])
    const search = HttpApiEndpoint.post("search", "/search").annotate(meta, {}).annotate(Tool.Readonly, true)
    assert.deepStrictEqual(promises(only(search.annotate(Tool.Idempotent, true))), [true, true, true])
  })

  it("is the retries of the options", () => {
    assert.strictEqual(only(HttpApiEndpoint.get("x", "/x").annotate(meta, {})).maxRetries, undefined)
    assert.strictEqual(
      only(HttpApiEndpoint.get("x", "/x").annotate(meta, {}), { maxRetries: 0 }).maxRetries,
      0
    )
  })
})

describe("the result", () => {
  it("is of the decoded type, and none where nothing comes", () => {
    assert.deepStrictEqual(definitions["get_files_name"]?.returns, { type: "string" })
    assert.isUndefined(definitions["delete_users_id"]?.returns)
    assert.isUndefined(definitions["post_orders_ping"]?.returns)
    const order = definitions["post_orders"]?.returns?.properties as Record<string, unknown>
    assert.deepStrictEqual(order["price"], { type: "number" })
  })

  it("allows for truncation where the endpoint or the options truncate", () => {
    const { anyOf } = definitions["list_users"]!.returns as { anyOf: ReadonlyArray<Record<string, any>> }
    assert.deepStrictEqual(
      anyOf.map(({ type }) => type),
      ["array", "object"]
    )
    assert.deepStrictEqual(anyOf[1]?.["required"], ["items", "truncated", "total_items", "returned_items"])
    const list = HttpApiEndpoint.get("x", "/x", { success: Schema.Array(Schema.String) }).annotate(meta, {})
    assert.isUndefined(only(list).returns?.anyOf)
    assert.isArray(only(list, { maxItems: 3 }).returns?.anyOf)
    assert.isUndefined(only(list, { maxItems: 3, onTruncate: "raise" }).returns?.anyOf)
    const own = list.annotate(meta, { onTruncate: "raise" })
    assert.isUndefined(only(own, { maxItems: 3 }).returns?.anyOf)
  })
})
