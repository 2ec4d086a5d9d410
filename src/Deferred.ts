/** What a run asks of the outside, and what comes back: data, the same in another process. */
import { Option, Predicate, Result, Schema } from "effect"
import { Prompt } from "effect/ai"
import { toJson } from "./toolset/json.ts"
import { ToolReturn } from "./ToolReturn.ts"
import { ModelRetry, ToolFailed } from "./ToolSignal.ts"

const Metadata = Schema.Record(Schema.String, Schema.Json)

/**
 * A call that waits.
 *
 * - `toolCallId`: the model's id of the call; of a call inside another one, `outer/inner`. A `/` in an id of a model is
 *   written `~1`, and a `~` is `~0`.
 * - `place`: how many calls of this id came before it: some models count their calls anew in each response.
 * - `toolName`: as the model called it. `source`: where the tool was declared, its own name last.
 * - `args`: what would run: decoded by the tool's schema, as wrappers changed them, and encoded again. `decodedArgs`: before
 *   wrappers changed them, where they did. `rawArgs`: as the model sent them. `changedArgs`: as somebody put them in their
 *   place, who approved a call that now waits again.
 * - `digest`: of all of these, so that an approval is for this very call. It is no signature: whoever can write requests
 *   can write digests.
 * - `metadata`: what the tool said of why it waits.
 */
export class DeferredCall extends Schema.Class<DeferredCall>("effect-toolset/DeferredCall")({
  toolCallId: Schema.String,
  place: Schema.Int,
  toolName: Schema.String,
  args: Schema.Json,
  decodedArgs: Schema.optionalKey(Schema.Json),
  rawArgs: Schema.Json,
  changedArgs: Schema.optionalKey(Schema.Json),
  source: Schema.Array(Schema.String),
  digest: Schema.String,
  metadata: Metadata
}) {}

/** What was said to a call. */
export const DeferredAnswer = Schema.Union([
  Schema.TaggedStruct("Approved", { args: Schema.optionalKey(Schema.Json), metadata: Metadata }),
  Schema.TaggedStruct("Denied", { reason: Schema.String }),
  Schema.TaggedStruct("Returned", {
    value: Schema.Json,
    content: Schema.Array(Prompt.UserMessagePart),
    metadata: Metadata,
    modelOutput: Schema.optionalKey(Schema.Array(Prompt.ToolModelOutputPart))
  }),
  Schema.TaggedStruct("Retry", { message: Schema.String }),
  Schema.TaggedStruct("Failed", { message: Schema.String, details: Schema.optionalKey(Schema.Json) }),
  /** What cannot be sent on. */
  Schema.TaggedStruct("Unusable", { problem: Schema.String })
])
export type DeferredAnswer = typeof DeferredAnswer.Type

const Answered = Schema.Struct({
  toolCallId: Schema.String,
  /** What it was an answer to; nothing, where the id was in no request. */
  request: Schema.NullOr(DeferredCall),
  /** The list in which the request was, and the one in which it was answered. */
  asked: Schema.NullOr(Schema.Literals(["approval", "call"])),
  given: Schema.Literals(["approval", "call"]),
  answer: DeferredAnswer
})
export type DeferredAnswered = typeof Answered.Type

/** A call in which another run waits: the call, that run's history, what it waits for, and what was said so far. */
export class SuspendedCall extends Schema.Class<SuspendedCall>("effect-toolset/SuspendedCall")({
  call: DeferredCall,
  history: Prompt.Prompt,
  requests: Schema.suspend(
    (): Schema.Codec<DeferredToolRequests, DeferredToolRequestsEncoded> => DeferredToolRequests
  ),
  given: Schema.Array(Answered),
  /** That the call itself had been approved, and with which metadata. */
  approved: Schema.optionalKey(Metadata),
  /** That the call itself waits, before what is inside goes on. */
  asks: Schema.optionalKey(Schema.Literal(true))
}) {}

