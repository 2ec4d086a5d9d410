/** The events of a run in a few words. */
import { Effect, Stream } from "effect"
import type { Agent } from "effect-toolset"

/** An event in a few words. */
export const short = (event: Agent.Event<unknown>): string => {
  switch (event._tag) {
    case "Text":
    case "Reasoning":
      return `${event._tag} ${JSON.stringify(event.delta)}`
    case "ToolCall":
      return `${event.valid ? "call" : "bad call"} ${event.toolName} ${JSON.stringify(event.args)}`
    case "ToolProgress":
      return `progress ${event.toolName} ${JSON.stringify(event.value)}`
    case "ToolResult":
      return `${event.outcome} ${event.toolName} ${JSON.stringify(event.value)}`
    case "Deferred":
      return `waits ${[...event.requests.approvals, ...event.requests.calls].map((call) => call.toolName).join()}`
    case "Done":
      return `done ${JSON.stringify(event.result.output)}`
  }
}
export const eventsOf = <A, E, R>(stream: Stream.Stream<Agent.Event<A>, E, R>) =>
  Effect.map(Stream.runCollect(stream), (events) => Array.from(events, short))
/** Events until the stream fails, and with what. */
export const until = <A, E, R>(stream: Stream.Stream<Agent.Event<A>, E, R>) => {
  const events: Array<string> = []
  const run = Stream.runForEach(stream, (event) => Effect.sync(() => void events.push(short(event))))
  return Effect.map(Effect.flip(run), (error) => ({ events, error }))
}
