/** Calls of tools of LangChain.js. */
import { ToolInputParsingException, tool } from "@langchain/core/tools"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { JsonSchemaValidator, ToolFailed, ToolResultError, Toolset } from "effect-toolset"
import * as LangChain from "effect-toolset/LangChain"
import * as z from "zod"
import { z as z3 } from "zod/v3"
import { observed } from "../interop/observing.ts"
import { asCall, retry, tag } from "../toolset/asking.ts"
import { call, only } from "./tools.ts"

const unreachable = () => assert.fail("It runs.")
const failing = (cause: unknown) => (): Promise<string> => Promise.reject(cause)

describe("arguments", () => {
  it.effect("are decoded by the tool, once", () =>
    Effect.gen(function* () {
      const schema = z.object({ n: z.number().default(3), s: z.string().transform((text) => `${text}!`) })
      assert.deepStrictEqual(yield* call((input) => input, { s: "x" }, { schema }), { n: 3, s: "x!" })
      const old = z3.object({ n: z3.number().default(3) })
      assert.deepStrictEqual(yield* call((input) => input, {}, { schema: old }), { n: 3 })
    })
  )

  it.effect("that do not fit are the model's to mend: nothing runs, and no stack is told", () =>
    Effect.gen(function* () {
      const schema = z.object({ city: z.string(), days: z.number() })
      assert.deepStrictEqual(yield* retry(call(unreachable, { days: "2" }, { schema })), [
        "arguments",
        "Invalid arguments: Invalid input: expected string, received undefined\n" +
          '  at ["city"]\nInvalid input: expected number, received string\n  at ["days"]'
      ])
      const old = z3.object({ city: z3.string() })
      assert.deepStrictEqual(yield* retry(call(unreachable, {}, { schema: old })), [
        "arguments",
        'Invalid arguments: Required\n  at ["city"]'
      ])
    })
  )

  const json = {
    type: "object",
    properties: { n: { type: "integer", minimum: 1 }, mail: { type: "string", pattern: "@" } },
    required: ["n"],
    additionalProperties: false
  }

  it.effect("that only a JSON Schema describes are checked by the validator that is set", () =>
    Effect.gen(function* () {
      const checked = (args: unknown) => call((input) => input, args, { schema: json })
      assert.deepStrictEqual(yield* checked({ n: 1 }), { n: 1 })
      for (const args of [{}, { n: 0 }, { n: 1.5 }, { n: "1" }, { n: 1, x: 1 }, [], "1", null]) {
        assert.strictEqual((yield* retry(checked(args)))[0], "arguments")
      }
      const never: JsonSchemaValidator.Compile = () => () => Effect.succeed("nothing is good enough")
      assert.deepStrictEqual(
        yield* retry(
          Effect.provideService(checked({ n: 1 }), JsonSchemaValidator.JsonSchemaValidator, never)
        ),
        ["arguments", "Invalid arguments: nothing is good enough"]
      )
    })
  )

  it.effect("that LangChain itself refuses have not reached the tool", () =>
    Effect.gen(function* () {
      // Patterns are what the default validator leaves alone.
      assert.deepStrictEqual(yield* retry(call(unreachable, { n: 1, mail: "x" }, { schema: json })), [
        "arguments",
        "Invalid arguments: Received tool input did not match expected schema"
      ])
    })
  )

  it.effect("that a tool inside refuses are a failure of the tool", () =>
    Effect.gen(function* () {
      const inner = tool(async () => 1, { name: "inner", schema: z.object({ a: z.string() }) })
      const outer = async (input: object) => inner.invoke(input as { a: string })
      assert.strictEqual((yield* retry(call(outer, { b: 1 })))[0], "body")
      const thrown = failing(new ToolInputParsingException("no such row", "{}"))
      assert.deepStrictEqual(yield* retry(call(thrown)), ["body", "no such row"])
      assert.strictEqual(
        yield* tag(Toolset.call(only(outer, {}, { onError: "fail" }), "t", {})),
        "LangChainToolError"
      )
    })
  )

  it.effect("that LangChain would take for a call are refused: it would run others", () =>
    Effect.gen(function* () {
      const args = { type: "tool_call", args: { evil: true }, id: "9", name: "other" }
      for (const fields of [{}, { responseFormat: "content_and_artifact" }]) {
        assert.deepStrictEqual(yield* retry(call(unreachable, args, fields)), [
          "arguments",
          "Invalid arguments: their `type` must not be `tool_call`"
        ])
      }
    })
  )
})

