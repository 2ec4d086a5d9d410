/** Answers and histories that do not fit: an error of the run that says what is wrong, before anything runs. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Prompt } from "effect/ai"
import { Agent, type Answers, DeferredCall, DeferredToolRequests, DeferredToolResults } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "./answers.ts"
import { asking, requestsIn } from "./deferring.ts"

import { all, clock, paying, prompt, refused, sending, stopped } from "./stopped.ts"

const { text } = ScriptedModel

/** What is wrong with these answers. */
const wrong = Effect.fnUntraced(function* (answers: Answers) {
  const { history, requests } = yield* stopped()
  const error = yield* refused(history, DeferredToolResults.from(requests, answers))
  return [error.problem, error.toolCallIds] as const
})

describe("an answer", () => {
  const cases: Record<string, readonly [Answers, string, ReadonlyArray<string>]> = {
    "of an unknown id": [
      { ...all, calls: { ...all.calls, nobody: 1 } },
      "There is no call of this id that waits",
      ["nobody"]
    ],
    "of an unknown id among the approvals": [
      { ...all, approvals: { ...all.approvals, nobody: true } },
      "There is no call of this id that waits",
      ["nobody"]
    ],
    "with a result where an approval was asked": [
      { approvals: { send: true }, calls: { ...all.calls, pay: "paid" } },
      "The call waits for an approval, and was given a result",
      ["pay"]
    ],
    "with an approval where a result was asked (P118)": [
      { approvals: { ...all.approvals, clock: true } },
      "The call waits for a result, and was given an approval",
      ["clock"]
    ],
    "with a denial where a result was asked": [
      { approvals: { ...all.approvals, clock: { deny: "No." } } },
      "The call waits for a result, and was given an approval",
      ["clock"]
    ],
    "that is missing (P122)": [
      { approvals: { send: true } },
      "Results are missing for calls that wait",
      ["pay", "clock"]
    ],
    "that is missing, of all (P122)": [
      {},
      "Results are missing for calls that wait",
      ["pay", "send", "clock"]
    ],
    "given twice": [{ ...all, calls: { ...all.calls, pay: "paid" } }, "Calls were answered twice", ["pay"]],
    "for a call that has run (P123)": [
      { ...all, calls: { ...all.calls, now: "midnight" } },
      "A call that has its answer already cannot be answered again",
      ["now"]
    ],
    "that is not JSON": [
      { ...all, calls: { clock: { at: [new Map()] } } },
      "The answer cannot be used: it is not JSON: at: 0: A Map is not JSON: give the tool a success schema.",
      ["clock"]
    ],
    "with arguments that are not JSON": [
      { ...all, approvals: { ...all.approvals, pay: { approve: { amount: Number.NaN } } } },
      "The answer cannot be used: it is not JSON: amount: NaN is not a JSON number.",
      ["pay"]
    ]
  }
  for (const [title, [answers, problem, ids]] of Object.entries(cases)) {
    it.effect(title, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* wrong(answers), [problem, ids])
      })
    )
  }

  it.effect("that no compiler has seen is refused as well", () =>
    Effect.gen(function* () {
      const unusable = "The answer cannot be used: an approval is true, false, { approve } or { deny }"
      for (const approval of ["yes", 1, null, undefined, [], {}, { deny: 1 }]) {
        const answers = { ...all, approvals: { ...all.approvals, pay: approval } } as unknown as Answers
        assert.deepStrictEqual(yield* wrong(answers), [unusable, ["pay"]])
      }
      const bad = { ...all, metadata: { pay: "Ada" } } as unknown as Answers
      assert.deepStrictEqual(yield* wrong(bad), [
        "The answer cannot be used: its metadata is no object",
        ["pay"]
      ])
    })
  )

  it.effect("names the calls in its message", () =>
    Effect.gen(function* () {
      const { history, requests } = yield* stopped()
      const { message } = yield* refused(history, DeferredToolResults.from(requests, {}))
      assert.strictEqual(message, "Results are missing for calls that wait ('pay', 'send', 'clock')")
    })
  )

  it.effect("to another call of the same id is refused", () =>
    Effect.gen(function* () {
      const { history, requests } = yield* stopped()
      const others = [
        { toolName: "send" },
        { rawArgs: { amount: 21 } },
        { rawArgs: '{"amount":20}' },
        { rawArgs: null }
      ]
      for (const other of others) {
        const [pay, ...rest] = requests.approvals
        const forged = new DeferredToolRequests({
          ...requests,
          approvals: [new DeferredCall({ ...pay!, ...other }), ...rest]
        })
        const error = yield* refused(history, DeferredToolResults.from(forged, all))
        assert.deepStrictEqual([error.problem, error.toolCallIds], ["The answer is to another call", ["pay"]])
      }
    })
  )

  it.effect("whose kind was forged is refused: a result is no approval, whatever list it says", () =>
    Effect.gen(function* () {
      const { history, requests } = yield* stopped()
      const { answers, suspended } = DeferredToolResults.from(requests, all)
      const [pay, send, time] = answers
      const swapped = [
        [{ ...pay!, answer: time!.answer }, send!, time!],
        [pay!, send!, { ...time!, answer: pay!.answer }]
      ]
      for (const answers of swapped) {
        const error = yield* refused(history, new DeferredToolResults({ answers, suspended }))
        assert.match(error.problem, /^The call waits for (an approval|a result), and was given/)
      }
    })
  )

  it.effect("that fits runs everything: the same answers, without a mistake", () =>
    Effect.gen(function* () {
      const { history, requests } = yield* stopped()
      const ran: Array<unknown> = []
      const agent = asking(paying(ran), sending(ran), clock)
      const { messages } = yield* Agent.run(agent, {
        history,
        deferredResults: DeferredToolResults.from(requests, all)
      }).pipe(Effect.provide(ScriptedModel.layer([text("Done.")])))
      assert.deepStrictEqual(ran, [{ amount: 20 }, "send"])
      assert.deepStrictEqual(
        resultsIn(messages).map(([name]) => name),
        ["pay", "send", "clock", "now"]
      )
    })
  )
})

