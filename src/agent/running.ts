/** A run on its way: what it was set to, what it has open, and what it has done. */
import type { RunContext } from "../RunContext.ts"
import type { Listing, Toolset } from "../toolset/model.ts"
import type { Conditions } from "./batch.ts"
import type { Bounds } from "./bounds.ts"
import type { Claim } from "./durable/calls.ts"
import type { Emit } from "./events.ts"
import type { Ledger } from "./ledger.ts"
import type { Spec } from "./model.ts"
import type { Inside } from "./nesting.ts"
import type { Ask, instructing } from "./request.ts"
import type { AnyRunOptions, OnDeferred } from "./run.ts"
import type { Settings } from "./settings.ts"

/** Whoever watches: asks the model in another way, and is told what happens. */
export interface Watch {
  readonly ask: Ask
  /** Nothing, where nobody watches. */
  readonly emit: Emit | undefined
}

export interface Running<out E, out R> {
  readonly runId: string
  readonly spec: Spec<E, R>
  readonly settings: Settings<E>
  readonly options: AnyRunOptions
  /** What it has open. */
  readonly toolset: Toolset<E, R>
  readonly listing: Listing<E>
  readonly instruct: ReturnType<typeof instructing>
  readonly ledger: Ledger
  readonly inside: Inside
  readonly bounds: Bounds
  readonly watch: Watch
  /** Who is asked about calls that wait, in turn. `any`: what they fail with and need is said by whoever takes them. */
  readonly answering: () => Iterable<OnDeferred<any, any>>
  /** Claims the place of a call, where calls are recorded. */
  readonly claim: Claim | undefined
}

/** What is known about the run at a step; a new value for each, by which a step is known. */
export const contextOf = (
  { ledger, runId }: Pick<Running<unknown, unknown>, "ledger" | "runId">,
  step: number
): RunContext["Service"] => ({
  runId,
  step,
  messages: ledger.messages,
  usage: ledger.usage,
  retries: ledger.retries.byName
})

/** What holds for the calls of a step. */
export const conditionsOf = ({ claim, ledger, settings, watch }: Running<unknown, unknown>): Conditions => ({
  maxRetries: settings.maxRetries,
  maxOutputRetries: settings.maxOutputRetries,
  timeout: settings.timeout,
  traceValues: settings.traceValues,
  concurrency: settings.concurrency,
  retries: ledger.retries,
  emit: watch.emit,
  record: ledger.record,
  claim
})
