// Shared by the examples: a toolset over a connection, which is opened with the run and closed with it.
import { Console, Effect, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { Toolset } from "effect-toolset"
import { baseUrl } from "./loopback.ts"

const Station = Schema.Struct({ station: Schema.String.check(Schema.isPattern(/^[a-z]{3}$/)) })

const client = Effect.acquireRelease(
  Effect.gen(function* () {
    const url = yield* baseUrl
    yield* Console.log("opened   the HTTP client of the stations")
    return HttpClient.mapRequest(yield* HttpClient.HttpClient, HttpClientRequest.prependUrl(url))
  }),
  () => Console.log("closed   the HTTP client of the stations")
)

export const stations = Toolset.unwrap(
  Effect.map(client, (client) => {
    const json = (path: string) =>
      Effect.flatMap(client.get(path), HttpClientResponse.schemaBodyJson(Schema.Json))
    return Toolset.combined(
      Toolset.tool("all", { handler: () => json("/stations") }),
      Toolset.tool("now", {
        parameters: Station,
        handler: ({ station }) => json(`/stations/${station}/now`)
      }),
      Toolset.tool("reset", { metadata: { dangerous: true }, handler: () => json("/reset") })
    )
  })
)