describe("a history", () => {
  const results = Effect.map(stopped(), ({ requests }) => DeferredToolResults.from(requests, all))
  const problem = Effect.fnUntraced(function* (history: Prompt.Prompt) {
    return (yield* refused(history, yield* results)).problem
  })

  it.effect("that is empty takes no results (P121)", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* problem(Prompt.empty), "Results were given, and the history is empty")
    })
  )
  it.effect("without a response takes no results (P121)", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* problem(Prompt.make("Hello.")),
        "Results were given, and the history has no response of a model"
      )
    })
  )
  it.effect("in which nothing waits takes no results (P121)", () =>
    Effect.gen(function* () {
      const answered = Prompt.make([
        { role: "user", content: "Hello." },
        { role: "assistant", content: [{ type: "text", text: "Hello." }] }
      ])
      assert.strictEqual(
        yield* problem(answered),
        "Results were given, and the history has no calls that wait"
      )
    })
  )
  it.effect("that has gone on takes no results twice", () =>
    Effect.gen(function* () {
      const { history, requests } = yield* stopped()
      const deferredResults = DeferredToolResults.from(requests, all)
      const { messages } = yield* Agent.run(asking(paying([]), sending([]), clock), {
        history,
        deferredResults
      }).pipe(Effect.provide(ScriptedModel.layer([text("Done.")])))
      assert.strictEqual(
        (yield* refused(messages, deferredResults)).problem,
        "Results were given, and the history has no calls that wait"
      )
    })
  )

  it.effect("with two calls of one id is refused, with results and without (P127)", () =>
    Effect.gen(function* () {
      const call = (id: string, amount: number) =>
        Prompt.toolCallPart({ id, name: "pay", params: { amount }, providerExecuted: false })
      const response = (...content: ReadonlyArray<Prompt.ToolCallPart>) =>
        Prompt.fromMessages([...Prompt.make(prompt).content, Prompt.assistantMessage({ content })])
      // A yes to the first is none to the second.
      const first = yield* Agent.run(asking(paying([])), { history: response(call("1", 1)) }).pipe(
        Effect.provide(ScriptedModel.layer([]))
      )
      const answers = DeferredToolResults.from(requestsIn(first), { approveAll: true })
      const twice = response(call("1", 1), call("2", 2), call("1", 1000))
      const error = yield* refused(twice, answers)
      assert.deepStrictEqual(error.toolCallIds, ["1"])
      assert.include(error.problem, "have one id")
      const ran: Array<unknown> = []
      const alone = yield* Agent.run(asking(paying(ran)), { history: twice }).pipe(
        Effect.flip,
        Effect.provide(ScriptedModel.layer([]))
      )
      assert.deepStrictEqual([alone, ran], [error, []])
    })
  )
})
