/** Runs in workflows that wait for answers from outside: told once, at rest meanwhile, answered by whoever has the token. */
import { assert } from "@effect/vitest"
import { Effect, Queue, Redacted, Schema } from "effect"
import { DurableDeferred } from "effect/workflow"
import { Agent, ModelRetry, Secrets, ToolCall, ToolReturn, Toolset } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "../agent/answers.ts"
import { doing } from "./attempts.ts"
import { asked } from "./models.ts"
import { onEveryEngine, ordering } from "./workflows.ts"

const { calls, text } = ScriptedModel

const pay = Toolset.tool("pay", {
  parameters: Schema.Struct({ n: Schema.Int }),
  requiresApproval: true,
  handler: Effect.fnUntraced(function* ({ n }) {
    const { approved, metadata } = yield* ToolCall
    return `paid ${n}, ${approved ? (metadata.by ?? "by somebody") : "and nobody said so"}`
  })
})
const bank = Agent.make({ toolsets: [Toolset.withId(pay, "bank")] })

onEveryEngine("a run in a workflow that waits", ({ it, provided }) => {
  it.effect("tells so once, is at rest, and goes on when the answer comes", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const opened = Toolset.unwrap(
        Effect.as(
          Effect.acquireRelease(does("opened", undefined), () => does("closed", undefined)),
          pay
        )
      )
      const agent = Agent.make({ toolsets: [Toolset.withId(opened, "bank")] })
      const { atRest, ended, inbox, start } = yield* ordering(agent)
      yield* start
      const { kind, request, token } = yield* Queue.take(inbox)
      yield* atRest
      assert.deepStrictEqual([kind, request.args], ["approval", { n: 1 }])
      yield* Durable.answer(token, { approval: true })
      const { messages, replayed, usage } = yield* ended
      assert.deepStrictEqual(resultsIn(messages), [["pay", "paid 1, by somebody"]])
      assert.strictEqual(yield* asked, 2)
      assert.deepStrictEqual([usage.requests, replayed.requests], [2, 1])
      assert.strictEqual(yield* Queue.size(inbox), 0)
      // It was closed while it waited.
      assert.deepStrictEqual(done, ["opened", "closed", "opened", "closed"])
    }).pipe(provided([calls({ pay: { n: 1 } }), text("Done.")]))
  )

  it.effect("waits for all that it has asked, in whichever order it is answered", () =>
    Effect.gen(function* () {
      const look = Toolset.external([
        { name: "look", parameters: { type: "object" } },
        { name: "read", parameters: { type: "object" } }
      ])
      const agent = Agent.make({ toolsets: [Toolset.withId(Toolset.combined(pay, look), "bank")] })
      const { ended, inbox, start } = yield* ordering(agent)
      yield* start
      const waiting = yield* Queue.takeN(inbox, 5)
      const tokenOf = (id: string) => waiting.find(({ request }) => request.toolCallId === id)!.token
      yield* Durable.answer(tokenOf("4"), { result: new ModelRetry({ message: "Later." }) })
      yield* Durable.answer(tokenOf("3"), {
        result: new ToolReturn({ value: { at: "noon" }, metadata: { n: 1 } })
      })
      yield* Durable.answer(tokenOf("5"), { approval: { approve: { n: 9 } } })
      yield* Durable.answer(tokenOf("2"), { approval: { deny: "Too much." } })
      yield* Durable.answer(tokenOf("1"), { approval: true, metadata: { by: "Ada" } })
      const { messages } = yield* ended
      assert.deepStrictEqual(resultsIn(messages), [
        ["pay", "paid 1, Ada"],
        ["pay", "Too much."],
        ["look", { at: "noon" }],
        ["read", "Later.\n\nFix the errors and try again."],
        ["pay", "paid 9, by somebody"]
      ])
      assert.strictEqual(yield* asked, 2)
    }).pipe(
      provided([
        calls([
          { name: "pay", args: { n: 1 }, id: "1" },
          { name: "pay", args: { n: 2 }, id: "2" },
          { name: "look", args: {}, id: "3" },
          { name: "read", args: {}, id: "4" },
          { name: "pay", args: { n: 5 }, id: "5" }
        ]),
        text("Done.")
      ])
    )
  )

  it.effect("waits again where it asks again, also under the same id of a call", () =>
    Effect.gen(function* () {
      const { ended, inbox, start } = yield* ordering(bank)
      yield* start
      const first = yield* Queue.take(inbox)
      yield* Durable.answer(first.token, { approval: true })
      const second = yield* Queue.take(inbox)
      assert.notStrictEqual(second.token, first.token)
      yield* Durable.answer(second.token, { approval: false })
      const { messages } = yield* ended
      assert.deepStrictEqual(resultsIn(messages), [
        ["pay", "paid 1, by somebody"],
        ["pay", "The tool call was denied."]
      ])
    }).pipe(
      provided([
        calls([{ name: "pay", args: { n: 1 }, id: "1" }]),
        calls([{ name: "pay", args: { n: 1 }, id: "1" }]),
        text("Done.")
      ])
    )
  )

  it.effect("takes the first answer, and none that cannot be one", () =>
    Effect.gen(function* () {
      const { ended, inbox, start } = yield* ordering(bank)
      yield* start
      const { token } = yield* Queue.take(inbox)
      const problem = (token: string, reply: Durable.Reply) =>
        Effect.map(Effect.flip(Durable.answer(token, reply)), (error) => {
          assert.isFalse(error.isRetryable)
          return error.problem
        })
      const noToken = "This is no token of a call that waits."
      assert.strictEqual(yield* problem("hello", { approval: true }), noToken)
      assert.strictEqual(yield* problem("", { approval: true }), noToken)
      const other = DurableDeferred.TokenParsed.make({
        ...DurableDeferred.TokenParsed.fromString(DurableDeferred.Token.make(token)),
        deferredName: "mine"
      })
      assert.strictEqual(yield* problem(other.asToken, { approval: true }), noToken)
      assert.strictEqual(
        yield* problem(token, { result: 1 }),
        "The call waits for an approval, and was given a result."
      )
      assert.include(yield* problem(token, { approval: { approve: 1n } }), "is not JSON")
      assert.include(yield* problem(token, { approval: "yes" as never }), "an approval is")
      const tooLarge = Durable.answer(token, { approval: { deny: "x".repeat(200) } }).pipe(
        Effect.provideService(Durable.MaxRecordBytes, 100)
      )
      assert.strictEqual((yield* Effect.flip(tooLarge)).reason, "TooLarge")
      yield* Durable.answer(token, { approval: { deny: "No." } })
      yield* Durable.answer(token, { approval: true })
      assert.deepStrictEqual(resultsIn((yield* ended).messages), [["pay", "No."]])
    }).pipe(provided([calls({ pay: { n: 1 } }), text("Done.")]))
  )

  it.effect("hides the secrets in an answer", () =>
    Effect.gen(function* () {
      const { ended, inbox, start } = yield* ordering(bank)
      yield* start
      const { token } = yield* Queue.take(inbox)
      yield* Durable.answer(token, { approval: { deny: "Not with hunter22." } }).pipe(
        Effect.provide(Secrets.layer(Redacted.make("hunter22")))
      )
      assert.deepStrictEqual(resultsIn((yield* ended).messages), [["pay", "Not with ***."]])
    }).pipe(provided([calls({ pay: { n: 1 } }), text("Done.")]))
  )

  it.effect("inside a tool of another one is asked by that one", () =>
    Effect.gen(function* () {
      const inner = Agent.asTool(bank, { name: "ask", parameters: Schema.Struct({}), prompt: () => "Work." })
      const { ended, inbox, start } = yield* ordering(
        Agent.make({ instructions: "Outer.", toolsets: [Toolset.withId(inner, "agents")] })
      )
      yield* start
      const { request, token } = yield* Queue.take(inbox)
      assert.deepStrictEqual(request.source, ["ask", "bank", "pay"])
      yield* Durable.answer(token, { approval: true })
      const { messages, usage } = yield* ended
      assert.deepStrictEqual(resultsIn(messages), [["ask", "Done."]])
      assert.deepStrictEqual([usage.requests, yield* asked], [4, 4])
    }).pipe(
      provided(({ prompt }) => {
        const isOuter = prompt.content.some(({ role }) => role === "system")
        const isAnswered = prompt.content.some(({ role }) => role === "tool")
        return isAnswered ? text("Done.") : calls(isOuter ? { ask: {} } : { pay: { n: 1 } })
      })
    )
  )
})
