/**
 * One call of a model, from its name to an outcome: look up, decode, validate; then gates, wrappers and handler, which
 * the tool carries. Whoever calls tools calls them through here, and the signals are caught nowhere else.
 */
import { Context, type Duration, Effect, Exit, Predicate, Result, type Schema, Tracer } from "effect"
import type { RunContext } from "../RunContext.ts"
import { ToolCall } from "../ToolCall.ts"
import { ToolReturn } from "../ToolReturn.ts"
import { isToolSignal, ModelRetry, type ToolSignal } from "../ToolSignal.ts"
import type { ToolResultError } from "../ToolsetError.ts"
import type { Offer } from "./collect.ts"
import { invalidArguments } from "./jsonArguments.ts"
import type { CallSignals, Decoded, Tool } from "./model.ts"
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
  /** Whether arguments and results are written into spans. */
  readonly traceValues?: boolean | undefined
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
  const refuse = (
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
  const tool = offer.byName.get(call.name)
  if (tool === undefined) return Effect.succeed(refuse(tool, undefined, unknownTool(offer, call.name)))
  const service = toolCall(tool, call, circumstances)
  const before = <A>(effect: Effect.Effect<A, E | CallSignals, RunContext | ToolCall>) => {
    const settling = calm<A, E, RunContext | ToolCall>(effect)
    // What is there already needs no service.
    return Exit.isExit(settling)
      ? (settling as Effect.Effect<A | ToolSignal, E | ToolResultError>)
      : Effect.provideService(settling, ToolCall, service)
  }
  return Effect.flatMapEager(before(Effect.flatMapEager(parsed(call.args), tool.decode)), (args) => {
    if (isToolSignal(args)) return Effect.succeed(refuse(tool, undefined, args))
    return Effect.mapEager(before(tool.validate(args)), (invalid): Admission<E> => {
      if (isToolSignal(invalid)) return refuse(tool, args, invalid)
      return {
        call,
        tool,
        args,
        refused: undefined,
        perform: performing(tool, call, args, service, circumstances)
      }
    })
  })
}

/** Gates, wrappers and handler, which the tool carries. */
const performing = <E>(
  tool: Tool<E>,
  call: Call,
  args: Decoded,
  service: ToolCall["Service"],
  circumstances: Circumstances
): Effect.Effect<Outcome, E | ToolResultError, RunContext> =>
  inSpan(call, circumstances, (span) => {
    const { timeout } = circumstances
    const calling = timeout === undefined || tool.timed ? tool.call(args) : bounded(tool.call(args), timeout)
    return Effect.updateContext(
      calm<ToolReturn, E, RunContext | ToolCall>(calling),
      (caller: Context.Context<RunContext>) =>
        caller.pipe(Context.add(ToolCall, service), Context.add(Tracer.ParentSpan, span))
    )
  })

/** A call has a span of its own, which says how it ended. */
const inSpan = <E>(
  { args, id, name }: Call,
  { traceValues }: Circumstances,
  f: (span: Tracer.Span) => Effect.Effect<ToolReturn | ToolSignal, E, RunContext>
): Effect.Effect<Outcome, E, RunContext> => {
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.id": id,
    ...(traceValues === true ? { "gen_ai.tool.call.arguments": args } : {})
  }
  return Effect.useSpan(`execute_tool ${name}`, { attributes }, (span) =>
    Effect.mapEager(f(span), (ended) => {
      const outcome = ended instanceof ToolReturn ? returned(ended) : ended
      span.attribute("effect_toolset.outcome", outcome._tag)
      if (traceValues === true && outcome._tag === "Returned") {
        span.attribute("gen_ai.tool.call.result", outcome.result.value)
      }
      return outcome
    })
  )
}

/** The one place where signals stop being failures. */
const calm = <A, E, R>(
  effect: Effect.Effect<A, E | CallSignals, R>
): Effect.Effect<A | ToolSignal, E | ToolResultError, R> =>
  Effect.catchEager(effect, (error): Effect.Effect<ToolSignal, E | ToolResultError> =>
    // What is no signal is one of the others.
    isToolSignal(error) ? Effect.succeed(error) : Effect.fail(error as E | ToolResultError)
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
