// Tools of three libraries in one agent: LangChain.js, the AI SDK and zod, combined, filtered, prefixed and gated.
import { tool as langchainTool } from "@langchain/core/tools"
import { tool as aiTool } from "ai"
import { Console, Effect, Schema } from "effect"
import { Agent, DeferredToolRequests, DeferredToolResults, Toolset } from "effect-toolset"
import * as AiSdk from "effect-toolset/AiSdk"
import * as LangChain from "effect-toolset/LangChain"
import { ScriptedModel } from "effect-toolset/testing"
import { z } from "zod"

const city = z.object({ city: z.string() })

// As somebody else has written them.
const weather = AiSdk.fromTools({
  temperature: aiTool({ description: "In degrees Celsius.", inputSchema: city, execute: async () => 21 }),
  temperature_fahrenheit: aiTool({ inputSchema: city, execute: async () => 69.8 }),
  conditions: aiTool({
    inputSchema: city,
    execute: async ({ city }) => {
      if (city !== "Reykjavík") throw new Error(`There is no station in ${city}.`)
      return "It's raining"
    }
  })
})

const mail = LangChain.fromTools([
  langchainTool(async ({ to }) => `sent to ${to}`, {
    name: "send",
    description: "Sends a mail.",
    schema: z.object({ to: z.string(), text: z.string() })
  })
])

const translate = Toolset.tool("translate", {
  description: "Translates a text.",
  parameters: z.object({ text: z.string(), language: z.enum(["is", "no"]).default("is") }),
  success: z.string(),
  handler: ({ language, text }) => Effect.succeed(`${text} (${language})`)
})

const tools = Toolset.combined(
  weather.pipe(
    Toolset.prefixed("weather"),
    Toolset.filtered((tool) => !tool.name.endsWith("fahrenheit"))
  ),
  mail.pipe(Toolset.prefixed("mail"), Toolset.approvalRequired()),
  translate
)

const agent = Agent.make({ toolsets: [tools], output: [Schema.String, DeferredToolRequests] })

const program = Effect.gen(function* () {
  const first = yield* Agent.run(agent, { prompt: "Mail Ada the weather in Reykjavík." })
  const [request] = yield* ScriptedModel.requests
  yield* Console.log(request?.tools.map((tool) => tool.name))
  //> [ 'weather_temperature', 'weather_conditions', 'mail_send', 'translate' ]
  if (!(first.output instanceof DeferredToolRequests)) return
  yield* Console.log(first.output.approvals.map((call) => [call.toolName, call.args]))
  //> [ [ 'mail_send', { to: 'ada@example.com', text: "21°C, it's raining" } ] ]

  const deferredResults = DeferredToolResults.from(first.output, { approveAll: true })
  const { messages, output } = yield* Agent.run(agent, { history: first.messages, deferredResults })
  for (const message of messages.content) {
    if (message.role !== "tool") continue
    for (const part of message.content) {
      if (part.type === "tool-result") yield* Console.log(`${part.name}: ${part.result}`)
    }
  }
  //> weather_temperature: 21
  //> weather_conditions: There is no station in Reykjavik.
  //>
  //> Fix the errors and try again.
  //> translate: Hello (is)
  //> weather_conditions: It's raining
  //> mail_send: sent to ada@example.com
  yield* Console.log(output)
  //> Ada knows.
})

Effect.runPromise(
  program.pipe(
    Effect.provide(
      ScriptedModel.layer([
        ScriptedModel.calls({
          weather_temperature: { city: "Reykjavík" },
          weather_conditions: { city: "Reykjavik" },
          translate: { text: "Hello" }
        }),
        ScriptedModel.calls({ weather_conditions: { city: "Reykjavík" } }),
        ScriptedModel.calls({ mail_send: { to: "ada@example.com", text: "21°C, it's raining" } }),
        ScriptedModel.text("Ada knows.")
      ])
    )
  )
)
