/**
 * One call of a model, from its name to an outcome: look up, decode, validate; then gates, wrappers and handler, which
 * the tool carries. Whoever calls tools calls them through here, and the signals are caught nowhere else.
 */
import { Context, type Duration, Effect, Exit, Predicate, Result, type Schema, Tracer } from "effect"
import type { RunContext } from "../RunContext.ts"
import { ToolCall } from "../ToolCall.ts"
import { isToolSignal, type ModelRetry, type ToolSignal } from "../ToolSignal.ts"
import type { ToolResultError } from "../ToolsetError.ts"
import { type Offer, Offered } from "./collect.ts"
import { bounded } from "./bounded.ts"
import { inSpan } from "./callSpan.ts"
import { supplied } from "./environment.ts"
import { invalidArguments } from "./invalidArguments.ts"
import { type Grant, type UnderWay, underWay, ungranted } from "./grant.ts"
import type { CallSignals, Decoded, Tool } from "./model.ts"
import type { Outcome } from "./outcome.ts"
import { notOffered } from "./unknownTool.ts"

/** A call as the model makes it. */
export interface Call {
  readonly id: string
  readonly name: string
  /** As JSON, or as text of it; nothing at all is an empty object. */
  readonly args: unknown
}

/** What is known about it besides. */
export interface Circumstances {
  readonly attempt: number
  /** The budget of a tool that has none of its own. */
  readonly maxRetries: number
  /** The timeout of a tool that has none. */
  readonly timeout?: Duration.Duration | undefined
  readonly approved: boolean
  readonly metadata: Readonly<Record<string, Schema.Json>>
  readonly grant?: Grant | undefined
  readonly progress: (value: unknown) => Effect.Effect<void>
  readonly idempotencyKey?: string | undefined
  /** Whether arguments and results are written into spans. */
  readonly traceValues?: boolean | undefined
}

/** Those of a call that nothing is known about. */
export const circumstances: Circumstances = {
  attempt: 0,
  maxRetries: 1,
  approved: false,
  metadata: {},
  progress: () => Effect.void
}

/** A call that has been looked up, decoded and validated, or refused on the way. */
export interface Admission<out E> {
  readonly call: Call
  readonly tool: Tool<E> | undefined
  /** Nothing, where they did not decode. */
  readonly args: Decoded | undefined
  /** Says what was wrong, or that a validator defers the call. */
  readonly refused: ToolSignal | undefined
  /** Gates, wrappers, handler. */
  readonly perform: Effect.Effect<Outcome, E | ToolResultError, RunContext>
}

/** The way of a call up to its gates. */
export const admit = <E>(
  offer: Offer<E>,
  call: Call,
  circumstances: Circumstances
): Effect.Effect<Admission<E>, E | ToolResultError, RunContext> => {
  const tool = offer.byName.get(call.name)
  if (tool === undefined)
    return Effect.succeed(refusal(call, circumstances, tool, undefined, notOffered(offer, call.name)))
  const service = toolCall(tool, call, circumstances)
  const admission = Effect.flatMapEager(decoded(tool, call, service, circumstances), (args) => {
    if (isToolSignal(args)) return Effect.succeed(refusal(call, circumstances, tool, undefined, args))
    const validating = supplied(during(tool, tool.validate(args), circumstances), ToolCall, service)
    return Effect.mapEager(validating, (invalid): Admission<E> => {
      if (isToolSignal(invalid)) return refusal(call, circumstances, tool, args, invalid)
      const perform = inSpan(call, circumstances, (span) =>
        Effect.updateContext(
          during(tool, tool.call(args), circumstances),
          (caller: Context.Context<RunContext>) => {
            const own = Context.add(Context.add(caller, Tracer.ParentSpan, span), ToolCall, service)
            return tool.finds === undefined ? own : Context.add(own, Offered, offer)
          }
        )
      )
      return { call, tool, args, refused: undefined, perform }
    })
  })
  if (Exit.isExit(admission) && Exit.isSuccess(admission)) return admission
  // Also a call that ends the run before its gates has its span.
  return Effect.tapCause(admission, (cause) => inSpan(call, circumstances, () => Effect.failCause(cause)))
}