describe("a call", () => {
  it.effect("gives the value itself", () =>
    Effect.gen(function* () {
      for (const value of [1, "text", '{"a":1}', { a: [1, null] }, [], false]) {
        assert.deepStrictEqual(yield* call(async () => value), value)
      }
      assert.isNull(yield* call(async () => undefined))
      const error = yield* Effect.flip(call(async () => new Map()))
      assert.instanceOf(error, ToolResultError)
    })
  )

  it.effect("reports what a generator yields, when it comes; what it returns is the result", () =>
    Effect.gen(function* () {
      const reported = yield* Deferred.make<void>()
      const run = async function* () {
        yield "10 %"
        await Effect.runPromise(Deferred.await(reported))
        yield { done: 1 }
        return "all"
      }
      const seen: Array<unknown> = []
      const progress = (value: unknown) =>
        Effect.andThen(
          Effect.sync(() => seen.push(value)),
          Deferred.succeed(reported, undefined)
        )
      assert.strictEqual(yield* Toolset.call(only(run), "t", {}).pipe(asCall({ progress })), "all")
      assert.deepStrictEqual(seen, ["10 %", { done: 1 }])
    })
  )

  it.effect("does not report what tools inside it yield", () =>
    Effect.gen(function* () {
      const inner = tool(
        async function* () {
          yield "inside"
          return 1
        },
        { name: "inner", schema: z.object({}) }
      )
      const outer = async (_: object, config: object) => inner.invoke({}, config)
      const { progress, value } = yield* observed(only(outer), "t", {})
      assert.deepStrictEqual([progress, value], [[], 1])
    })
  )

  it.effect("knows what its toolset was told", () =>
    Effect.gen(function* () {
      const run = async (_: object, { configurable, context, metadata, signal, tags }: any) => ({
        configurable,
        context,
        tags,
        user: metadata.user,
        isAborted: signal.aborted
      })
      const config = {
        configurable: { thread_id: "7" },
        context: { tenant: "x" },
        metadata: { user: "ada" },
        tags: ["t1"]
      }
      const told = Toolset.call(only(run, {}, { config }), "t", {})
      assert.deepStrictEqual(yield* told, {
        configurable: { thread_id: "7" },
        context: { tenant: "x" },
        tags: ["t1"],
        user: "ada",
        isAborted: false
      })
      assert.deepStrictEqual(yield* told, yield* told)
    })
  )
})

describe("a tool that throws", () => {
  it.effect("does what its toolset's policy says", () =>
    Effect.gen(function* () {
      const message = "upstream returned 503"
      const run = failing(new Error(message))
      const policy = <Mode extends Toolset.OnError | undefined>(onError: Mode) =>
        Toolset.call(only(run, {}, { onError }), "t", {})
      assert.deepStrictEqual(yield* retry(call(run)), ["body", message])
      assert.deepStrictEqual(yield* retry(policy("retry")), ["body", message])
      assert.deepStrictEqual(yield* retry(policy(undefined)), ["body", message])
      assert.deepStrictEqual(yield* Effect.flip(policy("recover")), new ToolFailed({ message }))
      const error = yield* Effect.flip(policy("fail"))
      assert.instanceOf(error, LangChain.LangChainToolError)
      assert.strictEqual(error.message, `The tool 't' failed: ${message}`)
      assert.strictEqual((error.cause as Error).message, message)
    })
  )

  it.effect("shows no stack to the model", () =>
    Effect.gen(function* () {
      const error = new Error(
        "Bad row.\n    at parse (file:///home/me/db.mjs:3:7)\n    at async Promise.all (index 0)"
      )
      const [, message] = yield* retry(call(failing(error)))
      assert.strictEqual(message, "Bad row.")
    })
  )
})

describe("a call that is interrupted", () => {
  it.effect("aborts the signal of the tool, and does not wait for it", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<AbortSignal>()
      const run = async (_: object, { signal }: { signal: AbortSignal }) => {
        Deferred.doneUnsafe(begun, Effect.succeed(signal))
        return new Promise(() => {})
      }
      const fiber = yield* Effect.forkChild(Toolset.call(only(run), "t", {}))
      const signal = yield* Deferred.await(begun)
      assert.isFalse(signal.aborted)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(signal.aborted)
    })
  )
})
