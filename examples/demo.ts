// The main job on one page: an agent over toolsets, which open once and are listed at every step. The model is scripted.
import { Console, Duration, Effect, Redacted, Schema } from "effect"
import { Agent, type DeferredToolRequests, DeferredToolResults, Secrets, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { almanac } from "./almanac.ts"
import { loopback } from "./loopback.ts"
import { stations } from "./stations.ts"

const json = (value: unknown) => JSON.stringify(value)
const announce = Toolset.tool("announce", {
  parameters: Schema.Struct({ text: Schema.String }),
  requiresApproval: true,
  handler: ({ text }) => Effect.succeed(`announced at https://radio:pa55-w0rd@host: ${text}`) // nobody is to read that
})
const logging = Toolset.wrapper(({ args, tool }, next) =>
  Effect.gen(function* () {
    const [took, result] = yield* Effect.timed(next({ args, tool }))
    const seconds = Duration.toSeconds(took).toFixed(3)
    yield* Console.log(`called   ${tool.name}(${json(args)}) in ${seconds} s: ${json(result.value)}`)
    return result
  })
)
const tools = Toolset.combined(stations.pipe(Toolset.prefixed("stations")), almanac, announce).pipe(
  Toolset.filtered((tool) => tool.metadata.dangerous !== true),
  Toolset.renamed({ weather_at: "stations_now" }),
  Toolset.prepared((all, run) => all.map((tool) => ({ ...tool, description: `As of step ${run.step}` }))),
  Toolset.masked,
  logging
)

const turns = [
  ScriptedModel.calls({ stations_all: {}, almanac_today: {} }),
  ScriptedModel.calls([
    { name: "weather_at", args: { station: "rvk" } },
    { name: "weather_at", args: { station: "Lerwick" } } // refused: the model reads why, and tries again
  ]),
  ScriptedModel.calls({ weather_at: { station: "ler" } }),
  ScriptedModel.calls({ almanac_feels_like: { celsius: 9, wind: 17 } }), // another process: an MCP server over stdio
  ScriptedModel.calls({ announce: { text: "Lerwick it is." } }), // waits for a yes
  ScriptedModel.text("Lerwick is warmer, though in its wind it feels like 3.6 °C. I have said so.")
]
const model = ScriptedModel.layer(({ tools }, i) => {
  const names = tools.map((tool) => tool.name).join(", ")
  return Effect.as(Console.log(`step ${i + 1}   the model sees ${names}`), turns[i]!)
})

const approve = (requests: DeferredToolRequests) =>
  Effect.as(
    Console.log(`asked    ${requests.approvals.map((call) => `${call.toolName}(${json(call.args)})`)}? Yes.`),
    DeferredToolResults.from(requests, { approveAll: true })
  )
const program = Effect.gen(function* () {
  const options = { prompt: "Is it warmer in Reykjavík or in Lerwick? Tell everybody.", onDeferred: approve }
  const { output, usage } = yield* Agent.run(Agent.make({ toolsets: [tools] }), options)
  yield* Console.log(`answer   ${output} (${usage.requests} requests, ${usage.toolCalls} calls)`)
})

const secrets = Secrets.layer(Redacted.make("pa55-w0rd"))
Effect.runPromise(program.pipe(Effect.provide([model, secrets, loopback("weather/index.json")])))
