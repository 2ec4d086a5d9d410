import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Prompt } from "effect/ai"
import { Agent, JsonSchemaValidator, ToolReturn, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answering, failed, flaw, sources } from "./asking.ts"

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i)
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

const cut = (value: unknown, options: Toolset.TruncatedOptions) =>
  Toolset.call(answering("a", value).pipe(Toolset.truncated(options)), "a", {})

/** The whole result of a call. */
const returned = (result: ToolReturn, options: Toolset.TruncatedOptions) =>
  Effect.gen(function* () {
    let seen = result
    const tools = answering("a", result).pipe(
      Toolset.truncated(options),
      Toolset.wrapper((call, next) => Effect.tap(next(call), (result) => Effect.sync(() => (seen = result))))
    )
    yield* Toolset.call(tools, "a", {})
    return seen
  })

describe("truncated to maxItems", () => {
  it.effect("keeps the first items, and says what it left out (A47)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* cut(numbers(137), { maxItems: 20 }), {
        items: numbers(20),
        truncated: true,
        total_items: 137,
        returned_items: 20
      })
      assert.deepStrictEqual(yield* cut(numbers(3), { maxItems: 0 }), {
        items: [],
        truncated: true,
        total_items: 3,
        returned_items: 0
      })
    })
  )

  it.effect("leaves a list of just that length alone, and whatever is no list (A15, A49)", () =>
    Effect.gen(function* () {
      for (const value of [numbers(20), [], { data: numbers(137) }, "text", 5, true, null, { length: 99 }]) {
        assert.deepStrictEqual(yield* cut(value, { maxItems: 20 }), value)
      }
    })
  )

  it.effect("finds the list at a path", () =>
    Effect.gen(function* () {
      const page = (rows: unknown) => ({ next: "x", data: { rows } })
      assert.deepStrictEqual(yield* cut(page(numbers(5)), { maxItems: 2, path: "data.rows" }), {
        next: "x",
        data: { rows: { items: [0, 1], truncated: true, total_items: 5, returned_items: 2 } }
      })
      for (const value of [page(numbers(2)), page("x"), { data: null }, numbers(9), null]) {
        assert.deepStrictEqual(yield* cut(value, { maxItems: 2, path: "data.rows" }), value)
      }
    })
  )

  it.effect("tells the model to narrow its question where it raises, with the count (A48)", () =>
    Effect.gen(function* () {
      const options = { maxItems: 20, onTruncate: "raise" } as const
      assert.strictEqual(
        yield* failed(cut(numbers(137), options)),
        "The result is too long: 137 items, and at most 20 are allowed. Narrow the query."
      )
      assert.deepStrictEqual(yield* cut(numbers(20), options), numbers(20))
    })
  )
})

describe("truncated to maxBytes", () => {
  it.effect("keeps as many items as fit", () =>
    Effect.gen(function* () {
      const result: any = yield* cut(numbers(1000), { maxBytes: 200 })
      assert.deepStrictEqual(result.items, numbers(result.returned_items))
      assert.strictEqual(result.total_items, 1000)
      assert.isAtMost(bytes(result), 200)
      assert.isAbove(bytes({ ...result, items: numbers(result.returned_items + 3) }), 200)
    })
  )

  it.effect("cuts a text between characters, and what is neither as text", () =>
    Effect.gen(function* () {
      const text: any = yield* cut("é😀\n".repeat(1000), { maxBytes: 200 })
      assert.isTrue("é😀\n".repeat(1000).startsWith(text.text))
      assert.deepStrictEqual(
        { ...text, text: "" },
        {
          text: "",
          truncated: true,
          total_bytes: 7000,
          returned_bytes: new TextEncoder().encode(text.text).length
        }
      )
      for (let maxBytes = 200; maxBytes < 220; maxBytes++) {
        const { text }: any = yield* cut("😀".repeat(1000), { maxBytes })
        assert.isTrue(text.isWellFormed() && text.length > 20, `${maxBytes}: ${text}`)
      }
      const object: any = yield* cut({ a: "x".repeat(500) }, { maxBytes: 200 })
      assert.isTrue(object.text.startsWith('{"a":"xxx'))
      assert.strictEqual(object.total_bytes, 508)
    })
  )

  it.effect("cuts the list at a path first, and the whole where that is not enough", () =>
    Effect.gen(function* () {
      const options = { maxBytes: 200, path: "rows" }
      const some: any = yield* cut({ page: 1, rows: numbers(1000) }, options)
      assert.strictEqual(some.page, 1)
      assert.isAbove(some.rows.returned_items, 0)
      const none: any = yield* cut({ page: "x".repeat(300), rows: numbers(1000) }, options)
      assert.isTrue(none.text.startsWith('{"page":"xxx'))
    })
  )

  it.effect("says how many bytes there are where it raises", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* failed(cut("x".repeat(500), { maxBytes: 200, onTruncate: "raise" })),
        "The result is too long: 502 bytes, and at most 200 are allowed. Narrow the query."
      )
    })
  )

  it.effect("cuts the texts that go to the model beside the value or instead of it, and no files", () =>
    Effect.gen(function* () {
      const image = Prompt.makePart("file", { mediaType: "image/png", data: new Uint8Array(1000) })
      const text = (text: string) => Prompt.makePart("text", { text })
      const result = yield* returned(
        new ToolReturn({
          value: 1,
          content: [text("short"), image, text("y".repeat(900)), text("gone")],
          modelOutput: [text("z".repeat(900)), image]
        }),
        { maxBytes: 200 }
      )
      assert.strictEqual(result.value, 1)
      assert.strictEqual(result.content.length, 3)
      assert.strictEqual(result.content[1], image)
      const last: any = result.content[2]
      assert.isTrue(last.text.endsWith("yy [truncated: 909 bytes in all]"))
      assert.strictEqual("short".length + last.text.length, 200)
      const shown: any = result.modelOutput![0]
      assert.strictEqual(shown.text.length, 200)
      assert.strictEqual(result.modelOutput![1], image)
    })
  )

  const Values: Schema.Codec<Schema.Json> = Schema.Json
  it.effect.prop(
    "is never longer than that, the same twice, and the identity for what is short enough",
    {
      value: Values,
      factor: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 })),
      max: Schema.Int.check(Schema.isBetween({ minimum: 128, maximum: 400 }))
    },
    ({ factor, max, value }) =>
      Effect.gen(function* () {
        const long = Array.from({ length: factor }, () => value)
        for (const given of [value, long, { rows: long, value }]) {
          for (const path of [undefined, "rows"]) {
            const once = yield* cut(given, { maxBytes: max, path })
            assert.isAtMost(bytes(once), max)
            if (bytes(given) <= max) assert.deepStrictEqual(once, given)
            assert.deepStrictEqual(yield* cut(once, { maxBytes: max, path }), once)
          }
        }
      })
  )
})

