/** The span of a call. */
import { Effect, type Tracer } from "effect"
import type { RunContext } from "../RunContext.ts"
import { quietSpan } from "../secrets/quietSpans.ts"
import { ToolReturn } from "../ToolReturn.ts"
import type { ToolSignal } from "../ToolSignal.ts"
import type { Call, Circumstances } from "./dispatch.ts"
import { type Outcome, returned } from "./outcome.ts"

/** A call has a span of its own, which says how it ended, but for its secrets. */
export const inSpan = <E>(
  { args, id, name }: Call,
  { traceValues }: Pick<Circumstances, "traceValues">,
  f: (span: Tracer.Span) => Effect.Effect<ToolReturn | ToolSignal, E, RunContext>
): Effect.Effect<Outcome, E, RunContext> => {
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.id": id
  }
  return quietSpan(`execute_tool ${name}`, attributes, (span) => {
    const ended = Effect.mapEager(f(span), (ended) => {
      const outcome = ended instanceof ToolReturn ? returned(ended) : ended
      span.attribute("effect_toolset.outcome", outcome._tag)
      return outcome
    })
    return traceValues === true ? withValues(span, args, ended) : ended
  })
}

/** Writes what went in and what came out. */
const withValues = <E>(
  span: Tracer.Span,
  args: unknown,
  ended: Effect.Effect<Outcome, E, RunContext>
): Effect.Effect<Outcome, E, RunContext> =>
  Effect.suspend(() => {
    span.attribute("gen_ai.tool.call.arguments", args)
    return Effect.mapEager(ended, (outcome) => {
      if (outcome._tag === "Returned") span.attribute("gen_ai.tool.call.result", outcome.result.value)
      return outcome
    })
  })
