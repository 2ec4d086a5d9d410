/** Runs that cannot fail: how they ended, and a history in which every call is answered. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Schema } from "effect"
import { Prompt, type Response } from "effect/ai"
import {
  Agent,
  CallDeferred,
  DeferredToolRequests,
  DeferredToolResults,
  ModelRetry,
  ToolReturn,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn, callsIn, resultsIn } from "./answers.ts"

const { calls, layer, parts, text } = ScriptedModel
const prompt = "Go."
const unanswered = "The run ended before this call had a result."

const tool = <E>(name: string, end: Effect.Effect<unknown, E>) => Toolset.tool(name, { handler: () => end })
const quick = tool("quick", Effect.succeed(1))
/** Ends after the others had time to. */
const late = <A, E>(end: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    for (let i = 0; i < 20; i++) yield* Effect.yieldNow
    return yield* end
  })

/** What the history says of each call, and that it can be gone on from. */
const closed = (messages: Prompt.Prompt) =>
  Effect.gen(function* () {
    assert.deepStrictEqual(
      answersIn(messages).map((answer) => answer.id),
      callsIn(messages).map((call) => call.id)
    )
    const again = Agent.run(Agent.make({}), { prompt: "And now?", history: messages })
    const { output } = yield* Effect.provide(again, layer([text("Goes on.")]))
    assert.strictEqual(output, "Goes on.")
    return resultsIn(messages)
  })

describe("a run that ends well", () => {
  it.effect("is a success with its output, history and usage", () =>
    Effect.gen(function* () {
      const history = Prompt.make("Hello.")
      const { exit, messages, newMessages, usage } = yield* Agent.runExit(Agent.make({ toolsets: [quick] }), {
        prompt,
        history
      })
      assert.deepStrictEqual(exit, Exit.succeed("Done."))
      assert.deepStrictEqual(usage, { requests: 2, toolCalls: 1, inputTokens: 2, outputTokens: 2 })
      assert.strictEqual(messages.content.length, newMessages.content.length + 1)
      assert.deepStrictEqual(yield* closed(messages), [["quick", 1]])
    }).pipe(Effect.provide(layer([calls({ quick: {} }), text("Done.")])))
  )

  it.effect("may wait: its calls are not answered then", () =>
    Effect.gen(function* () {
      const agent = Agent.make({
        toolsets: [quick, tool("ask", new CallDeferred({}))],
        output: [Schema.String, DeferredToolRequests]
      })
      const { exit, messages } = yield* Agent.runExit(agent, { prompt })
      assert(exit._tag === "Success" && exit.value instanceof DeferredToolRequests)
      assert.deepStrictEqual(resultsIn(messages), [["quick", 1]])
    }).pipe(Effect.provide(layer([calls({ ask: {}, quick: {} })])))
  )
})

