/** Nothing runs, at any depth, where something does not fit, at any depth; and what does not fit is named by its path. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, DeferredResultsMismatch, DeferredToolResults, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { asking, requestsIn } from "./deferring.ts"
import { call, casting, noting, prompt, stored, worker } from "./nestedAgents.ts"

const { calls, text } = ScriptedModel

/** The tool that is changed, and one beside it. */
const wipe = (ran: Array<unknown>) => Toolset.approvalRequired(noting(ran, "wipe"))
const beside = (ran: Array<unknown>, name: string) => Toolset.approvalRequired(noting(ran, name))

const changes: Record<string, (ran: Array<unknown>) => Toolset.Toolset> = {
  "has gone": () => Toolset.empty,
  "is filtered out": (ran) => wipe(ran).pipe(Toolset.filtered(() => false)),
  "has a prefix": (ran) => wipe(ran).pipe(Toolset.prefixed("p")),
  "comes from elsewhere": (ran) => wipe(ran).pipe(Toolset.withId("elsewhere")),
  "is another one": (ran) => Toolset.renamed(beside(ran, "burn"), { wipe: "burn" }),
  "reads its arguments otherwise": (ran) =>
    Toolset.tool("wipe", {
      parameters: Schema.Struct({ n: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(7))) }),
      requiresApproval: true,
      handler: ({ n }) => Effect.sync(() => ran.push(["wipe", n]))
    }),
  "takes its arguments no more": (ran) =>
    Toolset.tool("wipe", {
      parameters: Schema.Struct({ n: Schema.Int }),
      requiresApproval: true,
      handler: ({ n }) => Effect.sync(() => ran.push(["wipe", n]))
    })
}

/** Agents at a depth, each with a tool beside the next one. */
const at = (
  depth: number,
  ran: Array<unknown>,
  tool: Toolset.Toolset,
  level = 1
): Toolset.Toolset<Agent.AgentError, any> =>
  depth === 0
    ? Toolset.combined(tool, beside(ran, `beside${level}`))
    : Toolset.combined(
        worker(`agent${level}`, at(depth - 1, ran, tool, level + 1)),
        beside(ran, `beside${level}`)
      )

const cast = (depth: number) =>
  casting(
    Object.fromEntries(
      Array.from({ length: depth + 1 }, (_, level) => [
        level === 0 ? "outer" : `agent${level}`,
        [
          calls([
            // The one beside comes first, and would have run.
            call(`beside${level + 1}`, {}, "b"),
            level === depth ? call("wipe", {}, "w") : call(`agent${level + 1}`, { task: "Go on." }, "a")
          ]),
          text("Done.")
        ]
      ])
    )
  )

describe("a tool that was approved inside of calls", () => {
  for (const depth of [0, 1, 2, 3]) {
    for (const [what, changed] of Object.entries(changes)) {
      for (const concurrency of [1, "unbounded"] as const) {
        it.effect(`and ${what} runs nothing at all: ${depth} deep, concurrency ${concurrency}`, () =>
          Effect.gen(function* () {
            const ran: Array<unknown> = []
            const first = yield* stored(yield* Agent.run(asking(at(depth, ran, wipe(ran))), { prompt }))
            const deferredResults = DeferredToolResults.from(requestsIn(first), { approveAll: true })
            const error = yield* Effect.flip(
              Agent.run(asking(at(depth, ran, changed(ran))), {
                history: first.messages,
                deferredResults,
                concurrency
              })
            )
            assert(error instanceof DeferredResultsMismatch, String(error))
            assert.deepStrictEqual(error.toolCallIds, [`${"a/".repeat(depth)}w`])
            assert.deepStrictEqual(ran, [])
            const last = yield* Agent.run(asking(at(depth, ran, wipe(ran))), {
              history: first.messages,
              deferredResults
            })
            assert.strictEqual(last.output, "Done.")
            assert.lengthOf(ran, depth + 2)
          }).pipe(Effect.provide(cast(depth)))
        )
      }
    }
  }

  it.effect("and was answered inline runs nothing either", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      let isThere = true
      const wiping = wipe(ran).pipe(Toolset.filtered(() => isThere))
      const error = yield* Effect.flip(
        Agent.run(Agent.make({ toolsets: [at(1, ran, wiping)] }), {
          prompt,
          onDeferred: (requests) =>
            Effect.sync(() => {
              isThere = false
              return DeferredToolResults.from(requests, { approveAll: true })
            })
        })
      )
      assert(error instanceof DeferredResultsMismatch)
      assert.deepStrictEqual([error.toolCallIds, ran], [["a/w"], []])
    }).pipe(Effect.provide(cast(1)))
  )

  it.effect("opens nothing twice where it is all there is to go on with", () =>
    Effect.gen(function* () {
      let opened = 0
      const ran: Array<unknown> = []
      const inner = worker("inner", Toolset.unwrap(Effect.sync(() => (opened++, wipe(ran)))))
      const first = yield* Agent.run(asking(inner), { prompt })
      opened = 0
      yield* Agent.run(asking(inner), {
        history: first.messages,
        deferredResults: DeferredToolResults.from(requestsIn(first), { approveAll: true })
      })
      assert.deepStrictEqual([opened, ran], [1, [["wipe", undefined]]])
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "o")]), text("Done.")],
          inner: [calls([call("wipe", {}, "w")]), text("done.")]
        })
      )
    )
  )

  it.effect("and closes what was opened to look at it", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const log: Array<string> = []
      const resource = Effect.acquireRelease(
        Effect.sync(() => void log.push("open")),
        () => Effect.sync(() => log.push("close"))
      )
      const inner = worker("inner", Toolset.unwrap(Effect.as(resource, wipe(ran))))
      const agent = asking(inner, beside(ran, "beside1"))
      const first = yield* Agent.run(agent, { prompt })
      log.length = 0
      yield* Agent.run(agent, {
        history: first.messages,
        deferredResults: DeferredToolResults.from(requestsIn(first), { approveAll: true })
      })
      assert.deepStrictEqual(log, ["open", "close", "open", "close"])
      assert.lengthOf(ran, 2)
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "o"), call("beside1", {}, "b")]), text("Done.")],
          inner: [calls([call("wipe", {}, "w")]), text("done.")]
        })
      )
    )
  )
})