/**
 * What a run waits for: `calls` whose results come from elsewhere, and `approvals`, calls that wait for a yes or a no.
 *
 * Both in the order in which the model made the calls. Among the outputs of an agent it says that a run may end with it.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Agent, DeferredToolRequests, DeferredToolResults, Toolset } from "effect-toolset"
 * import { TestModel } from "effect-toolset/testing"
 *
 * const wipe = Toolset.tool("wipe", { requiresApproval: true, handler: () => Effect.succeed("wiped") })
 * const agent = Agent.make({ toolsets: [wipe], output: [Schema.String, DeferredToolRequests] })
 * const program = Effect.gen(function* () {
 *   const first = yield* Agent.run(agent, { prompt: "Wipe it." })
 *   if (!(first.output instanceof DeferredToolRequests)) return first.output
 *   const results = DeferredToolResults.from(first.output, { approveAll: true })
 *   const second = yield* Agent.run(agent, { history: first.messages, deferredResults: results })
 *   return second.output
 * })
 * console.log(await Effect.runPromise(program.pipe(Effect.provide(TestModel.layer()))))
 * //> {"wipe":"wiped"}
 * ```
 */
export class DeferredToolRequests extends Schema.Class<DeferredToolRequests>(
  "effect-toolset/DeferredToolRequests"
)({
  calls: Schema.Array(DeferredCall),
  approvals: Schema.Array(DeferredCall),
  /** Runs inside calls, which go on when what they wait for is there. */
  suspended: Schema.Array(SuspendedCall)
}) {}

/** `DeferredToolRequests` as JSON. */
export interface DeferredToolRequestsEncoded {
  readonly calls: ReadonlyArray<typeof DeferredCall.Encoded>
  readonly approvals: ReadonlyArray<typeof DeferredCall.Encoded>
  readonly suspended: ReadonlyArray<{
    readonly call: typeof DeferredCall.Encoded
    readonly history: typeof Prompt.Prompt.Encoded
    readonly requests: DeferredToolRequestsEncoded
    readonly given: ReadonlyArray<typeof Answered.Encoded>
    readonly approved?: typeof Metadata.Encoded
    readonly asks?: true
  }>
}

/** `true` and `false`, changed arguments (validated again), or a reason that the model reads. */
export type Approval = boolean | { readonly approve: unknown } | { readonly deny: string }

/** What is said to requests, by the id of the call. */
export interface Answers {
  readonly approvals?: Readonly<Record<string, Approval>> | undefined
  /** A value, a rich value (`ToolReturn`), or what a tool may fail with: `ModelRetry`, `ToolFailed`. */
  readonly calls?: Readonly<Record<string, unknown>> | undefined
  /** For `ToolCall.metadata` of the approved calls. */
  readonly metadata?: Readonly<Record<string, Readonly<Record<string, Schema.Json>>>> | undefined
  /** Approves whatever `approvals` does not name. */
  readonly approveAll?: boolean | undefined
}

/** What the model reads of a call that was denied without a reason. */
export const denied = "The tool call was denied."

/**
 * What was said to the requests of a run, for the run that goes on.
 *
 * Holds the requests that were answered, so that the run can tell whether these are the calls that it waits for.
 */
