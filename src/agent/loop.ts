/** The loop. A step lists the tools, asks the model, dispatches its calls and records their answers. */
import { Effect, Option, type Scope } from "effect"
import { IdGenerator, type LanguageModel, Prompt } from "effect/ai"
import { RunContext } from "../RunContext.ts"
import { collect } from "../toolset/collect.ts"
import { supplied } from "../toolset/environment.ts"
import { instructionsOf as toolsetInstructions } from "../toolset/listing.ts"
import type { Any, Instruction, Listing, Toolset } from "../toolset/model.ts"
import { opened } from "../toolset/opening.ts"
import { notPositive, positive } from "../toolset/bounded.ts"
import { retriesFlaw } from "../toolset/withMaxRetries.ts"
import * as Usage from "../Usage.ts"
import {
  AgentDefinitionError,
  type AgentError,
  DeferralNotAllowed,
  IncompleteResponse
} from "./AgentError.ts"
import { batch, type Conditions, type Settled, verdict } from "./batch.ts"
import { type Answered, answers, append } from "./history.ts"
import type { Spec } from "./model.ts"
import { Override } from "./override.ts"
import { ask, instructing, instructionText } from "./request.ts"
import * as Retries from "./retries.ts"
import type { Result, RunOptions } from "./run.ts"
import { spanned } from "./spanned.ts"

/** What a step leaves to the next one. */
interface State {
  readonly step: number
  readonly messages: Prompt.Prompt
  readonly usage: Usage.Usage
  readonly retries: Retries.Retries
}

/** A run of an agent, in the current scope. `any`: the output is what the agent says it is. */
export const loop = <E, R>(
  spec: Spec<E, R>,
  options: RunOptions<Any>
): Effect.Effect<Result<any>, AgentError | E, LanguageModel.LanguageModel | R | Scope.Scope> =>
  spanned(`invoke_agent ${nameOf(spec)}`, attributesOf(spec), (span) =>
    Effect.gen(function* () {
      const conditions = yield* conditionsOf(spec, options)
      const runId = yield* newId
      span.attribute("effect_toolset.run.id", runId)
      const history = options.history ?? Prompt.empty
      const toolset = yield* toolsetOf(spec, options.toolsets ?? [])
      const listing = yield* opened(toolset)
      const run = { spec, conditions, runId, listing, instruct: instructing() }
      let state: State = {
        step: 1,
        messages: options.prompt === undefined ? history : Prompt.concat(history, options.prompt),
        usage: Usage.none,
        retries: Retries.none
      }
      while (true) {
        const { output, ...next } = yield* spanned(`step ${state.step}`, {}, () => step(run, state))
        state = next
        if (output === undefined) continue
        const newMessages = Prompt.fromMessages(state.messages.content.slice(history.content.length))
        return { output, messages: state.messages, newMessages, usage: state.usage, runId }
      }
    })
  )

const nameOf = (spec: Spec<unknown, unknown>): string => spec.name ?? "agent"

const attributesOf = (spec: Spec<unknown, unknown>) => ({
  "gen_ai.operation.name": "invoke_agent",
  "gen_ai.agent.name": nameOf(spec)
})

interface Running<E, R> {
  readonly spec: Spec<E, R>
  readonly conditions: Omit<Conditions, "retries">
  readonly runId: string
  readonly listing: Listing<E>
  readonly instruct: ReturnType<typeof instructing>
}

