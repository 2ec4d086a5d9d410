/** Surroundings in which nothing that is said holds a secret: failures, logs, reports, spans, metrics, progress. */
import { Context, Effect, ErrorReporter, Logger, Metric, References, Tracer } from "effect"
import { ToolCall } from "../ToolCall.ts"
import { lookingLike } from "../toolset/grant.ts"
import { maskedCause } from "./failures.ts"
import type { Mask } from "./mask.ts"
import { quietRegistry } from "./quietMetrics.ts"
import { quietAny, quietTracer } from "./quietSpans.ts"

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
      Context.add(
        ErrorReporter.CurrentErrorReporters,
        quietReporters(mask, Context.get(context, ErrorReporter.CurrentErrorReporters))
      ),
      Context.add(Metric.MetricRegistry, quietRegistry(mask, Context.get(context, Metric.MetricRegistry))),
      span._tag === "Some" ? Context.add(Tracer.ParentSpan, quietAny(mask, span.value)) : (same) => same,
      call._tag === "Some" ? Context.add(ToolCall, quietCall(mask, call.value)) : (same) => same
    )
    return Context.merge(context, services) as Context.Context<R>
  }

const quietCall = (mask: Mask, call: ToolCall["Service"]): ToolCall["Service"] => ({
  ...lookingLike(mask)(call),
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

const quietReporters = (
  mask: Mask,
  reporters: ReadonlySet<ErrorReporter.ErrorReporter>
): ReadonlySet<ErrorReporter.ErrorReporter> =>
  new Set(
    Array.from(reporters, (reporter) => ({
      ...reporter,
      report: (options) =>
        reporter.report({
          ...options,
          cause: maskedCause(mask, options.cause),
          fiber: quietFiber(mask, options.fiber)
        })
    }))
  )

/** The same fiber, but for what loggers read of it. */
const quietFiber = (mask: Mask, fiber: Logger.Options<unknown>["fiber"]): typeof fiber => {
  const shown = [References.CurrentLogAnnotations, References.CurrentLogSpans] as const
  const context = shown.reduce(
    (context, ref: Context.Reference<any>) => Context.add(context, ref, mask(Context.get(context, ref))),
    fiber.context
  )
  return Object.create(fiber, { context: { value: context } })
}