export class DeferredToolResults extends Schema.Class<DeferredToolResults>(
  "effect-toolset/DeferredToolResults"
)({
  answers: Schema.Array(Answered),
  suspended: Schema.Array(SuspendedCall)
}) {
  /**
   * Total: what does not fit (an unknown id, the wrong kind, something missing) is found by the run, as
   * `DeferredResultsMismatch`, before anything is executed. Data that looks like a signal stays data; only instances of
   * `ModelRetry`, `ToolFailed` and `ToolReturn` are what they are.
   */
  static readonly from = (requests: DeferredToolRequests, answers: Answers): DeferredToolResults => {
    const asked = new Map<string, { readonly asked: "approval" | "call"; readonly request: DeferredCall }>()
    for (const request of requests.calls) asked.set(request.toolCallId, { asked: "call", request })
    for (const request of requests.approvals) asked.set(request.toolCallId, { asked: "approval", request })
    const to = (
      toolCallId: string,
      given: "approval" | "call",
      answer: DeferredAnswer
    ): DeferredAnswered => ({
      toolCallId,
      request: null,
      asked: null,
      ...asked.get(toolCallId),
      given,
      answer
    })
    // Ids are whatever a provider makes up: as keys of an object some would find what all objects have.
    const approvals = new Map(Object.entries(answers.approvals ?? {}))
    if (answers.approveAll === true) {
      for (const { toolCallId } of requests.approvals) {
        if (!approvals.has(toolCallId)) approvals.set(toolCallId, true)
      }
    }
    const metadata = new Map(Object.entries(answers.metadata ?? {}))
    return new DeferredToolResults({
      answers: [
        ...Array.from(approvals, ([id, approval]) =>
          to(id, "approval", decision(approval, metadata.get(id) ?? {}))
        ),
        ...Object.entries(answers.calls ?? {}).map(([id, given]) => to(id, "call", result(given)))
      ],
      suspended: requests.suspended
    })
  }

  /** What these results leave open. */
  static readonly remaining = (
    requests: DeferredToolRequests,
    results: DeferredToolResults
  ): Option.Option<DeferredToolRequests> => {
    const answered = new Set(results.answers.map((answer) => answer.toolCallId))
    const isOpen = (call: DeferredCall) => !answered.has(call.toolCallId)
    const calls = requests.calls.filter(isOpen)
    const approvals = requests.approvals.filter(isOpen)
    return calls.length + approvals.length === 0
      ? Option.none()
      : Option.some(new DeferredToolRequests({ calls, approvals, suspended: requests.suspended }))
  }
}

/** `unknown`: it may come from where no compiler looked at it. */
const decision = (approval: unknown, given: unknown): DeferredAnswer =>
  recordOfJson(given, (metadata): DeferredAnswer => {
    if (approval === true) return { _tag: "Approved", metadata }
    if (approval === false) return { _tag: "Denied", reason: denied }
    if (Predicate.hasProperty(approval, "deny") && Predicate.isString(approval.deny))
      return { _tag: "Denied", reason: approval.deny }
    if (Predicate.hasProperty(approval, "approve"))
      return json(approval.approve, (args) => ({ _tag: "Approved", args, metadata }))
    return { _tag: "Unusable", problem: "an approval is true, false, { approve } or { deny }" }
  })

const result = (given: unknown): DeferredAnswer => {
  if (given instanceof ModelRetry) return { _tag: "Retry", message: given.message }
  if (given instanceof ToolFailed) {
    const { details, message } = given
    return { _tag: "Failed", message, ...(details === undefined ? {} : { details }) }
  }
  const { content, metadata, modelOutput, value } =
    given instanceof ToolReturn ? given : new ToolReturn({ value: given })
  return json(value, (value) =>
    recordOfJson(metadata, (metadata) => ({
      _tag: "Returned",
      value,
      content,
      metadata,
      ...(modelOutput === undefined ? {} : { modelOutput })
    }))
  )
}

const json = (value: unknown, f: (json: Schema.Json) => DeferredAnswer): DeferredAnswer =>
  Result.match(toJson(value), {
    onSuccess: f,
    onFailure: ({ path, problem }) => ({
      _tag: "Unusable",
      problem: `it is not JSON: ${[...path, problem].join(": ")}`
    })
  })

const recordOfJson = (value: unknown, f: (json: typeof Metadata.Type) => DeferredAnswer): DeferredAnswer =>
  json(value, (json) =>
    isRecord(json) ? f(json) : { _tag: "Unusable", problem: "its metadata is no object" }
  )

const isRecord = Schema.is(Metadata)
