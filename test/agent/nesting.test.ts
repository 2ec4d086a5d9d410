/** Agents inside agents that wait: what is asked inside is asked outside, and what is said goes back. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import type { Prompt } from "effect/ai"
import {
  Agent,
  DeferredResultsMismatch,
  DeferredToolRequests,
  DeferredToolResults,
  ModelRetry,
  ToolCall,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { callsIn, resultsIn } from "./answers.ts"
import { asking, inShort, requestsIn, resumed, sentPrompt, sentRequests, sentResults } from "./deferring.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."
const task = Schema.Struct({ task: Schema.String })

const call = (name: string, args: unknown, id: string) => ({ name, args, id })

/** An agent as a tool of this name, with its instructions, by which the model knows who asks. */
const worker = <T extends Toolset.Any = never>(name: string, ...toolsets: ReadonlyArray<T>) =>
  Agent.asTool(Agent.make({ toolsets, instructions: name }), {
    name,
    parameters: task,
    prompt: ({ task }) => task
  })

/** Turns by who asks: the instructions of a worker, or nobody's. */
const casting = (cast: Readonly<Record<string, ReadonlyArray<ScriptedModel.Turn>>>) => {
  const used = new Map<string, number>()
  return ScriptedModel.layer(({ prompt }) => {
    const [first] = prompt.content
    const who = first?.role === "system" ? first.content : "outer"
    const n = used.get(who) ?? 0
    used.set(who, n + 1)
    return cast[who]?.[n] ?? text(`${who} has no turn ${n}.`)
  })
}

/** What a tool was run with, by its name. */
const noting = (ran: Array<unknown>, name: string) =>
  Toolset.tool(name, {
    parameters: Schema.Struct({ n: Schema.optionalKey(Schema.Int) }),
    handler: (args) => Effect.sync(() => (ran.push([name, args.n]), `${name} ran`))
  })

const stored = Effect.fnUntraced(function* <A>(result: Agent.Result<A>) {
  const messages = yield* sentPrompt(result.messages)
  const output = yield* sentRequests(requestsIn(result))
  return { ...result, messages, output }
})

