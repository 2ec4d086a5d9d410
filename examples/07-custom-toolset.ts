// A toolset over a connection: looks packages up in a package index through one pooled HTTP client.
import { Config, ConfigProvider, Console, Effect, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { ModelRetry, ToolFailed, Toolset } from "effect-toolset"
import { baseUrl, loopback } from "./loopback.ts"

// The pattern keeps what the model sends to a valid name, so that it cannot reach another path on the host.
const Name = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/)).annotate({
  description: "The distribution name, such as apache-airflow."
})
const Version = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9.!+_-]*$/)).annotate({
  description: "An exact version, such as 3.1.0."
})
const Info = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  summary: Schema.NullOr(Schema.String),
  requires_python: Schema.NullOr(Schema.String),
  requires_dist: Schema.NullOr(Schema.Array(Schema.String)),
  yanked: Schema.Boolean
})
const Document = Schema.Struct({
  info: Info,
  urls: Schema.Array(Schema.Struct({ upload_time_iso_8601: Schema.String }))
})

export const packages = Toolset.unwrap(
  Effect.gen(function* () {
    const client = (yield* HttpClient.HttpClient).pipe(
      HttpClient.mapRequest(HttpClientRequest.prependUrl(yield* Config.String("PACKAGE_INDEX")))
    )
    const document = Effect.fn("packages.document")(function* (path: string) {
      const response = yield* client.get(`/pypi/${path}/json`).pipe(Effect.timeout("30 seconds"))
      // The model named something that does not exist: it reads this and can try again.
      if (response.status === 404)
        return yield* new ModelRetry({ message: `There is no ${path}. Check the name and version.` })
      // Anything else is not the model's to fix.
      if (response.status === 403)
        return yield* new ToolFailed({ message: "This index does not allow reading it." })
      return yield* HttpClientResponse.schemaBodyJson(Document)(
        yield* HttpClientResponse.filterStatusOk(response)
      )
    })
    return Toolset.combined(
      Toolset.tool("get_package", {
        description: "Look a package up: its latest version, summary and supported Python versions.",
        parameters: Schema.Struct({ name: Name }),
        handler: ({ name }) =>
          Effect.map(document(name), ({ info }) => ({
            name: info.name,
            version: info.version,
            summary: info.summary,
            requires_python: info.requires_python
          }))
      }),
      Toolset.tool("get_release", {
        description: "Look one release of a package up: what it depends on and when it was uploaded.",
        parameters: Schema.Struct({ name: Name, version: Version }),
        handler: ({ name, version }) =>
          Effect.map(document(`${name}/${version}`), ({ info, urls }) => ({
            version: info.version,
            requires_python: info.requires_python,
            requires_dist: info.requires_dist,
            yanked: info.yanked,
            uploaded: urls[0]?.upload_time_iso_8601 ?? null
          }))
      })
    )
  })
)
// Toolset.Error<typeof packages> holds ConfigError | HttpClientError | SchemaError | TimeoutError, and none of the signals;
// Toolset.Services<typeof packages> is HttpClient.

const program = Effect.gen(function* () {
  const index = ConfigProvider.fromUnknown({ PACKAGE_INDEX: yield* baseUrl })
  const ask = (name: string, args: unknown) =>
    Toolset.call(packages, name, args).pipe(
      Effect.provideService(ConfigProvider.ConfigProvider, index),
      Effect.match({ onSuccess: JSON.stringify, onFailure: String })
    )
  yield* Console.log(yield* ask("get_package", { name: "sampleproject" }))
  //> {"name":"sampleproject","version":"4.0.0","summary":"A sample Python project","requires_python":">=3.9"}
  yield* Console.log(yield* ask("get_release", { name: "sampleproject", version: "3.0.0" }))
  //> {"version":"3.0.0","requires_python":">=3.7","requires_dist":["peppercorn","check-manifest ; extra == 'dev'","coverage ; extra == 'test'"],"yanked":false,"uploaded":"2022-12-01T18:51:00.000000Z"}
  yield* Console.log(yield* ask("get_package", { name: "sampleprojekt" }))
  //> ModelRetry: There is no sampleprojekt. Check the name and version.
  yield* Console.log(yield* ask("get_package", { name: "internal-tool" }))
  //> ToolFailed: This index does not allow reading it.
  yield* Console.log((yield* ask("get_package", { name: "../../admin" })).split("\n")[0])
  //> ModelRetry: Invalid arguments: Expected a string matching the RegExp ^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$
})

Effect.runPromise(program.pipe(Effect.provide(loopback("packages/index.json"))))
