/** Names of tools: legal, unique, and the same in whatever order and company the operations stand. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { definitionsOf, documentOf, type Fields } from "./served.ts"

const Id = Schema.Union([
  Schema.Literals(["a", "a b", "a/b", "a_b", "-", "", "日本", "x".repeat(80), `${"x".repeat(79)}y`]),
  Schema.String
])
const Paths = Schema.Array(
  Schema.Struct({
    path: Schema.Literals(["/", "/a", "/a/", "/a_b", "/a/b", "/{a}", "/日", "/本", "/a?b", "/a#b"]),
    method: Schema.Literals(["get", "put", "post"]),
    id: Schema.optionalKey(Id)
  })
).check(Schema.isMaxLength(12))

const built = (operations: typeof Paths.Type): Fields => {
  const paths: Record<string, Fields> = {}
  for (const { id, method, path } of operations)
    paths[path] = { ...paths[path], [method]: { operationId: id } }
  return documentOf(paths)
}

/** Name by place. */
const named = (document: Fields, options = {}) =>
  Effect.map(definitionsOf(document, options), (tools) =>
    Object.fromEntries(
      Object.values(tools).map(({ metadata, name }) => [`${metadata.method} ${metadata.path}`, name])
    )
  )

describe("names", () => {
  it.effect.prop(
    "are legal, unique, and do not depend on order or on what is selected",
    { operations: Paths },
    ({ operations }) =>
      Effect.gen(function* () {
        const document = built(operations)
        const names = yield* named(document)
        const count = Object.values(document.paths as Fields).reduce(
          (sum, item) => sum + Object.keys(item).length,
          0
        )
        assert.strictEqual(Object.keys(names).length, count)
        assert.strictEqual(new Set(Object.values(names)).size, count)
        for (const name of Object.values(names)) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
        const reversed = Object.fromEntries(
          Object.entries(document.paths as Fields)
            .toReversed()
            .map(([path, item]) => [path, Object.fromEntries(Object.entries(item).toReversed())])
        )
        assert.deepStrictEqual(yield* named({ ...document, paths: reversed }), names)
        const some = yield* named(document, { include: ({ method }: { method: string }) => method === "GET" })
        assert.deepStrictEqual(
          some,
          Object.fromEntries(Object.entries(names).filter(([place]) => place.startsWith("GET")))
        )
      })
  )

  it.effect("are unique and stable even where two places have one hash", () =>
    Effect.gen(function* () {
      const same = { get: { operationId: "x" } }
      const [one, other] = ["/p1301006", "/p84768"] as const
      const names = yield* named(documentOf({ [one]: same, [other]: same }))
      assert.match(names[`GET ${one}`]!, /^x_c8e0a465$/)
      assert.notStrictEqual(names[`GET ${one}`], names[`GET ${other}`])
      assert.deepStrictEqual(yield* named(documentOf({ [other]: same, [one]: same })), names)
    })
  )

  const cases: ReadonlyArray<readonly [operations: Fields, names: ReadonlyArray<string>]> = [
    [{ "/": { get: {} } }, ["get_root"]],
    [{ "/users/{id}/posts/": { get: {} } }, ["get_users_id_posts"]],
    [{ "/a": { get: { operationId: "repos/get-content" } } }, ["repos_get-content"]],
    [{ "/a": { get: { operationId: "日本" } } }, ["get_a"]],
    [{ "/a": { get: { operationId: "x" }, put: { operationId: "x" } } }, ["x_bf97e35d", "x_6cf915da"]],
    [{ "/日": { get: {} }, "/本": { get: {} } }, ["get_root_8b18c368", "get_root_e1fd75e0"]]
  ]
  for (const [paths, names] of cases) {
    it.effect(names.join(" and "), () =>
      Effect.map(definitionsOf(documentOf(paths)), (tools) =>
        assert.deepStrictEqual(Object.keys(tools), names)
      )
    )
  }
})
