// Shared by the examples: the endpoints of a service as tools, over a connection that is opened with the run and closed
// with it.
import { Console, Effect, Layer, Schema } from "effect"
import { HttpClient } from "effect/http"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Toolset } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { baseUrl } from "./loopback.ts"

const Station = Schema.Struct({ id: Schema.String, name: Schema.String, country: Schema.String })
const Weather = Schema.Struct({ celsius: Schema.Finite, wind: Schema.Finite, sky: Schema.String })
const station = Schema.String.check(Schema.isPattern(/^[a-z]{3}$/))

const api = HttpApi.make("weather").add(
  HttpApiGroup.make("stations").add(
    HttpApiEndpoint.get("all", "/stations", { success: Schema.Array(Station) }) //
      .annotate(HttpApiToolset.ToolMeta, { name: "all" }),
    HttpApiEndpoint.get("now", "/stations/:station/now", { params: { station }, success: Weather }) //
      .annotate(HttpApiToolset.ToolMeta, { name: "now" }),
    HttpApiEndpoint.post("reset", "/reset") //
      .annotate(HttpApiToolset.ToolMeta, { name: "reset", metadata: { dangerous: true } })
  )
)

const client = Effect.acquireRelease(
  Effect.andThen(Console.log("opened   the HTTP client of the stations"), HttpClient.HttpClient),
  () => Console.log("closed   the HTTP client of the stations")
)

export const stations = Toolset.unwrap(
  Effect.gen(function* () {
    const own = Layer.succeed(HttpClient.HttpClient, yield* client)
    return HttpApiToolset.make(api, { baseUrl: yield* baseUrl, flat: true }).pipe(Toolset.provide(own))
  })
)
