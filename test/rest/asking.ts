/** Requests to a server that answers as a test wants. */
import { NodeHttpClient } from "@effect/platform-node"
import { it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { FetchHttpClient, type HttpClient, HttpClientRequest } from "effect/http"
import { connect, type ConnectOptions } from "../../src/rest/connect.ts"
import { isIdempotent } from "../../src/rest/methods.ts"
import { type Answer, recording, type Seen } from "./server.ts"

type Method = "GET" | "PUT" | "POST" | "PATCH" | "DELETE"

/** One request to `/users/7`, named by its template; a success is its text, but for `bad`. */
export const asking = (
  answer: (seen: Seen, index: number) => Answer,
  options: ConnectOptions<"retry" | "recover" | "fail"> = {},
  method: Method = "GET"
) =>
  Effect.gen(function* () {
    const { baseUrl, seen } = yield* recording(answer)
    const { client, exchange } = yield* connect("test", { baseUrl, ...options })
    const asked = exchange({
      endpoint: { method, path: "/users/:id" },
      isIdempotent: isIdempotent(method),
      send: client.execute(HttpClientRequest.make(method)("/users/7")),
      read: (_response, text) => (text === "bad" ? Effect.fail("it is bad") : Effect.succeed(text))
    })
    return { asked, seen }
  })

export const failing = (...args: Parameters<typeof asking>) =>
  Effect.flatMap(asking(...args), ({ asked }) => Effect.flip(asked))

/** Runs in real time: nothing in these tests depends on how long things take. */
export const real = <A, E>(
  name: string,
  test: () => Effect.Effect<A, E, HttpClient.HttpClient | Scope.Scope>
) => {
  for (const [client, layer] of [
    ["fetch", FetchHttpClient.layer],
    ["node:http", NodeHttpClient.layerNodeHttp]
  ] as const) {
    it.live(`${name} (${client})`, () => Effect.scoped(Effect.provide(test(), layer)))
  }
}
