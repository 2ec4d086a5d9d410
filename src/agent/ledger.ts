/** What a run has done so far, so that it can be told however the run ends. */
import { Prompt } from "effect/ai"
import type { Call } from "../toolset/dispatch.ts"
import { isDeferral } from "../toolset/outcome.ts"
import * as Usage from "../Usage.ts"
import type { UsageLimitExceeded } from "./AgentError.ts"
import { isOutput, type Settled, verdict } from "./batch.ts"
import { type Answer, type Answered, answers, append, arranged, pendingIn, toldToModel } from "./history.ts"
import * as Retries from "./retries.ts"
import type { Result } from "./run.ts"
import { answerNow, interrupted } from "./texts.ts"

const notEnded: Answer = { _tag: "Interrupted", reason: interrupted }

export class Ledger {
  readonly history: Prompt.Prompt
  messages: Prompt.Prompt
  usage: Usage.Usage = Usage.none
  /** How much of it was used before, by another attempt. */
  replayed: Usage.Usage = Usage.none
  retries: Retries.Retries = Retries.none
  /** A limit is reached: the next answer is the last. */
  isEnding = false
  /** The limit of a run outside that has ended this one. */
  stoppedBy: UsageLimitExceeded | undefined
  /** Calls that may run, and have not ended. */
  reserved = 0
  /** Whether the model is being asked. */
  isAsking = false
  /** Whether something has begun that was waited for. */
  hasBegun = false
  /** Those of the runs inside calls that are on their way. */
  readonly inside = new Set<Ledger>()
  #isTold = false
  /** How calls ended that are not in the messages yet, by id. */
  #ended = new Map<string, Answered>()
  #said: Array<Prompt.Message> = []

  constructor(history: Prompt.Prompt) {
    this.history = arranged(history)
    this.messages = this.history
  }

  /** A call has ended: known at once, written down with the others of its step. */
  readonly record = ({ admission, outcome }: Settled<unknown>): void => {
    // What waits may be answered in the same step, and runs then.
    if (isDeferral(outcome)) return
    if (!isOutput(admission) && this.reserved > 0) this.reserved--
    this.heard({ call: admission.call, answer: outcome })
    if (outcome._tag === "Returned" && !isOutput(admission))
      this.usage = { ...this.usage, toolCalls: this.usage.toolCalls + 1 }
  }

  /** A call has an answer; known at once too. */
  heard(answered: Answered): void {
    this.#ended.set(answered.call.id, answered)
  }

  spend(usage: Usage.Usage, replayed: Usage.Usage = Usage.none): void {
    this.usage = Usage.sum(this.usage, usage)
    this.replayed = Usage.sum(this.replayed, replayed)
  }

  /** What is used, with what is on its way: by this run, and by those inside its calls. */
  get using(): Usage.Usage {
    if (!this.isAsking && this.reserved === 0 && this.inside.size === 0) return this.usage
    const own = { ...Usage.none, requests: this.isAsking ? 1 : 0, toolCalls: this.reserved }
    const all = Array.from(this.inside, (ledger) => ledger.using)
    return all.reduce(Usage.sum, Usage.sum(this.usage, own))
  }

  say(...messages: ReadonlyArray<Prompt.Message>): void {
    this.#said.push(...messages)
    this.messages = append(this.messages, messages)
  }

  /** Tells the model, once, that its next answer is the last. */
  askToAnswer(): void {
    if (!this.#isTold) this.say(toldToModel(answerNow))
    this.#isTold = true
  }

  /** A step has ended: its answers are written down. */
  settle(answered: ReadonlyArray<Answered>, settled: ReadonlyArray<Settled<unknown>>): void {
    const isWhole = this.messages.content.at(-1)?.role === "assistant"
    this.say(...answers(answered))
    // Others of its calls have had their answers before.
    if (!isWhole) this.messages = arranged(this.messages)
    this.retries = Retries.afterStep(this.retries, settled.map(verdict))
    this.#ended = new Map()
    this.reserved = 0
  }

  /** An answer in text will not do. */
  refuse(...messages: ReadonlyArray<Prompt.Message>): void {
    this.say(...messages)
    this.retries = { ...this.retries, outputs: this.retries.outputs + 1 }
  }

  /** Takes over what a durable run has come to, which may have ended before. */
  end({ messages, newMessages, replayed, usage }: Omit<Result<unknown>, "output">, hadEnded: boolean): void {
    this.messages = messages
    this.#said = [...newMessages.content]
    this.usage = usage
    this.replayed = hadEnded ? usage : replayed
  }

  get newMessages(): Prompt.Prompt {
    return Prompt.fromMessages(this.#said)
  }

  /** Gives every call of the last response an answer: how it ended, or that it did not. */
  close(): void {
    this.#end((call) => [{ call, answer: notEnded }])
  }

  /** How far it has come, with the calls that have not ended left without an answer; nothing, where nothing has begun. */
  begun(): Prompt.Prompt | undefined {
    if (!this.hasBegun && this.messages === this.history) return undefined
    this.#end(() => [])
    return this.messages
  }

  #end(without: (call: Call) => ReadonlyArray<Answered>): void {
    const { calls } = pendingIn(this.messages)
    this.settle(
      calls.flatMap((call) => this.#ended.get(call.id) ?? without(call)),
      []
    )
  }
}
