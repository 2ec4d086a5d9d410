// The main job on one page: an agent over toolsets, which open once and are listed at every step. The model is scripted.
import { Console, DateTime, Duration, Effect, Redacted, Schema } from "effect"
import { Agent, type DeferredToolRequests, DeferredToolResults, Secrets, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { loopback } from "./loopback.ts"
import { stations } from "./stations.ts"

const json = (value: unknown) => JSON.stringify(value)
const today = Toolset.tool("today", { handler: () => Effect.map(DateTime.now, DateTime.formatIsoDateUtc) })
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
const tools = Toolset.combined(stations.pipe(Toolset.prefixed("stations")), today, announce).pipe(
  Toolset.filtered((tool) => tool.metadata.dangerous !== true),
  Toolset.renamed({ weather_at: "stations_now" }),
  Toolset.prepared((all, run) => all.map((tool) => ({ ...tool, description: `As of step ${run.step}` }))),
  Toolset.masked,
  logging
)

const turns = [
  ScriptedModel.calls({ stations_all: {}, today: {} }),
  ScriptedModel.calls([
    { name: "weather_at", args: { station: "rvk" } },
    { name: "weather_at", args: { station: "Lerwick" } } // refused: the model reads why, and tries again
  ]),
  ScriptedModel.calls({ weather_at: { station: "ler" } }),
  ScriptedModel.calls({ announce: { text: "Lerwick it is." } }), // waits for a yes
  ScriptedModel.text("Lerwick is warmer than Reykjavík, and windier. I have said so.")
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
const agent = Agent.make({ toolsets: [tools] })
const program = Effect.gen(function* () {
  const prompt = "Where is it warmer, in Reykjavík or in Lerwick? Tell everybody."
  const { output, usage } = yield* Agent.run(agent, { prompt, onDeferred: approve })
  yield* Console.log(`answer   ${output} (${usage.requests} requests, ${usage.toolCalls} calls)`)
})

const secrets = Secrets.layer(Redacted.make("pa55-w0rd"))
Effect.runPromise(program.pipe(Effect.provide([model, secrets, loopback("weather/index.json")])))
