/** Surroundings in which nothing that is said holds a secret: failures, logs, spans and their events, progress. */
import { Context, Effect, Logger, Option, References, Tracer } from "effect"
import { ToolCall } from "../ToolCall.ts"
import { maskedCause, maskedExit } from "./failures.ts"
import type { Mask } from "./mask.ts"

export const quietly = <A, E, R>(mask: Mask, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchCause(Effect.updateContext(effect, quietened(mask)), (cause) =>
    Effect.failCause(maskedCause(mask, cause))
  ) as Effect.Effect<A, E, R>

const quietened =
  (mask: Mask) =>
  <R>(context: Context.Context<R>): Context.Context<R> => {
    const span = Context.getOption(context, Tracer.ParentSpan)
    const call = Context.getOption(context, ToolCall)
    const services = Context.empty().pipe(
      Context.add(Tracer.Tracer, quietTracer(mask, Context.get(context, Tracer.Tracer))),
      Context.add(Logger.CurrentLoggers, quietLoggers(mask, Context.get(context, Logger.CurrentLoggers))),
      span._tag === "Some" ? Context.add(Tracer.ParentSpan, quietAny(mask, span.value)) : (same) => same,
      call._tag === "Some" ? Context.add(ToolCall, quietCall(mask, call.value)) : (same) => same
    )
    return Context.merge(context, services) as Context.Context<R>
  }

const quietCall = (mask: Mask, call: ToolCall["Service"]): ToolCall["Service"] => ({
  ...call,
  progress: (value) => call.progress(mask(value))
})

// logs

const quietLoggers = (
  mask: Mask,
  loggers: ReadonlySet<Logger.Logger<unknown, any>>
): ReadonlySet<Logger.Logger<unknown, any>> =>
  new Set(
    Array.from(loggers, (logger) =>
      Logger.make((options: Logger.Options<unknown>) =>
        logger.log({
          ...options,
          message: mask(options.message),
          cause: maskedCause(mask, options.cause),
          fiber: quietFiber(mask, options.fiber)
        })
      )
    )
  )

/** The same fiber, but for what loggers read of it. */
const quietFiber = (mask: Mask, fiber: Logger.Options<unknown>["fiber"]): typeof fiber => {
  const getRef = (ref: Context.Reference<any>): unknown => {
    const value = fiber.getRef(ref)
    const isShown = ref === References.CurrentLogAnnotations || ref === References.CurrentLogSpans
    return isShown ? mask(value) : value
  }
  return Object.create(fiber, { getRef: { value: getRef } })
}

// spans

/** What a span of ours stands for: tracers know their own. */
const originals = new WeakMap<object, Tracer.AnySpan>()

const original = <Span extends Tracer.AnySpan>(span: Span): Span => (originals.get(span) ?? span) as Span

const quietTracer = (mask: Mask, tracer: Tracer.Tracer): Tracer.Tracer => ({
  context: tracer.context === undefined ? undefined : tracer.context.bind(tracer),
  span: (options) =>
    quietSpan(
      mask,
      tracer.span({
        ...options,
        name: mask(options.name),
        parent: Option.map(options.parent, original),
        links: options.links.map((link) => quietLink(mask, link))
      })
    )
})

const quietAny = (mask: Mask, span: Tracer.AnySpan): Tracer.AnySpan =>
  span._tag === "Span" ? quietSpan(mask, span) : span

const quietSpan = (mask: Mask, span: Tracer.Span): Tracer.Span => {
  const shown: Pick<Tracer.Span, "attribute" | "event" | "addLinks" | "end"> = {
    attribute: (key, value) => span.attribute(mask(key), mask(value)),
    event: (name, time, attributes) => span.event(mask(name), time, mask(attributes) as typeof attributes),
    addLinks: (links) => span.addLinks(links.map((link) => quietLink(mask, link))),
    end: (time, exit) => span.end(time, maskedExit(mask, exit))
  }
  const quiet: Tracer.Span = Object.assign(Object.create(span), shown)
  originals.set(quiet, original(span))
  return quiet
}

const quietLink = (mask: Mask, { attributes, span }: Tracer.SpanLink): Tracer.SpanLink => ({
  span: original(span),
  attributes: mask(attributes) as typeof attributes
})
