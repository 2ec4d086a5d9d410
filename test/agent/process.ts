/** A process that runs an agent until it stops to ask, or goes on from there: `process.ts ask|goOn <folder>`. */
import { Effect, Schema } from "effect"
import { Prompt } from "effect/ai"
import {
  Agent,
  DeferredToolRequests,
  DeferredToolResults,
  ToolCall,
  ToolReturn,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const [, , part, folder = ""] = process.argv

const write = <A, I>(file: string, schema: Schema.Codec<A, I>, value: A) =>
  Effect.map(Schema.encodeEffect(Schema.fromJsonString(schema))(value), (json) =>
    writeFileSync(join(folder, file), json)
  )
const read = <A, I>(file: string, schema: Schema.Codec<A, I>) =>
  Schema.decodeEffect(Schema.fromJsonString(schema))(readFileSync(join(folder, file), "utf8"))

const noting = (name: string) =>
  Toolset.tool(name, {
    parameters: Schema.Struct({ on: Schema.optionalKey(Schema.DateFromString) }),
    handler: Effect.fnUntraced(function* ({ on }) {
      const { metadata } = yield* ToolCall
      const line = { part, name, year: on?.getUTCFullYear() ?? null, metadata }
      appendFileSync(join(folder, "ran.txt"), `${JSON.stringify(line)}\n`)
      return new ToolReturn({
        value: `${name} ran`,
        content: [Prompt.filePart({ data: new Uint8Array([1, 2, 255]), mediaType: "image/png" })],
        metadata: { part: part ?? "" }
      })
    })
  })

const crew = Agent.asTool(Agent.make({ toolsets: [Toolset.approvalRequired(noting("paint"))] }), {
  name: "crew",
  parameters: Schema.Struct({ task: Schema.String }),
  prompt: ({ task }) => task
})
const agent = Agent.make({
  toolsets: [
    crew,
    noting("look"),
    Toolset.approvalRequired(noting("wipe")),
    Toolset.external([{ name: "clock" }])
  ],
  output: [Schema.String, DeferredToolRequests]
})

const ask = Effect.gen(function* () {
  const { messages, output } = yield* Agent.run(agent, { prompt: "Go." })
  yield* write("history.json", Prompt.Prompt, messages)
  yield* write("requests.json", DeferredToolRequests, output as DeferredToolRequests)
}).pipe(
  Effect.provide(
    ScriptedModel.layer([
      ScriptedModel.calls([
        { name: "wipe", args: '{"on":"2026-11-30"}', id: "w" },
        { name: "look", args: {}, id: "l" },
        { name: "clock", args: "", id: "c" },
        { name: "crew", args: { task: "Paint it." }, id: "o" }
      ]),
      ScriptedModel.calls([{ name: "paint", args: { on: "2027-01-01" }, id: "p" }])
    ])
  )
)

const goOn = Effect.gen(function* () {
  const history = yield* read("history.json", Prompt.Prompt)
  const deferredResults = yield* read("results.json", DeferredToolResults)
  const { messages, output } = yield* Agent.run(agent, { history, deferredResults })
  yield* write("end.json", Schema.Struct({ history: Prompt.Prompt, output: Schema.Unknown }), {
    history: messages,
    output
  })
}).pipe(Effect.provide(ScriptedModel.layer([ScriptedModel.text("Painted."), ScriptedModel.text("Done.")])))

await Effect.runPromise(part === "ask" ? ask : goOn)
