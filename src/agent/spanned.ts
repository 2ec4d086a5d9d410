import { Effect, Tracer } from "effect"
import { quietSpan } from "../secrets/quietSpans.ts"

/** Runs an effect in a span of its own; unlike `Effect.withSpan`, without a stack trace, which would cost more than the call, and without secrets. */
export const spanned = <A, E, R>(
  name: string,
  attributes: Record<string, unknown>,
  f: (span: Tracer.Span) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
  quietSpan(name, attributes, (span) => Effect.provideService(f(span), Tracer.ParentSpan, span))
