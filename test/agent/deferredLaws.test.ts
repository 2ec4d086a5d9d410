/** What holds for any run that stops to ask and goes on, whatever is called and whatever is said. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Prompt } from "effect/ai"
import { Agent, DeferredToolRequests } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { often } from "../laws/often.ts"
import { answersIn, callsIn } from "./answers.ts"
import { sentPrompt, sentRequests, sentResults } from "./deferring.ts"
import { Story, world } from "./deferredWorld.ts"

/** The results right behind each response: for each of its calls one, in order; of the last one, maybe not all. */
const wellAnswered = (history: Prompt.Prompt, open: ReadonlySet<string>) => {
  const responses = history.content.flatMap((message, i) => (message.role === "assistant" ? [i] : []))
  for (const i of responses) {
    const only = (role: string) =>
      history.content
        .slice(
          i + 1,
          responses.find((j) => j > i)
        )
        .filter((message) => message.role === role)
    const isLast = i === responses.at(-1)
    const ids = callsIn(Prompt.fromMessages([history.content[i]!])).map((call) => call.id)
    const expected = ids.filter((id) => !isLast || !open.has(id))
    assert.isAtMost(only("tool").length, 1)
    if (expected.length > 0) assert.strictEqual(history.content[i + 1]?.role, "tool")
    assert.deepStrictEqual(
      answersIn(Prompt.fromMessages(only("tool"))).map((part) => part.id),
      expected
    )
  }
}

/** The ids of the calls that a run itself waits for. */
const openIn = ({ approvals, calls, suspended }: DeferredToolRequests): ReadonlySet<string> => {
  const isInside = (id: string) => suspended.some((one) => id.startsWith(`${one.call.toolCallId}/`))
  const direct = [...calls, ...approvals].map((call) => call.toolCallId).filter((id) => !isInside(id))
  return new Set([...direct, ...suspended.map((one) => one.call.toolCallId)])
}

const labelOf = ({ params }: Prompt.ToolCallPart): string =>
  ((typeof params === "string" ? JSON.parse(params) : params) as { readonly label: string }).label

/** Each call with its answer: of a history in which all have one. */
const byLabel = (history: Prompt.Prompt) => {
  const results = answersIn(history)
  return callsIn(history).map((call, i) => [labelOf(call), results[i]?.result] as const)
}

/** Runs a story to its end, however often it stops. */
const told = Effect.fnUntraced(function* (story: Story) {
  const { agent, decide, draw, expected, granted, model, notes, onDeferred, ran } = world(story)
  const histories: Array<Prompt.Prompt> = []
  const requests = yield* Effect.gen(function* () {
    let result: Agent.Result<string | DeferredToolRequests> = yield* Agent.run(agent, {
      prompt: "Go.",
      onDeferred
    })
    let before = Prompt.empty
    while (result.output instanceof DeferredToolRequests) {
      wellAnswered(result.messages, openIn(result.output))
      // The whole history, or what was new behind what there was.
      const together = Prompt.fromMessages([...before.content, ...result.newMessages.content])
      const isSent = draw(2) === 0
      before = draw(2) === 0 ? result.messages : together
      if (isSent) before = yield* sentPrompt(before)
      const output: DeferredToolRequests = isSent ? yield* sentRequests(result.output) : result.output
      const decided = decide(output, () => true)
      const deferredResults = isSent ? yield* sentResults(decided) : decided
      const prompt = draw(3) === 0 ? "Hurry." : undefined
      result = yield* Agent.run(agent, { history: before, deferredResults, onDeferred, prompt })
    }
    assert.strictEqual(result.output, "Done.")
    histories.push(result.messages)
    return yield* ScriptedModel.requests
  }).pipe(Effect.provide(model))
  for (const { prompt } of requests) histories.push(prompt)
  return { histories, expected, granted, notes, ran }
})

describe("a run that stops and goes on", () => {
  it.effect.prop(
    "has one answer for each call, right behind its response and in the order of the calls (P207)",
    [Story],
    ([story]) =>
      Effect.map(told(story), ({ histories }) => {
        for (const history of histories) wellAnswered(history, new Set())
      }),
    often(40)
  )

  it.effect.prop(
    "answers each call with what was said, or with what it came to",
    [Story],
    ([story]) =>
      Effect.map(told(story), ({ expected, histories, notes }) => {
        // Of the run itself, and of those inside of calls.
        for (const [label, result] of histories.flatMap(byLabel)) {
          const answer = expected.get(label)
          // What no tool takes, and what nobody offers.
          if (answer === undefined) assert.include(String(result), "Fix the errors and try again.")
          else if (String(answer).startsWith(`${label}: `))
            assert.strictEqual(result, `${label}: ${notes.get(label) ?? "as it was"}`)
          else assert.deepStrictEqual(result, answer)
        }
      }),
    often(40)
  )

  it.effect.prop(
    "runs what was approved as often as it was approved, and nothing else twice",
    [Story],
    ([story]) =>
      Effect.map(told(story), ({ granted, ran }) => {
        for (const label of new Set([...granted.keys(), ...ran.keys()])) {
          assert.strictEqual(ran.get(label), granted.get(label) ?? 1, label)
        }
      }),
    often(40)
  )
})