describe("an agent inside an agent", () => {
  it.effect(
    "waits: the outer run asks under a path, and goes on where it was, in another process as well",
    () =>
      Effect.gen(function* () {
        const ran: Array<unknown> = []
        const inner = worker(
          "inner",
          Toolset.approvalRequired(noting(ran, "wipe")),
          noting(ran, "look"),
          Toolset.external([{ name: "clock" }])
        )
        const agent = asking(inner, noting(ran, "here"), Toolset.external([{ name: "there" }]))
        const first = yield* Agent.run(agent, { prompt })
        assert.deepStrictEqual(inShort(requestsIn(first)), {
          calls: [
            ["o/c", "clock", {}],
            ["t", "there", {}]
          ],
          approvals: [["o/w", "wipe", { n: 1 }]]
        })
        assert.deepStrictEqual(requestsIn(first).approvals[0]?.source, ["inner", "wipe"])
        assert.deepStrictEqual(resultsIn(first.messages), [["here", "here ran"]])
        assert.sameDeepMembers(ran, [
          ["here", undefined],
          ["look", undefined]
        ])
        assert.deepInclude(first.usage, { requests: 2, toolCalls: 2 })

        const after = yield* stored(first)
        const results = yield* sentResults(
          DeferredToolResults.from(after.output, {
            approvals: { "o/w": { approve: { n: 2 } } },
            calls: { "o/c": "21:30", t: 1 }
          })
        )
        const second = yield* Agent.run(agent, { history: after.messages, deferredResults: results })
        assert.strictEqual(second.output, "Done.")
        assert.deepStrictEqual(ran.slice(2), [["wipe", 2]])
        assert.deepStrictEqual(resultsIn(second.messages), [
          ["inner", "All done."],
          ["here", "here ran"],
          ["there", 1]
        ])
        // The call of the inner agent, that inside it, and two requests to the model.
        assert.deepInclude(second.usage, { requests: 2, toolCalls: 2 })
        const seen = (yield* ScriptedModel.requests)[2]!.prompt
        assert.deepStrictEqual(resultsIn(seen), [
          ["wipe", "wipe ran"],
          ["look", "look ran"],
          ["clock", "21:30"]
        ])
      }).pipe(
        Effect.provide(
          casting({
            outer: [
              calls([call("inner", { task: "Wipe." }, "o"), call("here", {}, "h"), call("there", {}, "t")]),
              text("Done.")
            ],
            inner: [
              calls([call("wipe", { n: 1 }, "w"), call("look", {}, "l"), call("clock", {}, "c")]),
              text("All done.")
            ]
          })
        )
      )
  )

  it.effect("may be at any depth, each with its own", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const gated = (name: string) => Toolset.approvalRequired(noting(ran, name))
      const third = worker("third", gated("deep"))
      const second = worker("second", third, gated("middle"))
      const agent = asking(second, gated("high"))
      const first = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(inShort(requestsIn(first)).approvals, [
        ["1/1/1", "deep", {}],
        ["1/2", "middle", {}],
        ["2", "high", {}]
      ])
      assert.deepStrictEqual(requestsIn(first).approvals[0]?.source, ["second", "third", "deep"])
      const after = yield* stored(first)
      const { messages, output } = yield* resumed(agent, after, {
        approvals: { "1/1/1": true, "1/2": { deny: "No." }, 2: true }
      })
      assert.strictEqual(output, "Done.")
      assert.sameDeepMembers(ran, [
        ["deep", undefined],
        ["high", undefined]
      ])
      assert.deepStrictEqual(resultsIn(messages), [
        ["second", "second is done."],
        ["high", "high ran"]
      ])
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("second", { task: "2" }, "1"), call("high", {}, "2")]), text("Done.")],
          second: [
            calls([call("third", { task: "3" }, "1"), call("middle", {}, "2")]),
            text("second is done.")
          ],
          third: [calls([call("deep", {}, "1")]), text("third is done.")]
        })
      )
    )
  )

  it.effect("may wait again and again, and nothing that was approved runs twice", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const inner = worker("inner", Toolset.approvalRequired(noting(ran, "wipe")))
      const agent = asking(inner)
      let result: Agent.Result<unknown> = yield* Agent.run(agent, { prompt })
      for (const n of [1, 2, 3]) {
        // The model inside gives each of its calls the same id.
        assert.deepStrictEqual(inShort(requestsIn(result)).approvals, [["o/w", "wipe", { n }]])
        result = yield* resumed(agent, yield* stored(result), { approveAll: true })
      }
      assert.strictEqual(result.output, "Done.")
      assert.deepStrictEqual(
        ran,
        [1, 2, 3].map((n) => ["wipe", n])
      )
      assert.lengthOf(callsIn(result.messages), 1)
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "o")]), text("Done.")],
          inner: [1, 2, 3].map((n) => calls([call("wipe", { n }, "w")]))
        })
      )
    )
  )

  it.effect("starts anew at a later call, though it has the same id", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const agent = asking(worker("inner", Toolset.approvalRequired(noting(ran, "wipe"))))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* resumed(agent, first, { approveAll: true })
      assert.deepStrictEqual(inShort(requestsIn(second)).approvals, [["o/w", "wipe", { n: 2 }]])
      assert.deepStrictEqual(ran, [["wipe", 1]])
      const third = yield* resumed(agent, second, { approveAll: true })
      assert.deepStrictEqual(ran, [
        ["wipe", 1],
        ["wipe", 2]
      ])
      assert.deepStrictEqual(resultsIn(third.messages), [
        ["inner", "1 done."],
        ["inner", "2 done."]
      ])
    }).pipe(
      Effect.provide(
        casting({
          outer: [
            calls([call("inner", { task: "1" }, "o")]),
            calls([call("inner", { task: "2" }, "o")]),
            text("Done.")
          ],
          inner: [
            calls([call("wipe", { n: 1 }, "w")]),
            text("1 done."),
            calls([call("wipe", { n: 2 }, "w")]),
            text("2 done.")
          ]
        })
      )
    )
  )

  it.effect("may be several at the same time, of one agent", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const agent = asking(worker("inner", Toolset.approvalRequired(noting(ran, "wipe"))))
      const first = yield* Agent.run(agent, { prompt, concurrency: 1 })
      assert.deepStrictEqual(inShort(requestsIn(first)).approvals, [
        ["a/w", "wipe", { n: 1 }],
        ["b/w", "wipe", { n: 2 }]
      ])
      const { messages } = yield* resumed(agent, first, { approvals: { "b/w": true, "a/w": false } })
      assert.deepStrictEqual(ran, [["wipe", 2]])
      assert.deepStrictEqual(
        resultsIn(messages).map(([name]) => name),
        ["inner", "inner"]
      )
    }).pipe(
      Effect.provide(
        casting({
          outer: [
            calls([call("inner", { task: "1" }, "a"), call("inner", { task: "2" }, "b")]),
            text("Done.")
          ],
          inner: [
            calls([call("wipe", { n: 1 }, "w")]),
            calls([call("wipe", { n: 2 }, "w")]),
            text("done."),
            text("done.")
          ]
        })
      )
    )
  )

  it.effect("that was itself approved, with other arguments, keeps them", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const inner = worker("inner", Toolset.approvalRequired(noting(ran, "wipe")))
      const agent = asking(Toolset.approvalRequired(inner))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* resumed(agent, first, { approvals: { o: { approve: { task: "Gently." } } } })
      assert.deepStrictEqual(inShort(requestsIn(second)).approvals, [["o/w", "wipe", {}]])
      const third = yield* resumed(agent, yield* stored(second), { approveAll: true })
      assert.strictEqual(third.output, "Done.")
      assert.deepStrictEqual(ran, [["wipe", undefined]])
      const [, request] = yield* ScriptedModel.requests
      assert.include(JSON.stringify(request?.prompt.content), "Gently.")
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "o")]), text("Done.")],
          inner: [calls([call("wipe", {}, "w")]), text("done.")]
        })
      )
    )
  )

  it.effect("needs no output that says so, outside or inside, where onDeferred answers, also in parts", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const inner = worker(
        "inner",
        Toolset.approvalRequired(noting(ran, "wipe")),
        Toolset.external([{ name: "clock" }])
      )
      const asked: Array<unknown> = []
      const handler =
        (answers: Parameters<typeof DeferredToolResults.from>[1]) => (requests: DeferredToolRequests) =>
          Effect.sync(() => {
            asked.push(inShort(requests))
            return DeferredToolResults.from(requests, answers)
          })
      const { output, usage } = yield* Agent.run(Agent.make({ toolsets: [inner] }), {
        prompt,
        onDeferred: [handler({ calls: { "o/c": "noon" } }), handler({ approveAll: true })]
      })
      assert.strictEqual(output, "Done.")
      const wipe = ["o/w", "wipe", {}]
      assert.deepStrictEqual(asked, [
        { calls: [["o/c", "clock", {}]], approvals: [wipe] },
        { calls: [], approvals: [wipe] }
      ])
      assert.deepStrictEqual(ran, [["wipe", undefined]])
      assert.deepInclude(usage, { requests: 4, toolCalls: 2 })
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "o")]), text("Done.")],
          inner: [calls([call("wipe", {}, "w"), call("clock", {}, "c")]), text("done.")]
        })
      )
    )
  )

  it.effect("answered in part inline, surfaces with the rest, and remembers what was said", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const inner = worker(
        "inner",
        Toolset.approvalRequired(noting(ran, "wipe")),
        Toolset.external([{ name: "clock" }])
      )
      const agent = asking(inner)
      const first = yield* Agent.run(agent, {
        prompt,
        onDeferred: (requests) =>
          Effect.succeed(DeferredToolResults.from(requests, { calls: { "o/c": "noon" } }))
      })
      assert.deepStrictEqual(inShort(requestsIn(first)), { calls: [], approvals: [["o/w", "wipe", {}]] })
      assert.deepStrictEqual(ran, [])
      const second = yield* resumed(agent, yield* stored(first), { approveAll: true })
      assert.strictEqual(second.output, "Done.")
      const seen = (yield* ScriptedModel.requests)[2]!.prompt
      assert.deepStrictEqual(resultsIn(seen), [
        ["wipe", "wipe ran"],
        ["clock", "noon"]
      ])
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "o")]), text("Done.")],
          inner: [calls([call("wipe", {}, "w"), call("clock", {}, "c")]), text("done.")]
        })
      )
    )
  )

  it.effect("waits under whatever its toolset is in", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const inner = worker("inner", Toolset.approvalRequired(noting(ran, "wipe"))).pipe(
        Toolset.withId("crew"),
        Toolset.wrapper((call, next) => next(call)),
        Toolset.prefixed("my")
      )
      const agent = asking(inner)
      const program = Effect.gen(function* () {
        const first = yield* Agent.run(agent, { prompt })
        assert.deepStrictEqual(requestsIn(first).approvals[0]?.source, ["my_inner", "wipe"])
        return yield* resumed(agent, yield* stored(first), { approveAll: true })
      })
      assert.strictEqual((yield* program).output, "Done.")
      assert.deepStrictEqual(ran, [["wipe", undefined]])
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("my_inner", { task: "Wipe." }, "o")]), text("Done.")],
          inner: [calls([call("wipe", {}, "w")]), text("done.")]
        })
      )
    )
  )

  it.effect("waits in the run that calls it, though an override stands in another one", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const inner = worker("inner", Toolset.approvalRequired(noting(ran, "wipe")))
      const starting = Toolset.tool("start", {
        handler: () =>
          Effect.gen(function* () {
            const agent = asking()
            const first = yield* Agent.run(agent, { prompt })
            assert.deepStrictEqual(inShort(requestsIn(first)).approvals, [["o/w", "wipe", {}]])
            return (yield* resumed(agent, first, { approveAll: true })).output
          }).pipe(Agent.override({ toolsets: [inner] }), Effect.provide(model))
      })
      const model = casting({
        outer: [calls([call("inner", { task: "Wipe." }, "o")]), text("Done.")],
        inner: [calls([call("wipe", {}, "w")]), text("done.")]
      })
      const { messages } = yield* Agent.run(Agent.make({ toolsets: [starting] }), { prompt }).pipe(
        Effect.provide(ScriptedModel.layer([calls({ start: {} }), text("Done.")]))
      )
      assert.deepStrictEqual(resultsIn(messages), [["start", "Done."]])
      assert.deepStrictEqual(ran, [["wipe", undefined]])
    })
  )
})

