/** The way of one call: look up, decode, validate, gate, call, encode, record. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  Agent,
  ApprovalRequired,
  CallDeferred,
  DeferralNotAllowed,
  ModelRetry,
  ToolCall,
  ToolFailed,
  ToolRetriesExceeded,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn, retry } from "./answers.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."
type Call = { readonly name: string; readonly args: unknown }

/** A model that makes these calls in one response, and then is done. */
const calling = (...all: ReadonlyArray<Call>) => ScriptedModel.layer([calls(all), text("Done.")])
const t = (args: unknown): Call => ({ name: "t", args })

const run = <E>(toolset: Toolset.Toolset<E>, options?: { readonly retries: number }) =>
  Agent.run(Agent.make({ toolsets: [toolset] }), { prompt, ...options })

/** A tool that writes down which of its parts were asked, in order. */
const logging = (log: Array<string>, name: string, options?: { readonly maxRetries: number }) =>
  Toolset.tool(name, {
    ...options,
    parameters: Schema.Struct({ x: Schema.Int }),
    validateArgs: ({ x }) => Effect.sync(() => log.push(`${name} validates ${x}`)),
    requiresApproval: ({ x }) => {
      log.push(`${name} asks about ${x}`)
      return false
    },
    handler: ({ x }) => Effect.sync(() => (log.push(`${name} runs ${x}`), { x }))
  })

describe("a call", () => {
  it.effect("passes every part once, in order", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const wrapped = logging(log, "t").pipe(
        Toolset.wrapper((call, next) =>
          Effect.sync(() => log.push(`wrapper before ${JSON.stringify(call.args)}`)).pipe(
            Effect.andThen(next(call)),
            Effect.tap((result) =>
              Effect.sync(() => log.push(`wrapper after ${JSON.stringify(result.value)}`))
            )
          )
        )
      )
      yield* run(wrapped)
      assert.deepStrictEqual(log, [
        "t validates 1",
        'wrapper before {"x":1}',
        "t asks about 1",
        "t runs 1",
        'wrapper after {"x":1}'
      ])
    }).pipe(Effect.provide(calling(t({ x: 1 }))))
  )

  it.effect("is admitted before any call of its response runs", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      yield* run(Toolset.combined(logging(log, "a"), logging(log, "b"), logging(log, "c")))
      assert.deepStrictEqual(log.slice(0, 3), ["a validates 1", "b validates 2", "c validates 3"])
      assert.strictEqual(log.length, 9)
    }).pipe(
      Effect.provide(
        calling({ name: "a", args: { x: 1 } }, { name: "b", args: { x: 2 } }, { name: "c", args: { x: 3 } })
      )
    )
  )

  it.effect("keeps the others from running when its arguments spend the budget", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const toolset = Toolset.combined(
        logging(log, "a"),
        logging(log, "b"),
        logging(log, "c", { maxRetries: 0 })
      )
      const error = yield* Effect.flip(run(toolset))
      assert.deepInclude(error, { _tag: "ToolRetriesExceeded", toolName: "c", maxRetries: 0 })
      assert.deepStrictEqual(log, ["a validates 1", "b validates 2"])
    }).pipe(
      Effect.provide(
        calling(
          { name: "a", args: { x: 1 } },
          { name: "b", args: { x: 2 } },
          { name: "c", args: { x: "three" } },
          { name: "a", args: { x: 4 } }
        )
      )
    )
  )

  it.effect("lets the others run when it is sent back within the budget", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const { messages } = yield* run(Toolset.combined(logging(log, "a"), logging(log, "b")))
      assert.deepStrictEqual(log, ["b validates 2", "b asks about 2", "b runs 2"])
      assert.deepStrictEqual(resultsIn(messages)[1], ["b", { x: 2 }])
    }).pipe(Effect.provide(calling({ name: "a", args: { x: "one" } }, { name: "b", args: { x: 2 } })))
  )
})

