/** Calls of tools of the AI SDK. */
import { assert, describe, it } from "@effect/vitest"
import { jsonSchema, tool, type ToolSet } from "ai"
import { Deferred, Effect } from "effect"
import { JsonSchemaValidator, ToolResultError, Toolset } from "effect-toolset"
import * as AiSdk from "effect-toolset/AiSdk"
import { ReadableStream } from "node:stream/web"
import * as z from "zod"
import { observed } from "../interop/observing.ts"
import { asCall, defect, inRunOf, retry } from "../toolset/asking.ts"
import { call, object, tools } from "./tools.ts"

describe("arguments", () => {
  it.effect("are those that the schema decodes to", () =>
    Effect.gen(function* () {
      const inputSchema = z.object({
        n: z.number().default(3),
        s: z.string().transform((text) => text.length)
      })
      const execute = (input: unknown) => input
      assert.deepStrictEqual(yield* call({ inputSchema, execute }, { s: "xyz" }), { n: 3, s: 3 })
      const validate = (value: unknown) => ({ success: true as const, value: { seen: value } })
      const own = jsonSchema<object>({ type: "object" }, { validate })
      assert.deepStrictEqual(yield* call({ inputSchema: own, execute }, { a: 1 }), { seen: { a: 1 } })
      const later = jsonSchema<object>({ type: "object" }, { validate: async (value) => validate(value) })
      assert.deepStrictEqual(yield* call({ inputSchema: later, execute }, {}), { seen: {} })
    })
  )

  it.effect("that do not fit are the model's to mend, and nothing runs", () =>
    Effect.gen(function* () {
      const execute = () => assert.fail("It runs.")
      const issues = z.object({ city: z.string(), days: z.number() })
      assert.deepStrictEqual(yield* retry(call({ inputSchema: issues, execute }, { days: "2" })), [
        "arguments",
        "Invalid arguments: Invalid input: expected string, received undefined\n" +
          '  at ["city"]\nInvalid input: expected number, received string\n  at ["days"]'
      ])
      const strict = jsonSchema(
        { type: "object" },
        { validate: () => ({ success: false, error: new Error("Not today.") }) }
      )
      assert.deepStrictEqual(yield* retry(call({ inputSchema: strict, execute })), [
        "arguments",
        "Invalid arguments: Not today."
      ])
    })
  )

  it.effect("that only a JSON Schema describes are checked by the validator that is set", () =>
    Effect.gen(function* () {
      const inputSchema = jsonSchema({
        type: "object",
        properties: { n: { type: "integer", minimum: 1 } },
        required: ["n"],
        additionalProperties: false
      })
      const execute = (input: unknown) => input
      const checked = (args: unknown) => call({ inputSchema, execute }, args)
      assert.deepStrictEqual(yield* checked({ n: 1 }), { n: 1 })
      for (const args of [{}, { n: 0 }, { n: 1.5 }, { n: "1" }, { n: 1, x: 1 }, [], "1", null]) {
        const [reason, message] = yield* retry(checked(args))
        assert.strictEqual(reason, "arguments")
        assert.match(message!, /^Invalid arguments: /)
      }
      const never: JsonSchemaValidator.Compile = () => () => Effect.succeed("nothing is good enough")
      const picky = Effect.provideService(JsonSchemaValidator.JsonSchemaValidator, never)
      assert.deepStrictEqual(yield* retry(picky(checked({ n: 1 }))), [
        "arguments",
        "Invalid arguments: nothing is good enough"
      ])
      // What has a validator of its own needs no other.
      assert.strictEqual(yield* picky(call({ inputSchema: z.object({}), execute: () => 1 })), 1)
    })
  )

  it.effect("that a broken validator cannot judge are a defect", () =>
    Effect.gen(function* () {
      const inputSchema = jsonSchema(
        { type: "object" },
        { validate: () => Promise.reject(new TypeError("no database")) }
      )
      assert.strictEqual(yield* defect(call({ inputSchema, execute: () => 1 })), "TypeError: no database")
    })
  )
})

describe("a call", () => {
  it.effect("gives what was given, promised, or yielded last", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* call({ execute: () => 1 }), 1)
      assert.deepStrictEqual(yield* call({ execute: async () => ({ a: [1] }) }), { a: [1] })
      assert.isNull(yield* call({ execute: async () => undefined }))
      const yielding = async function* () {
        yield "first"
        yield { last: true }
        return "of no use to the AI SDK either"
      }
      assert.deepStrictEqual(yield* call({ execute: yielding }), { last: true })
      assert.isNull(yield* call({ execute: async function* () {} }))
      const stream = () => ReadableStream.from([1, 2, 3])
      assert.strictEqual(yield* call({ execute: stream }), 3)
    })
  )

  it.effect("reports each value when it comes", () =>
    Effect.gen(function* () {
      const reported = yield* Deferred.make<void>()
      const execute = async function* () {
        yield "10 %"
        // Goes on once that was reported, and not when there is a second.
        await Effect.runPromise(Deferred.await(reported))
        yield "all"
      }
      const seen: Array<unknown> = []
      const progress = (value: unknown) =>
        Effect.andThen(
          Effect.sync(() => seen.push(value)),
          Deferred.succeed(reported, undefined)
        )
      assert.strictEqual(yield* Toolset.call(tools({ execute }), "t", {}).pipe(asCall({ progress })), "all")
      assert.deepStrictEqual(seen, ["10 %", "all"])
    })
  )

  it.effect("knows its id, its context and what the model was sent", () =>
    Effect.gen(function* () {
      const execute = (input: unknown, { abortSignal, context, messages, toolCallId }: any) => ({
        input,
        toolCallId,
        context,
        messages,
        isAborted: abortSignal.aborted
      })
      const toolset = tools({ execute }, { toolsContext: { t: { user: "ada" }, other: 1 } })
      const { value } = yield* observed(toolset, "t", { a: 1 }).pipe(inRunOf({}))
      assert.deepStrictEqual(value, {
        input: { a: 1 },
        toolCallId: "call-1",
        context: { user: "ada" },
        messages: [],
        isAborted: false
      })
    })
  )

  it.effect("is a call of its tool's method", () =>
    Effect.gen(function* () {
      class Counter {
        readonly inputSchema = object
        #count = 41
        execute() {
          return ++this.#count
        }
        toModelOutput({ output }: { output: number }) {
          return { type: "text", value: `${output} of ${this.#count}` }
        }
      }
      const toolset = AiSdk.fromTools({ t: new Counter() } as unknown as ToolSet)
      assert.strictEqual(yield* Toolset.call(toolset, "t", {}), "42 of 42")
    })
  )

  it.effect("whose result is not JSON cannot be sent, at once", () =>
    Effect.gen(function* () {
      for (const given of [new Map(), Number.NaN, 1n, () => 1, { a: { b: Symbol("x") } }]) {
        const error = yield* Effect.flip(call({ execute: async () => given }))
        assert.instanceOf(error, ToolResultError)
        assert.strictEqual(error.toolName, "t")
      }
    })
  )
})

describe("a tool that was made by the AI SDK", () => {
  it.effect("is typed where it is made, and takes any object here", () =>
    Effect.gen(function* () {
      const add = tool({
        inputSchema: z.object({ a: z.number(), b: z.number() }),
        execute: async ({ a, b }) => a + b
      })
      assert.strictEqual(yield* Toolset.call(AiSdk.fromTools({ add }), "add", { a: 1, b: 2 }), 3)
    })
  )
})
