/** Random runs that stop to ask: calls of any kind, whoever answers them, and what all of them have done. */
import { Effect, Schema } from "effect"
import { type LanguageModel, Prompt } from "effect/ai"
import {
  Agent,
  ApprovalRequired,
  CallDeferred,
  type DeferredCall,
  DeferredToolRequests,
  DeferredToolResults,
  ModelRetry,
  ToolCall,
  ToolFailed,
  ToolReturn,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { retry } from "./answers.ts"

const Kind = Schema.Literals([
  "returns",
  "shows",
  "retries",
  "fails",
  "invalid",
  "unknown",
  "asks",
  "asksTwice",
  "asksInValidator",
  "asksThenDefers",
  "defers",
  "external"
])
type Kind = typeof Kind.Type
/** Agents inside agents, three deep, with calls of any kind at each depth. */
const inside = <A, I>(call: Schema.Codec<A, I>, most: number) =>
  Schema.Struct({
    inside: Schema.Array(call).check(Schema.isBetweenLength(1, most)),
    gated: Schema.Boolean
  })
const Deepest = inside(Kind, 2)
const Deeper = inside(Schema.Union([Kind, Deepest]), 2)
const Nested = inside(Schema.Union([Kind, Kind, Deeper]), 3)
const Call = Schema.Union([Kind, Nested])

/** What the model calls, step by step; and what whoever is asked draws its decisions from. */
export const Story = Schema.Struct({
  steps: Schema.Array(Schema.Array(Call).check(Schema.isBetweenLength(1, 4))).check(
    Schema.isBetweenLength(1, 3)
  ),
  handlers: Schema.Literals([0, 1, 2]),
  draws: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 59 }))).check(
    Schema.isBetweenLength(1, 12)
  )
})
export type Story = typeof Story.Type

interface Part {
  readonly name: string
  readonly args: unknown
  readonly id: string
}

/** A call of a kind; `label` is its own, `id` that of the same place in any other step. */
const called = (call: typeof Call.Type, label: string, id: string): Part =>
  typeof call !== "string"
    ? { name: "nested", args: { label, ...call }, id }
    : call === "external"
      ? { name: "external", args: JSON.stringify({ label }), id }
      : {
          name: call === "unknown" ? "nobody" : "t",
          args: call === "invalid" ? { label } : { label, kind: call },
          id
        }