describe("what is said to an agent inside", () => {
  const wrong = Effect.fnUntraced(
    function* (
      answers: Parameters<typeof DeferredToolResults.from>[1],
      change: (results: DeferredToolResults) => DeferredToolResults = (results) => results,
      history: (messages: Prompt.Prompt) => Prompt.Prompt = (messages) => messages
    ) {
      const ran: Array<unknown> = []
      const gated = (name: string) => Toolset.approvalRequired(noting(ran, name))
      const agent = asking(worker("inner", gated("wipe"), noting(ran, "look"), gated("burn")), gated("high"))
      const first = yield* Agent.run(agent, { prompt })
      ran.length = 0
      const results = change(DeferredToolResults.from(requestsIn(first), answers))
      const error = yield* Effect.flip(
        Agent.run(agent, { history: history(first.messages), deferredResults: results })
      )
      assert(error instanceof DeferredResultsMismatch, `It is ${error._tag}.`)
      assert.deepStrictEqual(ran, [])
      return [error.problem, error.toolCallIds] as const
    },
    (effect) =>
      Effect.provide(
        effect,
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "o"), call("high", {}, "h")]), text("Done.")],
          inner: [calls([call("wipe", {}, "w"), call("look", {}, "l"), call("burn", {}, "b")]), text("done.")]
        })
      )
  )
  const approvals = { "o/w": true, "o/b": true, h: true }

  it.effect("has to fit before anything runs, outside or inside", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* wrong({ approvals: { h: true, "o/w": true } }), [
        "Results are missing for calls that wait",
        ["o/b"]
      ])
      assert.deepStrictEqual(yield* wrong({ approvals: { "o/b": true, "o/w": true } }), [
        "Results are missing for calls that wait",
        ["h"]
      ])
      assert.deepStrictEqual(yield* wrong({ approvals: { ...approvals, "o/nobody": true } }), [
        "There is no call of this id that waits",
        ["o/nobody"]
      ])
      assert.deepStrictEqual(yield* wrong({ approvals: { h: true, "o/w": true }, calls: { "o/b": 1 } }), [
        "The call waits for an approval, and was given a result",
        ["o/b"]
      ])
      assert.deepStrictEqual(yield* wrong({ approvals, calls: { "o/w": 1 } }), [
        "Calls were answered twice",
        ["o/w"]
      ])
      assert.deepStrictEqual(yield* wrong({ approvals, calls: { "o/l": 1 } }), [
        "A call that has its answer already cannot be answered again",
        ["o/l"]
      ])
    })
  )

  it.effect("cannot be said to the call that it waits in", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* wrong({ approvals, calls: { o: "done" } }), [
        "The answer is to no request",
        ["o"]
      ])
    })
  )

  it.effect("has to be to a call that is there", () =>
    Effect.gen(function* () {
      const renamed = (results: DeferredToolResults) =>
        new DeferredToolResults({
          ...results,
          suspended: results.suspended.map((one) => ({
            ...one,
            call: { ...one.call, rawArgs: { task: "Something else." } }
          }))
        })
      assert.deepStrictEqual(yield* wrong({ approvals }, renamed), ["The answer is to another call", ["o"]])
      const withoutIt = (messages: Prompt.Prompt): Prompt.Prompt => ({
        ...messages,
        content: messages.content.map((message) =>
          message.role === "assistant"
            ? { ...message, content: message.content.filter((part) => !("id" in part) || part.id !== "o") }
            : message
        )
      })
      assert.deepStrictEqual(yield* wrong({ approvals }, undefined, withoutIt), [
        "There is no call of this id that waits",
        ["o"]
      ])
    })
  )

  it.effect("is what remains, until all is said", () =>
    Effect.gen(function* () {
      const agent = asking(
        worker("inner", Toolset.approvalRequired(noting([], "wipe")), Toolset.external([{ name: "clock" }]))
      )
      const requests = requestsIn(yield* Agent.run(agent, { prompt }))
      const left = (answers: Parameters<typeof DeferredToolResults.from>[1]) =>
        Option.map(
          DeferredToolResults.remaining(requests, DeferredToolResults.from(requests, answers)),
          inShort
        )
      assert.deepStrictEqual(
        left({ approveAll: true }),
        Option.some({ calls: [["o/c", "clock", {}]], approvals: [] })
      )
      assert.deepStrictEqual(left({ approveAll: true, calls: { "o/c": 1 } }), Option.none())
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "o")])],
          inner: [calls([call("wipe", {}, "w"), call("clock", {}, "c")])]
        })
      )
    )
  )
})

