/** An HTTP client whose event streams are listened to by the way. */
import { Effect, Stream } from "effect"
import * as Sse from "effect/encoding/Sse"
import { HttpClient, type HttpClientResponse } from "effect/http"

export const overheard = (
  client: HttpClient.HttpClient,
  take: (message: unknown) => Effect.Effect<void>
): HttpClient.HttpClient => HttpClient.transformResponse(client, Effect.map(listenedTo(take)))

const listenedTo =
  (take: (message: unknown) => Effect.Effect<void>) =>
  (response: HttpClientResponse.HttpClientResponse): HttpClientResponse.HttpClientResponse => {
    if (!isEventStream(response)) return response
    const stream = Stream.suspend(() => {
      const messages: Array<unknown> = []
      const decoder = new TextDecoder()
      const parser = Sse.makeParser((event) => {
        if (event._tag === "Event") messages.push(jsonIn(event.data))
      })
      return Stream.tap(response.stream, (bytes) => {
        parser.feed(decoder.decode(bytes, { stream: true }))
        return Effect.forEach(messages.splice(0), take, { discard: true })
      })
    })
    // Everything else is the response's own.
    return Object.create(response, { stream: { value: stream } })
  }

const isEventStream = ({ headers }: HttpClientResponse.HttpClientResponse): boolean =>
  headers["content-type"]?.trim().toLowerCase().startsWith("text/event-stream") === true

/** What is no JSON is for the client to refuse. */
const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
