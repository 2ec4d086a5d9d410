/** A function as a tool, as those know it who come from decorators. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Toolset } from "effect-toolset"
import { first, retry } from "./asking.ts"

describe("a function as a tool", () => {
  const Search = Schema.Struct({
    query: Schema.String,
    limit: Schema.Int.annotate({ default: 10 }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(10)))
  }).annotate({ description: "Search the web." })
  const search = Toolset.tool("search", { parameters: Search, handler: (args) => Effect.succeed(args) })

  it.effect("says what it takes, and what it takes where nothing is given (B1)", () =>
    Effect.gen(function* () {
      const { description, name, parameters } = yield* first(search)
      assert.deepStrictEqual([name, description], ["search", "Search the web."])
      assert.deepStrictEqual(parameters.required, ["query"])
      const { limit, query } = parameters.properties as Readonly<Record<string, unknown>>
      assert.deepStrictEqual(query, { type: "string" })
      assert.deepInclude(limit, { type: "integer", default: 10 })
      assert.deepStrictEqual(yield* Toolset.call(search, "search", { query: "x" }), { query: "x", limit: 10 })
    })
  )

  it.effect("may be called and described otherwise, and end the run or not (B2)", () =>
    Effect.gen(function* () {
      const lookup: Toolset.Toolset = Toolset.tool("search", {
        description: "Look it up.",
        parameters: Search,
        onError: "recover",
        handler: () => Effect.fail("offline" as const)
      }).pipe(Toolset.renamed({ lookup: "search" }))
      const { description, name } = yield* first(lookup)
      assert.deepStrictEqual([name, description], ["lookup", "Look it up."])
      const error = yield* Effect.flip(Toolset.call(lookup, "lookup", { query: "x" }))
      assert.deepStrictEqual([error._tag, error.message], ["ToolFailed", "offline"])
    })
  )

  it.effect("needs no model to be called (B7)", () =>
    Effect.gen(function* () {
      const add = Toolset.tool("add", {
        parameters: Schema.Struct({ a: Schema.Int, b: Schema.Int }),
        handler: ({ a, b }) => Effect.succeed(a + b)
      })
      assert.strictEqual(yield* Toolset.call(add, "add", { a: 2, b: 3 }), 5)
    })
  )

  it.effect("names its parameters as it likes (B21)", () =>
    Effect.gen(function* () {
      const names = ["_x", "model_config", "constructor", "toString", "self", "$ref", "a b"]
      const parameters = Schema.Struct(Object.fromEntries(names.map((name) => [name, Schema.String])))
      const tool = Toolset.tool("t", { parameters, handler: (args) => Effect.succeed({ ...args }) })
      const shown = (yield* first(tool)).parameters
      assert.deepStrictEqual(Object.keys(shown.properties as object), names)
      assert.deepStrictEqual(shown.required, names)
      const args = Object.fromEntries(names.map((name) => [name, `of ${name}`]))
      assert.deepStrictEqual(yield* Toolset.call(tool, "t", args), args)
      const { _x: _, ...less } = args
      assert.deepStrictEqual(yield* retry(Toolset.call(tool, "t", less)), [
        "arguments",
        `Invalid arguments: Missing key\n  at ["_x"]`
      ])
    })
  )
})