/** A call that goes no further, as its span says. */
const refusal = <E>(
  call: Call,
  circumstances: Circumstances,
  tool: Tool<E> | undefined,
  args: Decoded | undefined,
  refused: ToolSignal
): Admission<E> => ({
  call,
  tool,
  args,
  refused,
  perform: inSpan(call, circumstances, () => Effect.succeed(refused))
})

/** The arguments of a call, decoded, or what is wrong with them. */
export const decodedBy = <E>(
  tool: Tool<E>,
  call: Call
): Effect.Effect<Decoded | ToolSignal, E | ToolResultError, RunContext> =>
  decoded(tool, call, toolCall(tool, call, circumstances), circumstances)

const decoded = <E>(tool: Tool<E>, call: Call, service: ToolCall["Service"], circumstances: Circumstances) =>
  supplied(
    during(tool, Effect.flatMapEager(parsed(call.args), tool.decode), circumstances),
    ToolCall,
    service
  )

/** A part of a call, in its time and with its signals settled. */
const during = <A, E>(
  tool: Tool<E>,
  effect: Effect.Effect<A, E | CallSignals, RunContext | ToolCall>,
  { timeout }: Circumstances
): Effect.Effect<A | ToolSignal, E | ToolResultError, RunContext | ToolCall> =>
  settled<A, E, RunContext | ToolCall>(
    timeout === undefined || tool.timed ? effect : bounded(effect, timeout)
  )

/** The one place where signals stop being failures. */
const settled = <A, E, R>(
  effect: Effect.Effect<A, E | CallSignals, R>
): Effect.Effect<A | ToolSignal, E | ToolResultError, R> => Effect.catchEager(effect, signalOf<E>)

const signalOf = <E>(error: E | CallSignals): Effect.Effect<ToolSignal, E | ToolResultError> =>
  // What is no signal is one of the others.
  isToolSignal(error) ? Effect.succeed(error) : Effect.fail(error as E | ToolResultError)

const toolCall = (tool: Tool<unknown>, call: Call, circumstances: Circumstances): ToolCall["Service"] => {
  const { approved, attempt, grant = ungranted, idempotencyKey, metadata, progress } = circumstances
  const maxRetries = budget(tool, circumstances.maxRetries)
  const service: ToolCall["Service"] & UnderWay = {
    [underWay]: grant,
    id: call.id,
    name: tool.origin.at(-1) ?? call.name,
    exposedName: call.name,
    attempt,
    maxRetries,
    lastAttempt: attempt >= maxRetries,
    approved,
    idempotencyKey,
    metadata,
    progress
  }
  return service
}

/** The retries of a tool: its own, or else those that are given. */
export const budget = (tool: Tool<unknown>, otherwise: number): number =>
  tool.definition.maxRetries ?? otherwise

const parsed = (args: unknown): Effect.Effect<unknown, ModelRetry> => {
  if (args === undefined || args === "") return Effect.succeed({})
  if (!Predicate.isString(args)) return shallow(args)
  const json = Result.try({
    try: (): unknown => JSON.parse(args),
    catch: () => invalidArguments("the text is not JSON")
  })
  return Effect.flatMapEager(Effect.fromResult(json), shallow)
}

/** Whoever looks at arguments does so level by level, and the stack ends somewhere. */
const shallow = (args: unknown): Effect.Effect<unknown, ModelRetry> =>
  isDeeperThan(args, deepest)
    ? Effect.fail(invalidArguments(`they are nested more than ${deepest} levels deep`))
    : Effect.succeed(args)

const deepest = 500

const isDeeperThan = (value: unknown, levels: number): boolean => {
  if (!Predicate.isObjectOrArray(value)) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeperThan(item, levels - 1)) return true
    return false
  }
  for (const key in value) if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}