describe("what an agent inside uses", () => {
  it.effect("is used by the run outside, also where the one inside fails", () =>
    Effect.gen(function* () {
      const failing = Toolset.tool("fail", { handler: () => Effect.fail(new ModelRetry({ message: "No." })) })
      const inner = worker("inner", failing).pipe(
        Toolset.catchTags({ ToolRetriesExceeded: "recover" }),
        Toolset.wrapper((call, next) => next(call))
      )
      const { messages, usage } = yield* Agent.run(Agent.make({ toolsets: [inner] }), { prompt })
      assert.strictEqual(usage.requests, 4)
      assert.lengthOf(resultsIn(messages), 1)
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Fail." }, "o")]), text("Done.")],
          inner: [calls({ fail: {} }), calls({ fail: {} })]
        })
      )
    )
  )

  it.effect("says nothing of the call outside: attempt, approval and metadata are its own", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const looking = Toolset.tool("look", {
        handler: () => Effect.map(ToolCall, ({ approved, metadata }) => void seen.push([approved, metadata]))
      })
      const agent = asking(Toolset.approvalRequired(worker("inner", looking)))
      const first = yield* Agent.run(agent, { prompt })
      yield* resumed(agent, first, { approveAll: true, metadata: { o: { by: "Ada" } } })
      assert.deepStrictEqual(seen, [[false, {}]])
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Look." }, "o")]), text("Done.")],
          inner: [calls({ look: {} }), text("done.")]
        })
      )
    )
  )
})
