/** Which operations of an API become tools. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type Grouped, selected, type Selection } from "../../src/rest/selection.ts"

const operations: ReadonlyArray<Grouped> = [
  { group: "users", method: "GET", path: "/users" },
  { group: "users", method: "GET", path: "/users/all" },
  { group: "users", method: "DELETE", path: "/users/:id" },
  { group: "tasks", method: "GET", path: "/tasks" },
  { group: "tasks", method: "DELETE", path: "/tasks/:id" },
  { group: "health", method: "GET", path: "/health" }
]

const pathsOf = (include?: Selection<Grouped>, exclude?: Selection<Grouped>) =>
  Result.getOrThrow(selected(operations, include, exclude)).map(({ method, path }) => `${method} ${path}`)

const flawOf = (include?: Selection<Grouped>, exclude?: Selection<Grouped>) => {
  const { hint, problem } = Result.getOrThrow(Result.flip(selected(operations, include, exclude)))
  return `${problem} ${hint}`
}

const all = operations.map(({ method, path }) => `${method} ${path}`)

describe("a selection", () => {
  it("is everything where there is none", () => {
    assert.deepStrictEqual(pathsOf(), all)
  })

  it("names groups, methods of a group, or paths of a method", () => {
    assert.deepStrictEqual(pathsOf(["users"]), all.slice(0, 3))
    assert.deepStrictEqual(pathsOf({ users: ["GET"] }), all.slice(0, 2))
    assert.deepStrictEqual(pathsOf({ users: { GET: ["/users/all"] } }), ["GET /users/all"])
    assert.deepStrictEqual(pathsOf({ users: { GET: ["/users/all"] }, tasks: ["DELETE"] }), [
      "GET /users/all",
      "DELETE /tasks/:id"
    ])
  })

  it("is a predicate", () => {
    assert.deepStrictEqual(
      pathsOf(({ method }) => method === "DELETE"),
      ["DELETE /users/:id", "DELETE /tasks/:id"]
    )
  })

  it("compares methods in any case", () => {
    assert.deepStrictEqual(pathsOf({ users: ["get"] }), pathsOf({ users: ["GET"] }))
    assert.deepStrictEqual(pathsOf({ users: { Delete: ["/users/:id"] } }), ["DELETE /users/:id"])
  })

  it("of nothing is nothing: no restriction is another thing", () => {
    for (const none of [[], {}, { users: [] }, { users: {} }, { users: { GET: [] } }, () => false]) {
      assert.deepStrictEqual(pathsOf(none), [])
      assert.deepStrictEqual(pathsOf(undefined, none), all)
    }
  })

  it("excludes after it includes", () => {
    assert.deepStrictEqual(pathsOf(["users", "tasks"], { users: ["DELETE"], tasks: ["DELETE"] }), [
      "GET /users",
      "GET /users/all",
      "GET /tasks"
    ])
    assert.deepStrictEqual(pathsOf(undefined, ["users"]), all.slice(3))
    assert.deepStrictEqual(pathsOf(["users"], ["users"]), [])
  })

  it("that names what there is not says what there is", () => {
    assert.strictEqual(
      flawOf(["userz"]),
      "Its `include` names the group 'userz', which the API does not have. There are: 'users', 'tasks', 'health'."
    )
    assert.strictEqual(
      flawOf(undefined, { health: ["POST"] }),
      "Its `exclude` names the method 'POST' of 'health', which the API does not have. There are: 'GET'."
    )
    assert.strictEqual(
      flawOf({ users: { GET: ["/users/{id}"] } }),
      "Its `include` names the path '/users/{id}' of 'GET' of 'users', which the API does not have. There are: '/users', '/users/all'."
    )
    assert.match(flawOf(["__proto__"]), /'__proto__'/)
    assert.match(flawOf({ toString: ["GET"] }), /'toString'/)
  })

  it("lists no more than one can read", () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ group: `g${i}`, method: "GET", path: "/" }))
    const { hint } = Result.getOrThrow(Result.flip(selected(many, ["x"], undefined)))
    assert.match(hint, /'g19' and 10 more\.$/)
    assert.strictEqual(Result.getOrThrow(Result.flip(selected([], ["x"], undefined))).hint, "There are none.")
  })
})