/** All of a story: the tools and the model, what has run, and what each call has to be answered with. */
export const world = (story: Story) => {
  let drawn = 0
  const draw = (sides: number) => story.draws[drawn++ % story.draws.length]! % sides
  const granted = new Map<string, number>()
  const ran = new Map<string, number>()
  const notes = new Map<string, string>()
  const expected = new Map<string, unknown>()
  const count = (map: Map<string, number>, label: string) => map.set(label, (map.get(label) ?? 0) + 1)
  const answer = <A>(label: string, result: unknown, value: A): A => (expected.set(label, result), value)

  const Args = Schema.Struct({ label: Schema.String, kind: Kind, note: Schema.optionalKey(Schema.String) })
  const t = Toolset.tool("t", {
    parameters: Args,
    validateArgs: Effect.fnUntraced(function* ({ kind }) {
      if (kind === "asksInValidator" && !(yield* ToolCall).approved) return yield* new ApprovalRequired({})
    }),
    handler: Effect.fnUntraced(function* ({ kind, label, note = "as it was" }) {
      const { approved, metadata } = yield* ToolCall
      yield* Effect.yieldNow
      if (approved) count(ran, label)
      if (kind === "defers" || (kind === "asksThenDefers" && approved)) return yield* new CallDeferred({})
      if (kind.startsWith("asks") && !approved) return yield* new ApprovalRequired({})
      if (kind === "asksTwice" && metadata.times !== 2) return yield* new ApprovalRequired({})
      if (!approved) count(ran, label)
      if (kind === "fails") return yield* answer(label, "No.", new ToolFailed({ message: "No." }))
      if (kind === "retries")
        return yield* answer(label, retry("Again."), new ModelRetry({ message: "Again." }))
      const value = answer(label, `${label}: ${note}`, `${label}: ${note}`)
      return kind === "shows" ? new ToolReturn({ value, content: [Prompt.textPart({ text: "!" })] }) : value
    })
  })
  const external = Toolset.external([
    { name: "external", parameters: { type: "object", properties: { label: { type: "string" } } } }
  ])
  /** An agent as a tool, which has agents as tools itself, down to a depth. */
  const nestedTo = (depth: number): Toolset.Toolset<Agent.AgentError, LanguageModel.LanguageModel> => {
    if (depth === 0) return Toolset.empty
    const inner = Agent.make({
      toolsets: [t, external, nestedTo(depth - 1)],
      instructions: "inner",
      retries: 99
    })
    return Agent.asTool(inner, {
      name: "nested",
      parameters: Schema.Struct({
        label: Schema.String,
        ...Nested.fields,
        note: Schema.optionalKey(Schema.String)
      }),
      prompt: ({ inside, label }) => {
        count(ran, label)
        expected.set(label, "Done.")
        return JSON.stringify(inside.map((call, i) => called(call, `${label}/${i}`, `${i}`)))
      }
    }).pipe(Toolset.approvalRequired((_, { gated }) => gated === true))
  }
  const nested = nestedTo(3)
  const agent = Agent.make({
    toolsets: [t, external, nested],
    output: [Schema.String, DeferredToolRequests],
    retries: 99
  })

  /** A model that goes by what it is shown, so that it goes on in whatever process. */
  const model = ScriptedModel.layer(({ prompt }) => {
    const turns = prompt.content.filter((message) => message.role === "assistant").length
    const [first, second] = prompt.content
    if (first?.role === "system" && second?.role === "user") {
      const [task] = second.content
      if (turns > 0 || task?.type !== "text") return ScriptedModel.text("Done.")
      return ScriptedModel.calls(JSON.parse(task.text) as ReadonlyArray<Part>)
    }
    const step = story.steps[turns]
    return step === undefined
      ? ScriptedModel.text("Done.")
      : ScriptedModel.calls(step.map((call, i) => called(call, `${turns}.${i}`, `${i}`)))
  })

  const labelOf = ({ args }: DeferredCall) => (args as { readonly label: string }).label

  const approval = (request: DeferredCall) => {
    const label = labelOf(request)
    const choice = draw(4)
    if (choice === 0) return answer(label, "The tool call was denied.", false)
    if (choice === 1) return answer(label, "Why not.", { deny: "Why not." })
    count(granted, label)
    if (choice === 2) return true
    notes.set(label, "changed")
    return { approve: { ...(request.args as object), note: "changed" } }
  }
  const result = (request: DeferredCall) => {
    const label = labelOf(request)
    switch (draw(4)) {
      case 0:
        return answer(label, retry("Later."), new ModelRetry({ message: "Later." }))
      case 1:
        return answer(label, "Never.", new ToolFailed({ message: "Never." }))
      case 2:
        return answer(
          label,
          1,
          new ToolReturn({ value: 1, content: [Prompt.textPart({ text: "?" })], metadata: { m: 1 } })
        )
      default:
        return answer(label, { label }, { label })
    }
  }

  /** Answers those that `when` is for. */
  const decide = (requests: DeferredToolRequests, when: () => boolean): DeferredToolResults => {
    const of = <A>(all: ReadonlyArray<DeferredCall>, f: (call: DeferredCall) => A) =>
      Object.fromEntries(all.filter(when).map((call) => [call.toolCallId, f(call)]))
    return DeferredToolResults.from(requests, {
      approvals: of(requests.approvals, approval),
      calls: of(requests.calls, result),
      metadata: Object.fromEntries(
        requests.approvals.map((call) => [call.toolCallId, { times: granted.get(labelOf(call)) ?? 0 }])
      )
    })
  }
  const onDeferred = Array.from(
    { length: story.handlers },
    () => (requests: DeferredToolRequests) =>
      Effect.sync(() => (draw(5) === 0 ? undefined : decide(requests, () => draw(2) === 0)))
  )

  return { agent, decide, draw, expected, granted, model, notes, onDeferred, ran }
}