const step = Effect.fnUntraced(function* <E, R>(
  { conditions, instruct, listing, runId, spec }: Running<E, R>,
  state: State
): Effect.fn.Return<
  State & { readonly output?: string | undefined },
  AgentError | E,
  LanguageModel.LanguageModel | R
> {
  const asking: RunContext["Service"] = { runId, ...state, retries: state.retries.byName }
  const offer = yield* supplied(collect(listing, asking), RunContext, asking)
  const instructions = yield* supplied(instructionsOf(spec, listing, asking), RunContext, asking)
  const prompt = instruct(instructionText(instructions), state.messages)
  if (prompt.content.length === 0) return yield* nothingToSend()

  const answer = yield* ask(offer, prompt)
  const messages = Prompt.concat(state.messages, Prompt.fromResponseParts(answer.parts))
  const usage = Usage.sum(state.usage, answer.usage)
  if (!complete.has(answer.finishReason)) {
    return yield* new IncompleteResponse({ finishReason: answer.finishReason })
  }
  if (answer.calls.length === 0) return { ...state, messages, usage, output: answer.text }

  const settled = yield* batch(offer, answer.calls, { ...conditions, retries: state.retries }).pipe(
    Effect.provideService(RunContext, { ...asking, messages, usage })
  )
  const answered = yield* answeredOf(settled)
  const toolCalls = answered.filter(({ outcome }) => outcome._tag === "Returned").length
  return {
    step: state.step + 1,
    messages: append(messages, answers(answered)),
    usage: Usage.sum(usage, { ...Usage.none, toolCalls }),
    retries: Retries.afterStep(state.retries, settled.map(verdict))
  }
})

/** A response without a finish part reads as `unknown`. */
const complete: ReadonlySet<string> = new Set(["stop", "tool-calls", "pause", "unknown"])

const answeredOf = (
  settled: ReadonlyArray<Settled<unknown>>
): Effect.Effect<ReadonlyArray<Answered>, DeferralNotAllowed> => {
  const answered: Array<Answered> = []
  const waiting: Array<string> = []
  for (const { admission, outcome } of settled) {
    const { id, name } = admission.call
    if (outcome._tag === "ApprovalRequired" || outcome._tag === "CallDeferred") waiting.push(name)
    else answered.push({ id, name, outcome })
  }
  return waiting.length === 0
    ? Effect.succeed(answered)
    : Effect.fail(new DeferralNotAllowed({ toolNames: waiting }))
}

/** The agent's first, then those of its toolsets. */
const instructionsOf = <E, R>(
  { instructions }: Spec<E, R>,
  listing: Listing<E>,
  run: RunContext["Service"]
) => {
  const others = toolsetInstructions(listing, run)
  if (instructions === undefined) return others
  const own: Effect.Effect<Instruction, E, Exclude<R, Scope.Scope> | RunContext> = Effect.isEffect(
    instructions
  )
    ? Effect.map(Effect.scoped(instructions), (text) => ({ text, dynamic: true }))
    : Effect.succeed({ text: instructions, dynamic: false })
  return Effect.zipWith(own, others, (first, rest) => [first, ...rest])
}

/** The toolsets of the agent and of the run; those of an override in the place of both. */
const toolsetOf = <E, R>(spec: Spec<E, R>, extra: ReadonlyArray<Any>): Effect.Effect<Toolset<E, R>> =>
  Effect.map(Override, (override): Toolset<E, R> =>
    override === undefined ? spec.toolset(extra) : spec.transform(override)
  )

const conditionsOf = (
  spec: Spec<unknown, unknown>,
  options: RunOptions<Any>
): Effect.Effect<Omit<Conditions, "retries">, AgentDefinitionError> => {
  const maxRetries = options.retries ?? spec.retries ?? 1
  const timeout = spec.toolTimeout === undefined ? undefined : positive(spec.toolTimeout)
  const flaw =
    retriesFlaw(maxRetries) ??
    (spec.toolTimeout !== undefined && timeout === undefined ? notPositive(spec.toolTimeout) : undefined)
  if (flaw !== undefined) return Effect.fail(new AgentDefinitionError(flaw))
  const concurrency = options.concurrency ?? "unbounded"
  return Effect.succeed({ maxRetries, timeout, concurrency, traceValues: spec.traceValues })
}

const newId = Effect.flatMap(Effect.serviceOption(IdGenerator.IdGenerator), (service) =>
  Option.getOrElse(service, () => IdGenerator.defaultIdGenerator).generateId()
)

const nothingToSend = () =>
  new AgentDefinitionError({
    problem: "There is nothing to send to the model: no prompt, no history and no instructions.",
    hint: "Give the run a prompt."
  })
