/** A step lists the tools, asks the model, runs its calls and records their answers. */
import { Effect, type Scope } from "effect"
import type { LanguageModel, Prompt } from "effect/ai"
import { RunContext } from "../RunContext.ts"
import { ModelRetry } from "../ToolSignal.ts"
import { type Offer, offer as offered } from "../toolset/collect.ts"
import { supplied } from "../toolset/environment.ts"
import { instructionsOf as toolsetInstructions } from "../toolset/listing.ts"
import type { Instruction, Listing } from "../toolset/model.ts"
import { AgentDefinitionError, type AgentError, IncompleteResponse } from "./AgentError.ts"
import { withinOutputBudget } from "./batch.ts"
import * as Bounds from "./bounds.ts"
import type { Ended } from "./conclude.ts"
import { retryMessage, toldToModel } from "./history.ts"
import type { Spec } from "./model.ts"
import { instructionText } from "./request.ts"
import { offerOf, respond } from "./respond.ts"
import { conditionsOf, contextOf, type Running } from "./running.ts"
import { sayAnything } from "./texts.ts"

export const step = Effect.fnUntraced(function* <E, R>(
  running: Running<E, R>,
  number: number
): Effect.fn.Return<Ended | undefined, AgentError | E, LanguageModel.LanguageModel | R> {
  const { bounds, instruct, ledger, settings, spec, watch } = running
  const { outputs } = settings
  const asking = contextOf(running, number)
  const all = yield* offerOf(running, asking)
  const instructions = yield* supplied(instructionsOf(spec, running.listing, asking), RunContext, asking)

  // What runs inside calls have used is found here.
  const over = Bounds.ending(overTokens(running)) ?? Bounds.beforeRequest(bounds)
  if (over !== undefined) return yield* Bounds.stopped(bounds, over)
  const isLast = ledger.isEnding || Bounds.isLastRequest(bounds)
  if (isLast) ledger.askToAnswer()
  const offer = isLast ? yield* offered(outputs.tools, asking) : all
  const prompt = instruct(instructionText(instructions), ledger.messages)
  if (prompt.content.length === 0) return yield* nothingToSend()

  ledger.isAsking = true
  const answer = yield* watch.ask({ offer, prompt, allowsText: outputs.allowsText })
  ledger.isAsking = false
  ledger.say(...answer.messages)
  ledger.spend(answer.usage)
  const crossed = overTokens(running)
  const ends = Bounds.ending(crossed)
  if (ends !== undefined) return yield* Bounds.stopped(bounds, ends)
  if (!finished.has(answer.finishReason))
    return yield* new IncompleteResponse({ finishReason: answer.finishReason })
  const run = contextOf(running, number)
  if (answer.calls.length > 0) return yield* respond(running, offer, answer.calls, run, { isLast, crossed })
  // The model is not done: the provider has stopped at a call that it runs itself, and goes on when asked again.
  if (answer.finishReason === "pause") return undefined
  return yield* supplied(spoken(running, offer, answer.text), RunContext, run)
})

/** Whether there are more tokens than there may be; where the model is to be told, its next answer is the last. */
const overTokens = ({ bounds, ledger }: Running<unknown, unknown>): Bounds.Crossing | undefined => {
  const over = Bounds.afterResponse(bounds)
  if (over !== undefined && Bounds.asksToAnswer(over)) ledger.isEnding = true
  return over
}

/** An answer in text, or in nothing. */
const spoken = Effect.fnUntraced(function* <E, R>(
  running: Running<E, R>,
  offer: Offer<E>,
  text: string
): Effect.fn.Return<Ended | undefined, AgentError | E, R | RunContext> {
  const { ledger, settings } = running
  const { allowsText, tools, validateText } = settings.outputs
  const refuse = (last: string, message: Prompt.UserMessage) =>
    Effect.map(withinOutputBudget(last, conditionsOf(running)), () => void ledger.refuse(message))
  if (!allowsText || text.trim() === "") {
    const hasTools = offer.tools.length > tools.length
    const advice = sayAnything({ text: allowsText, tools: hasTools, output: tools.length > 0 })
    yield* refuse(advice, toldToModel(advice))
    return undefined
  }
  const problem = yield* Effect.catch(Effect.as(validateText(text), undefined), (error) =>
    error instanceof ModelRetry ? Effect.succeed(error.message) : Effect.fail(error)
  )
  if (problem === undefined) return { output: text }
  yield* refuse(problem, retryMessage(problem))
  return undefined
})

/** A response without a finish part reads as `unknown`. */
const finished: ReadonlySet<string> = new Set(["stop", "tool-calls", "pause", "unknown"])

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

const nothingToSend = () =>
  new AgentDefinitionError({
    problem: "There is nothing to send to the model: no prompt, no history and no instructions.",
    hint: "Give the run a prompt."
  })
