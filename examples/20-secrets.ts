import { Effect, Layer, Redacted, Tracer } from "effect"
import { Secrets, Toolset } from "effect-toolset"

// A tool that leaks what it knows.
const env = Toolset.tool("env", {
  description: "Shows the environment, with DATABASE=postgres://app:pa55-w0rd@db.",
  handler: () =>
    Effect.succeed({ database: "postgres://app:pa55-w0rd@db", basic: `Basic ${btoa("app:pa55-w0rd")}` })
})

// What is registered for a while is hidden for a while.
const session = Toolset.unwrap(
  Effect.gen(function* () {
    const token = Redacted.make("t0ken-of-this-run")
    yield* (yield* Secrets).registerScoped(token)
    return Toolset.tool("whoami", { handler: () => Effect.succeed(`Bearer ${Redacted.value(token)}`) })
  })
)

const names: Array<unknown> = []
const tracer = Tracer.make({
  span: (options) => {
    const span = new Tracer.NativeSpan(options)
    names.push([options.name, span.attributes])
    return span
  }
})

const tools = Toolset.combined(env, session).pipe(Toolset.traced({ values: true }), Toolset.masked)
const program = Effect.gen(function* () {
  const [tool] = yield* Toolset.list(tools)
  console.log(tool?.description)
  //> Shows the environment, with DATABASE=postgres://app:***@db.
  console.log(yield* Toolset.call(tools, "env", {}))
  //> { database: 'postgres://app:***@db', basic: 'Basic ***' }
  console.log(yield* Toolset.call(tools, "whoami", {}))
  //> Bearer ***
  const [, , , [, attributes]] = names as ReadonlyArray<[string, ReadonlyMap<string, unknown>]> as any
  console.log(attributes.get("gen_ai.tool.call.result"))
  //> Bearer ***
})

await Effect.runPromise(
  program.pipe(
    Effect.provide([Secrets.layer(Redacted.make("pa55-w0rd")), Layer.succeed(Tracer.Tracer, tracer)])
  )
)