describe("the validator of a tool", () => {
  const validated = (validateArgs: (args: { x: number }) => Effect.Effect<void, any>) => {
    const ran: Array<number> = []
    const toolset: Toolset.Toolset<any> = Toolset.tool("t", {
      parameters: Schema.Struct({ x: Schema.Int }),
      validateArgs,
      handler: ({ x }) => Effect.sync(() => ran.push(x))
    })
    return { ran, toolset }
  }

  it.effect("knows the call, with decoded arguments (P74)", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const toolset = Toolset.tool("t", {
        parameters: Schema.Struct({ on: Schema.DateTimeUtcFromString }),
        validateArgs: Effect.fnUntraced(function* ({ on }) {
          const { attempt, exposedName } = yield* ToolCall
          seen.push([exposedName, attempt, on.epochMilliseconds])
        }),
        handler: () => Effect.void
      })
      yield* run(Toolset.prefixed(toolset, "p"))
      assert.deepStrictEqual(seen, [["p_t", 0, 0]])
    }).pipe(Effect.provide(calling({ name: "p_t", args: { on: "1970-01-01T00:00:00Z" } })))
  )

  it.effect("asks for a retry, and the body does not run (P75)", () =>
    Effect.gen(function* () {
      const { ran, toolset } = validated(() => Effect.fail(new ModelRetry({ message: "Too small." })))
      const { messages } = yield* run(toolset)
      assert.deepStrictEqual(resultsIn(messages), [["t", retry("Too small.")]])
      const error = yield* Effect.flip(Effect.provide(run(toolset, { retries: 0 }), calling(t({ x: 1 }))))
      const last = "Too small."
      assert.deepStrictEqual(error, new ToolRetriesExceeded({ toolName: "t", maxRetries: 0, last }))
      assert.deepStrictEqual(ran, [])
    }).pipe(Effect.provide(calling(t({ x: 1 }))))
  )

  it.effect("is not asked about arguments that do not decode (P76)", () =>
    Effect.gen(function* () {
      const { ran, toolset } = validated(() => Effect.die("asked"))
      yield* run(toolset)
      assert.deepStrictEqual(ran, [])
    }).pipe(Effect.provide(calling(t({ x: "one" }))))
  )

  it.effect("may say that the call failed", () =>
    Effect.gen(function* () {
      const { ran, toolset } = validated(() => Effect.fail(new ToolFailed({ message: "No such thing." })))
      const { messages } = yield* run(toolset, { retries: 0 })
      assert.deepStrictEqual(resultsIn(messages), [["t", "No such thing."]])
      assert.deepStrictEqual(ran, [])
    }).pipe(Effect.provide(calling(t({ x: 1 }))))
  )

  it.effect("may fail the run", () =>
    Effect.gen(function* () {
      const { ran, toolset } = validated(() => Effect.fail("boom"))
      assert.strictEqual(yield* Effect.flip(run(toolset)), "boom")
      assert.deepStrictEqual(ran, [])
    }).pipe(Effect.provide(calling(t({ x: 1 }))))
  )
})

describe("a call that waits for somebody", () => {
  const gated = Toolset.tool("t", {
    parameters: Schema.Struct({ x: Schema.Int }),
    requiresApproval: true,
    handler: () => Effect.die("ran")
  })

  it.effect("fails a run that cannot say so, with the names as the model called them (P115)", () =>
    Effect.gen(function* () {
      const ran: Array<string> = []
      const toolset = Toolset.combined(
        Toolset.tool("a", { handler: () => Effect.sync(() => ran.push("a")) }),
        Toolset.external([{ name: "front_end" }]),
        Toolset.tool("later", { handler: () => Effect.fail(new CallDeferred({})) }),
        Toolset.tool("ask", { handler: () => Effect.fail(new ApprovalRequired({})) }),
        gated
      )
      const error = yield* Effect.flip(run(Toolset.prefixed(toolset, "p")))
      const toolNames = ["p_t", "p_front_end", "p_ask", "p_later"]
      assert.deepStrictEqual(error, new DeferralNotAllowed({ toolNames }))
      assert.deepStrictEqual(ran, ["a"])
      assert.strictEqual((yield* ScriptedModel.requests).length, 1)
    }).pipe(
      Effect.provide(
        calling(
          { name: "p_t", args: { x: 1 } },
          { name: "p_front_end", args: {} },
          { name: "p_a", args: {} },
          { name: "p_ask", args: {} },
          { name: "p_later", args: {} }
        )
      )
    )
  )

  it.effect("waits with valid arguments only; others go back to the model (P110)", () =>
    Effect.gen(function* () {
      const { messages } = yield* run(gated)
      assert.deepStrictEqual(resultsIn(messages), [
        ["t", retry('Invalid arguments: Expected number\n  at ["x"]')]
      ])
    }).pipe(Effect.provide(calling(t({ x: "one" }))))
  )

  it.effect("spends no budget, but its bad arguments do (P111)", () =>
    Effect.gen(function* () {
      const waits = Effect.provide(run(gated, { retries: 0 }), calling(t({ x: 1 })))
      assert.instanceOf(yield* Effect.flip(waits), DeferralNotAllowed)
      const wrong = Effect.provide(run(gated, { retries: 0 }), calling(t({ x: "one" })))
      assert.instanceOf(yield* Effect.flip(wrong), ToolRetriesExceeded)
    })
  )
})
