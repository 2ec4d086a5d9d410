// This library, built: an agent over function tools, on the instant scripted model of the harness.
// VARIANT: static (one list of tools) | composed (two toolsets, each prefixed and filtered, combined)
//          layered (static under ten prefixed and ten wrappers, to see what a layer costs per call)
const t0 = performance.now()
const { Effect, Schema, Stream } = await import("effect")
const { LanguageModel, Tool } = await import("effect/ai")
const { Agent, Toolset } = await import("../dist/index.js")
const importMs = performance.now() - t0
import { main, toolName, execute, Script, touch, ARGS, version } from "./harness.mjs"

const variant = process.env.VARIANT ?? "static"
const parameters = () =>
  Schema.Struct({
    query: Schema.String,
    limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
    tags: Schema.Array(Schema.String),
    options: Schema.Struct({ deep: Schema.Boolean, lang: Schema.Literals(["en", "fr", "de"]) })
  })
const build = (T) =>
  Array.from({ length: T }, (_, i) =>
    Toolset.tool(toolName(i), {
      description: `Tool ${i}`,
      parameters: parameters(),
      success: Schema.Struct({ ok: Schema.Boolean, n: Schema.Number }),
      handler: (args) => Effect.sync(() => execute(args))
    })
  )
const visible = Toolset.filtered((tool) => !tool.name.endsWith("__hidden"))
const half = (tools, rest, prefix) =>
  Toolset.combined(...tools.filter((_, i) => i % 2 === rest)).pipe(Toolset.prefixed(prefix), visible)
const compose = {
  static: (tools) => Toolset.combined(...tools),
  composed: (tools) => Toolset.combined(half(tools, 0, "a"), half(tools, 1, "b")),
  layered: (tools) => {
    let all = Toolset.combined(...tools)
    for (let i = 0; i < 10; i++)
      all = all.pipe(Toolset.prefixed(""), Toolset.withMetadata({ i }), Toolset.sequential)
    return all
  }
}
const exposed =
  variant === "composed" ? (name) => (Number(name.slice(5)) % 2 ? "b_" : "a_") + name : (name) => name
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const setup = async (T) => {
  const agent = Agent.make({ toolsets: [compose[variant](build(T))] })
  const script = { current: undefined }
  const model = await Effect.runPromise(
    LanguageModel.make({
      generateText: (options) =>
        Effect.sync(() => {
          for (const tool of options.tools) touch(tool.name, Tool.getJsonSchema(tool))
          const calls = script.current.next()
          return calls
            ? [
                ...calls.map((call) => ({
                  type: "tool-call",
                  id: call.id,
                  name: exposed(call.name),
                  params: ARGS
                })),
                { type: "finish", reason: "tool-calls", usage }
              ]
            : [
                { type: "text", text: "done" },
                { type: "finish", reason: "stop", usage }
              ]
        }),
      streamText: () => Stream.empty
    })
  )
  const program = Agent.run(agent, { prompt: "go" }).pipe(
    Effect.provideService(LanguageModel.LanguageModel, model),
    Effect.map((result) => result.output)
  )
  return {
    run(steps, parallel) {
      script.current = new Script(T, steps, parallel)
      return Effect.runPromise(program)
    }
  }
}
await main({ name: `ours-${variant}`, versions: { effect: version("effect") }, importMs, setup, build })