describe("truncated", () => {
  for (const [name, source] of Object.entries(sources)) {
    it.effect(`cuts results of ${name}`, () =>
      Effect.gen(function* () {
        const tools = source(answering("a", numbers(9))).pipe(Toolset.truncated({ maxItems: 1 }))
        assert.deepInclude(yield* Toolset.call(tools, "a", {}), { items: [0], total_items: 9 })
      })
    )
  }

  it.effect("says in the schema of the result that it may be cut (A50)", () =>
    Effect.gen(function* () {
      const listing = (success: Schema.Codec<any>, options: Toolset.TruncatedOptions) =>
        Effect.gen(function* () {
          const tool = Toolset.tool("a", { success, handler: () => Effect.die("not called") as any })
          const [cut] = yield* Toolset.list(tool.pipe(Toolset.truncated(options)))
          return cut!.returns!
        })
      const allowed = (schema: Schema.Codec<any>, options: Toolset.TruncatedOptions, value: unknown) =>
        Effect.gen(function* () {
          const returns = yield* listing(schema, options)
          const check = (yield* JsonSchemaValidator.JsonSchemaValidator)(returns)
          const result = yield* cut(value, options)
          assert.isUndefined(yield* check(result), JSON.stringify(returns))
          assert.isUndefined(yield* check(value))
        })
      const Rows = Schema.Array(Schema.Struct({ n: Schema.Int }))
      const rows = numbers(100).map((n) => ({ n }))
      yield* allowed(Rows, { maxItems: 2 }, rows)
      yield* allowed(Rows, { maxBytes: 200 }, rows)
      yield* allowed(Schema.Struct({ rows: Rows }), { maxItems: 2, maxBytes: 200, path: "rows" }, { rows })
      yield* allowed(Schema.String, { maxBytes: 200 }, "x".repeat(300))
      const Node = Schema.Struct({ name: Schema.String }).annotate({ identifier: "Node" })
      yield* allowed(Schema.Array(Node), { maxItems: 1 }, [{ name: "a" }, { name: "b" }])
      assert.deepStrictEqual(
        yield* listing(Rows, { maxItems: 2, onTruncate: "raise" }),
        yield* Effect.map(
          Toolset.list(Toolset.tool("a", { success: Rows, handler: () => Effect.succeed([]) })),
          ([tool]) => tool!.returns!
        )
      )
    })
  )

  it.effect("is the same definition at every step and in every run", () =>
    Effect.gen(function* () {
      const tools = Toolset.tool("a", {
        success: Schema.Array(Schema.Int),
        handler: () => Effect.succeed([])
      }).pipe(
        Toolset.filtered(() => true),
        Toolset.truncated({ maxItems: 1 })
      )
      const [one] = yield* Toolset.list(tools)
      const [other] = yield* Toolset.list(tools)
      assert.strictEqual(one, other)
    })
  )

  it.effect("is what the model reads", () =>
    Effect.gen(function* () {
      const model = ScriptedModel.layer([ScriptedModel.calls({ a: {} }), ScriptedModel.text("done")])
      const tools = answering("a", numbers(9)).pipe(Toolset.truncated({ maxItems: 2 }))
      const { messages } = yield* Agent.run(Agent.make({ toolsets: [tools] }), { prompt: "go" }).pipe(
        Effect.provide(model)
      )
      assert.include(
        JSON.stringify(messages),
        '{"items":[0,1],"truncated":true,"total_items":9,"returned_items":2}'
      )
    })
  )

  it.effect("to nothing in particular is a definition error", () =>
    Effect.gen(function* () {
      const of = (options: Toolset.TruncatedOptions) =>
        flaw(Toolset.list(Toolset.truncated(answering("a"), options)))
      assert.deepStrictEqual(yield* of({}), ["truncated(tool(a))", "There is no limit."])
      assert.deepStrictEqual(yield* of({ maxItems: -1 }), [
        "truncated(tool(a))",
        "The number of items is -1."
      ])
      assert.deepStrictEqual(yield* of({ maxBytes: 10 }), [
        "truncated(tool(a))",
        "The number of bytes is 10."
      ])
    })
  )
})
