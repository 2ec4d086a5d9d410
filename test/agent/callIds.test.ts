/** Whatever ids a provider makes up, an answer goes to the call that it was asked for. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, DeferredToolResults, ToolReturn, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { often } from "../laws/often.ts"
import { asking, requestsIn, sentRequests, sentResults } from "./deferring.ts"
import { call, casting, prompt, worker } from "./nestedAgents.ts"

const { calls, text } = ScriptedModel

/** Ids that look like paths, like parts of them, and like what a path is written in. */
const Id = Schema.Literals([
  "a",
  "b",
  "a/b",
  "b/a",
  "/",
  "a/",
  "/a",
  "~",
  "~1",
  "a~1b",
  "a~0",
  "~01",
  "__proto__",
  "a/b/a"
])
const Ids = Schema.Array(Id).check(Schema.isBetweenLength(1, 4), Schema.isUnique())

describe("an id of a call", () => {
  it.effect.prop(
    "reaches no other call, in this run or in one inside of a call",
    [Schema.Struct({ outer: Ids, gated: Ids, inner: Ids, denied: Schema.Array(Schema.Boolean) })],
    ([{ denied, gated, inner, outer }]) =>
      Effect.gen(function* () {
        const ran: Array<string> = []
        const wipe = Toolset.tool("wipe", {
          parameters: Schema.Struct({ at: Schema.String }),
          requiresApproval: true,
          handler: ({ at }) => Effect.sync(() => (ran.push(at), at))
        })
        const own = gated.filter((id) => !outer.includes(id))
        const label = (...ids: ReadonlyArray<string>) => JSON.stringify(ids)
        const model = casting({
          outer: [
            calls([
              ...outer.map((id) => call("inner", { task: id }, id)),
              ...own.map((id) => call("wipe", { at: label(id) }, id))
            ]),
            text("Done.")
          ],
          inner: [
            ...outer.map((around) => calls(inner.map((id) => call("wipe", { at: label(around, id) }, id)))),
            ...outer.map(() => text("done."))
          ]
        })
        const agent = asking(wipe, worker("inner", wipe))
        yield* Effect.gen(function* () {
          const first = yield* Agent.run(agent, { prompt, concurrency: 1 })
          const requests = yield* sentRequests(requestsIn(first))
          assert.lengthOf(requests.approvals, outer.length * inner.length + own.length)
          const approved = requests.approvals.filter((_, i) => denied[i] !== true)
          const results = DeferredToolResults.from(requests, {
            approvals: Object.fromEntries(
              requests.approvals.map((one) => [one.toolCallId, approved.includes(one)])
            )
          })
          const { output } = yield* Agent.run(agent, {
            history: first.messages,
            deferredResults: yield* sentResults(results)
          })
          assert.strictEqual(output, "Done.")
          assert.sameMembers(
            ran,
            approved.map(({ args }) => (args as { readonly at: string }).at)
          )
        }).pipe(Effect.provide(model))
      }),
    often(60)
  )

  it.effect("reaches no run inside of a call that is made by hand", () =>
    Effect.gen(function* () {
      const wipe = Toolset.tool("wipe", { requiresApproval: true, handler: () => Effect.succeed("wiped") })
      const inner = worker("inner", wipe)
      const byHand = Toolset.tool("by_hand", {
        handler: () =>
          Effect.map(Effect.flip(Toolset.call(inner, "inner", { task: "Wipe." })), (error) => error._tag)
      })
      const agent = asking(byHand, Toolset.external([{ name: "clock" }]))
      const first = yield* Agent.run(agent, { prompt, concurrency: 1 })
      const { approvals, calls: asked, suspended } = requestsIn(first)
      assert.deepStrictEqual([approvals, suspended], [[], []])
      assert.deepStrictEqual(
        asked.map((one) => one.toolCallId),
        ["direct"]
      )
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("by_hand", {}, "h"), call("clock", {}, "direct")])],
          inner: [calls([call("wipe", {}, "w")])]
        })
      )
    )
  )

  it.effect("reaches no run inside of an earlier call, whose waiting a wrapper has answered", () =>
    Effect.gen(function* () {
      const wipe = Toolset.tool("wipe", { requiresApproval: true, handler: () => Effect.succeed("wiped") })
      const answering = Toolset.wrapper((call, next) =>
        Effect.catchTag(next(call), "CallDeferred", () =>
          Effect.succeed(new ToolReturn({ value: "Nobody is here." }))
        )
      )
      const agent = asking(wipe, answering(worker("inner", wipe)))
      const { approvals, suspended } = requestsIn(yield* Agent.run(agent, { prompt }))
      assert.deepStrictEqual(suspended, [])
      assert.deepStrictEqual(
        approvals.map(({ toolCallId, toolName }) => [toolCallId, toolName]),
        [["same", "wipe"]]
      )
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "same")]), calls([call("wipe", {}, "same")])],
          inner: [calls([call("wipe", {}, "w")])]
        })
      )
    )
  )

  it.effect("is in a request as the model gave it, but for what paths are written in", () =>
    Effect.gen(function* () {
      const agent = asking(Toolset.external([{ name: "clock" }]))
      const { calls: asked } = requestsIn(yield* Agent.run(agent, { prompt }))
      assert.deepStrictEqual(
        asked.map((one) => one.toolCallId),
        ["call_1", "functions.clock:0", "a~1b", "~01"]
      )
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls(["call_1", "functions.clock:0", "a/b", "~1"].map((id) => call("clock", {}, id)))
        ])
      )
    )
  )
})
