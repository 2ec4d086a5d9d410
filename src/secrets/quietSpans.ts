/** Spans that say no secrets: their names, attributes, events, links, and what they end with. */
import { Context, Effect, Option, Tracer } from "effect"
import { Secrets } from "../Secrets.ts"
import { maskedExit } from "./failures.ts"
import type { Mask } from "./mask.ts"

/**
 * Runs an effect in a span that says none of the secrets of the surroundings. Only this span: what the effect opens inside
 * is its own.
 */
export const quietSpan = <A, E, R>(
  name: string,
  attributes: Record<string, unknown>,
  f: (span: Tracer.Span) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const secrets = Context.getOrUndefined(fiber.context, Secrets)
    if (secrets === undefined) return Effect.useSpan(name, { attributes }, f)
    const tracer = fiber.getRef(Tracer.Tracer)
    return Effect.withTracer(
      Effect.useSpan(name, { attributes }, (span) => Effect.withTracer(f(span), tracer)),
      quietTracer(secrets.mask, tracer)
    )
  })

/** What a span of ours stands for: tracers know their own. */
const originals = new WeakMap<object, Tracer.AnySpan>()

const original = <Span extends Tracer.AnySpan>(span: Span): Span => (originals.get(span) ?? span) as Span

export const quietTracer = (mask: Mask, tracer: Tracer.Tracer): Tracer.Tracer => ({
  context: tracer.context === undefined ? undefined : tracer.context.bind(tracer),
  span: (options) =>
    quiet(
      mask,
      tracer.span({
        ...options,
        name: mask(options.name),
        parent: Option.map(options.parent, original),
        links: options.links.map((link) => quietLink(mask, link))
      })
    )
})

export const quietAny = (mask: Mask, span: Tracer.AnySpan): Tracer.AnySpan =>
  span._tag === "Span" ? quiet(mask, span) : span

const quiet = (mask: Mask, span: Tracer.Span): Tracer.Span => {
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
