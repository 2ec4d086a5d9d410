/** Everything that can be seen of a program from outside: its logs, its spans. */
import { Layer, Logger, References, Tracer } from "effect"

export const watching = () => {
  const logs: Array<unknown> = []
  const spans: Array<Tracer.NativeSpan> = []
  const logger = Logger.make((options) => {
    logs.push({
      message: options.message,
      cause: options.cause,
      annotations: { ...options.fiber.getRef(References.CurrentLogAnnotations) },
      spans: [...options.fiber.getRef(References.CurrentLogSpans)]
    })
  })
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const layer = Layer.mergeAll(
    Logger.layer([
      logger,
      Logger.tracerLogger,
      Logger.map(Logger.formatJson, (line) => void logs.push(line))
    ]),
    Layer.succeed(Tracer.Tracer, tracer)
  )
  /** What a tracer could send, without the tree that it is in. */
  const seen = () => ({
    logs,
    spans: spans.map(({ attributes, events, links, name, status }) => ({
      name,
      attributes: new Map(attributes),
      events,
      links: links.map((link) => link.attributes),
      exit: status._tag === "Ended" ? status.exit : undefined
    }))
  })
  return { layer, seen, spans }
}

export const spanNames = (spans: ReadonlyArray<Tracer.NativeSpan>): ReadonlyArray<string> =>
  spans.map((span) => span.name)
