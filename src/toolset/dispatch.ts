/**
 * One call of a model, from its name to an outcome: look up, decode, validate; then gates, wrappers and handler, which
 * the tool carries. Whoever calls tools calls them through here, and the signals are caught nowhere else.
 */
import { type Duration, Effect, Predicate, Result, type Schema } from "effect"
import type { RunContext } from "../RunContext.ts"
import { ToolCall } from "../ToolCall.ts"
import { isToolSignal, ModelRetry, type ToolSignal } from "../ToolSignal.ts"
import type { ToolResultError } from "../ToolsetError.ts"
import type { Offer } from "./collect.ts"
import { invalidArguments } from "./jsonArguments.ts"
import type { Decoded, Tool } from "./model.ts"
import { type Outcome, returned } from "./outcome.ts"
import { bounded } from "./timeout.ts"

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
  readonly progress: (value: unknown) => Effect.Effect<void>
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
): Effect.Effect<Admission<E>, E | ToolResultError, RunContext> =>
  Effect.suspend(() => {
    const tool = offer.byName.get(call.name)
    if (tool === undefined)
      return Effect.succeed(refused<E>(call, undefined, undefined, unknownTool(offer, call.name)))
    const service = toolCall(tool, call, circumstances)
    return Effect.gen(function* () {
      const decoded = yield* signalled(Effect.flatMap(parsed(call.args), tool.decode))
      if (isToolSignal(decoded)) return refused(call, tool, undefined, decoded)
      const invalid = yield* signalled(tool.validate(decoded))
      if (isToolSignal(invalid)) return refused(call, tool, decoded, invalid)
      const { timeout } = circumstances
      const running =
        timeout === undefined || tool.timed ? tool.call(decoded) : bounded(tool.call(decoded), timeout)
      return {
        call,
        tool,
        args: decoded,
        refused: undefined,
        perform: Effect.provideService(signalled(Effect.map(running, returned)), ToolCall, service)
      }
    }).pipe(Effect.provideService(ToolCall, service))
  })

const refused = <E>(
  call: Call,
  tool: Tool<E> | undefined,
  args: Decoded | undefined,
  signal: ToolSignal
): Admission<E> => ({ call, tool, args, refused: signal, perform: Effect.succeed(signal) })

/** The one place where signals stop being failures. */
const signalled = <A, E, R>(
  effect: Effect.Effect<A, E | ToolSignal, R>
): Effect.Effect<A | ToolSignal, Exclude<E, ToolSignal>, R> =>
  Effect.catch(effect, (error) =>
    isToolSignal(error) ? Effect.succeed(error) : Effect.fail(error as Exclude<E, ToolSignal>)
  )

const toolCall = (tool: Tool<unknown>, call: Call, circumstances: Circumstances): ToolCall["Service"] => {
  const { approved, attempt, metadata, progress } = circumstances
  const maxRetries = budget(tool, circumstances.maxRetries)
  return {
    id: call.id,
    name: tool.origin.at(-1) ?? call.name,
    exposedName: call.name,
    attempt,
    maxRetries,
    lastAttempt: attempt >= maxRetries,
    approved,
    metadata,
    progress
  }
}

/** The retries of a tool: its own, or else those that are given. */
export const budget = (tool: Tool<unknown>, otherwise: number): number =>
  tool.definition.maxRetries ?? otherwise

const parsed = (args: unknown): Effect.Effect<unknown, ModelRetry> => {
  if (args === undefined || args === "") return Effect.succeed({})
  if (!Predicate.isString(args)) return Effect.succeed(args)
  return Effect.fromResult(
    Result.try({
      try: (): unknown => JSON.parse(args),
      catch: () => invalidArguments("the text is not JSON")
    })
  )
}

const unknownTool = (offer: Offer<unknown>, name: string): ModelRetry => {
  const names = offer.tools.map((tool) => `'${tool.definition.name}'`).sort()
  const more = names.length - listedNames
  const available = more > 0 ? `${names.slice(0, listedNames).join(", ")} and ${more} more` : names.join(", ")
  const hint = names.length === 0 ? "No tools available." : `Available tools: ${available}`
  return new ModelRetry({ message: `Unknown tool name: '${name}'. ${hint}`, reason: "unknown-tool" })
}

/** More would cost the model more than they help it. */
const listedNames = 50
