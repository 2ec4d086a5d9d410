/** What is asked of somebody about a call that waits. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Response } from "effect/ai"
import { Agent, ApprovalRequired, CallDeferred, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn } from "./answers.ts"
import { asking, calling, plain, requestsIn, waiting } from "./deferring.ts"

const { calls, parts } = ScriptedModel
const prompt = "Go."

describe("a request", () => {
  const Day = Schema.Struct({
    day: Schema.DateFromString,
    times: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(2)))
  })
  const book = Toolset.tool("book", {
    parameters: Day,
    handler: () => Effect.fail(new CallDeferred({ metadata: { queue: "desk" } }))
  })

  it.effect("says what would run, what the model said, where it was declared, and why (P108)", () =>
    Effect.gen(function* () {
      const toolset = Toolset.combined(book, Toolset.external([{ name: "e" }])).pipe(
        Toolset.withId("travel"),
        Toolset.prefixed("my")
      )
      const first = yield* Agent.run(asking(toolset), { prompt })
      const [booking, other] = requestsIn(first).calls
      assert.deepInclude(booking, {
        toolCallId: "my_book",
        toolName: "my_book",
        args: { day: "2026-11-30T00:00:00.000Z", times: 2 },
        rawArgs: { day: "2026-11-30" },
        source: ["travel", "book"],
        metadata: { queue: "desk" }
      })
      assert.match(booking!.digest, /^[0-9a-f]{64}$/)
      assert.deepInclude(other, { toolName: "my_e", source: ["travel", "e"], metadata: {} })
    }).pipe(Effect.provide(calling({ my_book: { day: "2026-11-30" }, my_e: {} })))
  )

  it.effect("has another digest for another id, name, place or value, and the same for the same", () =>
    Effect.gen(function* () {
      const digests = (args: unknown, id: string, toolset: Toolset.Toolset, name: string) =>
        Agent.run(asking(toolset), { prompt }).pipe(
          Effect.map((first) => requestsIn(first).calls[0]!.digest),
          Effect.provide(ScriptedModel.layer([calls([{ name, args, id }])]))
        )
      const any = Toolset.external([
        { name: "e", parameters: { type: "object", properties: { a: {}, b: {} } } }
      ])
      const one = yield* digests({ a: 1, b: { c: 2, d: 3 } }, "1", any, "e")
      assert.strictEqual(yield* digests({ b: { d: 3, c: 2 }, a: 1 }, "1", any, "e"), one)
      assert.strictEqual(yield* digests('{"a":1,"b":{"c":2,"d":3}}', "1", any, "e"), one)
      const others = [
        yield* digests({ a: 1, b: { c: 2, d: 4 } }, "1", any, "e"),
        yield* digests(
          {
            a: 1,
            b: [
              ["c", 2],
              ["d", 3]
            ]
          },
          "1",
          any,
          "e"
        ),
        yield* digests({ a: "1", b: { c: 2, d: 3 } }, "1", any, "e"),
        yield* digests({ a: 1, b: { c: 2, d: 3 } }, "2", any, "e"),
        yield* digests({ a: 1, b: { c: 2, d: 3 } }, "1", Toolset.prefixed(any, "p"), "p_e"),
        yield* digests({ a: 1, b: { c: 2, d: 3 } }, "1", Toolset.withId(any, "id"), "e")
      ]
      assert.strictEqual(new Set([one, ...others]).size, 7)
    })
  )

  it.effect("has arguments that came as text, or not at all, as they were read", () =>
    Effect.gen(function* () {
      const external = Toolset.external([{ name: "e" }, { name: "n" }])
      const first = yield* Agent.run(asking(waiting("t", new CallDeferred({})), external), { prompt })
      assert.deepStrictEqual(
        requestsIn(first).calls.map(({ args, rawArgs, toolName }) => [toolName, args, rawArgs]),
        [
          ["t", { x: 1 }, '{"x":1}'],
          ["e", {}, ""],
          ["n", {}, {}]
        ]
      )
    }).pipe(Effect.provide(calling({ t: '{"x":1}', e: "", n: undefined })))
  )

  it.effect("is never about arguments that the tool does not take (P110)", () =>
    Effect.gen(function* () {
      const strict = Toolset.external([
        { name: "e", parameters: { type: "object", properties: { x: { type: "integer" } }, required: ["x"] } }
      ])
      const first = yield* Agent.run(asking(strict, waiting("t", new ApprovalRequired({}))), { prompt })
      assert.strictEqual(first.output, "Done.")
      assert.deepStrictEqual(
        answersIn(first.messages).map((part) => [part.name, part.isFailure]),
        [
          ["e", true],
          ["t", true]
        ]
      )
    }).pipe(Effect.provide(calling({ e: { x: "one" }, t: {} })))
  )

  it.effect("may come from a wrapper", () =>
    Effect.gen(function* () {
      const toolset = plain("a").pipe(
        Toolset.wrapper(() => Effect.fail(new CallDeferred({ metadata: { by: "wrapper" } })))
      )
      const first = yield* Agent.run(asking(toolset), { prompt })
      assert.deepStrictEqual(requestsIn(first).calls[0]?.metadata, { by: "wrapper" })
    }).pipe(Effect.provide(calling({ a: {} })))
  )

  it.effect("may come from what was prepared to be external (P43)", () =>
    Effect.gen(function* () {
      const toolset = plain("a").pipe(
        Toolset.prepared((tools) => tools.map((tool) => ({ ...tool, kind: "external" as const })))
      )
      const first = yield* Agent.run(asking(toolset), { prompt })
      assert.lengthOf(requestsIn(first).calls, 1)
    }).pipe(Effect.provide(calling({ a: {} })))
  )
})

describe("calls of one id in one response", () => {
  const call = (id: string): Response.PartEncoded => ({ type: "tool-call", id, name: "a", params: {} })

  it.effect("are an invalid output that lists them, and nothing runs", () =>
    Effect.gen(function* () {
      let ran = 0
      const a = Toolset.tool("a", { handler: () => Effect.sync(() => ran++) })
      const error = yield* Effect.flip(Agent.run(asking(a), { prompt }))
      assert(error._tag === "AiError" && error.reason._tag === "InvalidOutputError")
      assert.include(error.message, "The model gave several calls one id: '1', '2'.")
      assert.strictEqual(ran, 0)
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([parts([call("1"), call("2"), call("1"), call("2"), call("3"), call("1")])])
      )
    )
  )
})