describe("a run that ends otherwise", () => {
  const ends: ReadonlyArray<
    readonly [title: string, end: Effect.Effect<unknown, string | ModelRetry | CallDeferred>, tag: string]
  > = [
    ["a failure of a tool", Effect.fail("boom"), "Fail boom"],
    ["a defect", Effect.die("bug"), "Die bug"],
    ["an interruption inside", Effect.interrupt, "Interrupt"],
    ["a result that is no JSON", Effect.succeed(1n), "Fail ToolResultError"],
    ["a call that nobody may defer", new CallDeferred({}), "Fail DeferralNotAllowed"],
    ["a retry too many", Effect.fail(new ModelRetry({ message: "Again." })), "Fail ToolRetriesExceeded"]
  ]
  const reasonOf = (exit: Exit.Exit<unknown, unknown>): string => {
    if (exit._tag === "Success") return "Success"
    const [reason] = exit.cause.reasons
    const given = reason?._tag === "Fail" ? reason.error : reason?._tag === "Die" ? reason.defect : undefined
    const name = typeof given === "object" && given !== null && "_tag" in given ? given._tag : given
    return name === undefined ? `${reason?._tag}` : `${reason?._tag} ${String(name)}`
  }
  for (const [title, end, expected] of ends) {
    it.effect(`says how, and answers every call, with the results that there were: ${title}`, () =>
      Effect.gen(function* () {
        const picture = new ToolReturn({ value: 2, content: [Prompt.textPart({ text: "a picture" })] })
        const agent = Agent.make({
          toolsets: [
            quick,
            tool("ends", late(end)),
            tool("show", Effect.succeed(picture)),
            tool("never", Effect.never)
          ],
          retries: 0
        })
        const concurrency = expected.includes("Deferral") ? 3 : undefined
        const { exit, messages, usage } = yield* Agent.runExit(agent, { prompt, concurrency })
        assert.strictEqual(reasonOf(exit), expected)
        const results = yield* closed(messages)
        assert.deepStrictEqual(results.slice(0, 3), [
          ["quick", 1],
          ["ends", results[1]?.[1]],
          ["show", 2]
        ])
        assert.include(JSON.stringify(messages.content.at(-1)), "a picture")
        assert.strictEqual(usage.toolCalls, 2)
      }).pipe(
        Effect.provide(
          layer([
            calls(
              (expected.includes("Deferral")
                ? ["quick", "ends", "show"]
                : ["quick", "ends", "show", "never"]
              ).map((name) => ({ name, args: {} }))
            )
          ])
        )
      )
    )
  }

  it.effect("tells what was not answered", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [tool("ends", Effect.fail("boom")), tool("never", Effect.never)] })
      const { exit, messages } = yield* Agent.runExit(agent, { prompt })
      assert.deepStrictEqual(exit, Exit.fail("boom"))
      assert.deepStrictEqual(
        answersIn(messages).map(({ isFailure, options, result }) => [result, isFailure, options]),
        ["ends", "never"].map(() => [unanswered, true, { "effect-toolset": { outcome: "Interrupted" } }])
      )
    }).pipe(Effect.provide(layer([calls({ ends: {}, never: {} })])))
  )

  it.effect("has what was used until then, also by a response that is incomplete", () =>
    Effect.gen(function* () {
      const cut: Response.PartEncoded = {
        type: "finish",
        reason: "length",
        usage: { inputTokens: { total: 5 }, outputTokens: { total: 7 } }
      } as Response.PartEncoded
      const model = layer([
        calls({ quick: {} }),
        parts([
          { type: "text", text: "It is" },
          { type: "tool-call", id: "half", name: "quick", params: {} },
          cut
        ])
      ])
      const run = Agent.runExit(Agent.make({ toolsets: [quick] }), { prompt })
      const { exit, messages, usage } = yield* Effect.provide(run, model)
      assert.strictEqual(reasonOf(exit), "Fail IncompleteResponse")
      assert.deepStrictEqual(usage, { requests: 2, toolCalls: 1, inputTokens: 6, outputTokens: 8 })
      assert.deepStrictEqual(yield* closed(messages), [
        ["quick", 1],
        ["quick", unanswered]
      ])
    })
  )

  it.effect("has what was said, where it cannot even begin", () =>
    Effect.gen(function* () {
      const history = Prompt.make("Hello.")
      const broken = Toolset.unwrap(Effect.fail("no connection" as const))
      const ended = yield* Agent.runExit(Agent.make({ toolsets: [broken] }), { history })
      assert.deepStrictEqual(ended.exit, Exit.fail("no connection"))
      assert.deepStrictEqual(ended.messages.content, history.content)
      const flawed = yield* Agent.runExit(Agent.make({ output: [] }), { history })
      assert.strictEqual(reasonOf(flawed.exit), "Fail AgentDefinitionError")
      const silent = yield* Agent.runExit(Agent.make({}), { prompt })
      assert.strictEqual(reasonOf(silent.exit), "Fail AiError")
      assert.strictEqual(silent.newMessages.content.length, 1)
    }).pipe(Effect.provide(layer([])))
  )

  it.effect("keeps what somebody has said to calls that waited", () =>
    Effect.gen(function* () {
      const pay = tool("pay", Effect.fail("broke")).pipe(Toolset.approvalRequired())
      const agent = Agent.make({
        toolsets: [pay, tool("ask", new CallDeferred({}))],
        output: [Schema.String, DeferredToolRequests]
      })
      const first = yield* Agent.run(agent, { prompt })
      assert(first.output instanceof DeferredToolRequests)
      const { exit, messages } = yield* Agent.runExit(agent, {
        history: first.messages,
        deferredResults: DeferredToolResults.from(first.output, {
          approvals: { a: { deny: "Too much." }, b: true },
          calls: { c: "blue" }
        })
      })
      assert.deepStrictEqual(exit, Exit.fail("broke"))
      assert.deepStrictEqual(yield* closed(messages), [
        ["pay", "Too much."],
        ["pay", unanswered],
        ["ask", "blue"]
      ])
    }).pipe(
      Effect.provide(
        layer([
          calls([
            { name: "pay", args: {}, id: "a" },
            { name: "pay", args: {}, id: "b" },
            { name: "ask", args: {}, id: "c" }
          ])
        ])
      )
    )
  )
})

describe("a run that is interrupted from outside", () => {
  it.effect("is interrupted", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const agent = Agent.make({
        toolsets: [tool("never", Effect.andThen(Deferred.succeed(started, undefined), Effect.never))]
      })
      const fiber = yield* Effect.forkChild(Agent.runExit(agent, { prompt }))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      const exit = yield* Fiber.await(fiber)
      assert(exit._tag === "Failure" && Cause.hasInterrupts(exit.cause))
    }).pipe(Effect.provide(layer([calls({ never: {} })])))
  )
})
