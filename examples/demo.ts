// The main job on one page: an agent over toolsets, which open once and are listed at every step. The model is scripted.
import { Console, DateTime, Duration, Effect, Schema } from "effect"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { loopback } from "./loopback.ts"
import { stations } from "./stations.ts"

const today = Toolset.tool("today", {
  success: Schema.String,
  handler: () => Effect.map(DateTime.now, DateTime.formatIsoDateUtc)
})

const logging = Toolset.wrapper((call, next) =>
  Effect.gen(function* () {
    const [took, result] = yield* Effect.timed(next(call))
    const [args, value] = [call.args, result.value].map((value) => JSON.stringify(value))
    yield* Console.log(
      `called   ${call.tool.name}(${args}) in ${Math.ceil(Duration.toMillis(took))} ms: ${value}`
    )
    return result
  })
)

const tools = Toolset.combined(stations.pipe(Toolset.prefixed("stations")), today).pipe(
  Toolset.filtered((tool) => tool.metadata.dangerous !== true),
  Toolset.renamed({ weather_at: "stations_now" }),
  Toolset.prepared((all, run) => all.map((tool) => ({ ...tool, description: `As of step ${run.step}` }))),
  logging
)

const turns = [
  ScriptedModel.calls({ stations_all: {}, today: {} }),
  ScriptedModel.calls([
    { name: "weather_at", args: { station: "rvk" } },
    { name: "weather_at", args: { station: "Lerwick" } } // refused: the model reads why, and tries again
  ]),
  ScriptedModel.calls({ weather_at: { station: "ler" } }),
  ScriptedModel.text("Lerwick is warmer than Reykjavík, and windier.")
]
let step = 0
const model = ScriptedModel.layer((request) => {
  const names = request.tools.map((tool) => tool.name)
  return Effect.as(Console.log(`step ${++step}   the model sees ${names.join(", ")}`), turns[step - 1]!)
})

const program = Effect.gen(function* () {
  const prompt = "Where is it warmer, in Reykjavík or in Lerwick?"
  const { output, usage } = yield* Agent.run(Agent.make({ toolsets: [tools] }), { prompt })
  yield* Console.log(`answer   ${output} (${usage.requests} requests, ${usage.toolCalls} calls)`)
})

Effect.runPromise(program.pipe(Effect.provide([model, loopback("weather/index.json")])))
