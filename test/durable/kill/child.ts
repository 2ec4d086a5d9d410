/** A process that runs an agent, and may be killed at any moment. Arguments: where its records are, where its effects are. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Effect, Layer, Schema } from "effect"
import { Prompt } from "effect/ai"
import { Agent, ToolCall, Toolset } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"
import { appendFileSync } from "node:fs"

const [, , records = "", effects = ""] = process.argv

/** Does something that cannot be undone, and takes a moment. */
const work = (name: string) =>
  Toolset.tool(name, {
    parameters: Schema.Struct({ n: Schema.Int }),
    handler: Effect.fnUntraced(function* ({ n }) {
      const { idempotencyKey } = yield* ToolCall
      yield* Effect.sleep("2 millis")
      appendFileSync(effects, `${name}(${n}) ${idempotencyKey}\n`)
      yield* Effect.sleep("1 millis")
      return `${name} ${n}`
    })
  })

const inner = Agent.make({
  instructions: "Inner.",
  toolsets: [Toolset.withId(Toolset.combined(work("read"), work("write")), "inner")]
})
const agent = Agent.make({
  toolsets: [
    Toolset.withId(Toolset.combined(work("look"), work("pay"), Toolset.sequential(work("move"))), "outer"),
    Toolset.withId(Toolset.dynamic(Effect.succeed(work("found"))), "server"),
    Toolset.withId(
      Agent.asTool(inner, { name: "ask", parameters: Schema.Struct({}), prompt: () => "Work." }),
      "agents"
    )
  ]
})

const { calls, text } = ScriptedModel
const several = (...names: ReadonlyArray<string>) => calls(names.map((name, n) => ({ name, args: { n } })))
const outerTurns = [
  several("look", "pay", "look"),
  several("found"),
  calls({ ask: {} }),
  several("move", "pay", "move"),
  several("pay", "pay", "pay"),
  several("found", "look"),
  text("Done.")
]
const innerTurns = [several("read", "read"), several("write"), text("Worked.")]
const model = ScriptedModel.layer(({ prompt }) => {
  const turns = prompt.content.some((message) => message.role === "system") ? innerTurns : outerTurns
  const answered = prompt.content.filter((message) => message.role === "assistant").length
  return Effect.as(Effect.sleep("1 millis"), turns[answered]!)
})

const program = Effect.gen(function* () {
  console.log("go")
  const { messages, output } = yield* Agent.run(agent, { prompt: "Go.", durable: { runId: "run" } })
  const conversation = yield* Schema.encodeEffect(Schema.fromJsonString(Prompt.Prompt))(messages)
  // Models make up ids; where a response was never recorded they are others.
  console.log(JSON.stringify([output, conversation.replaceAll(/"id":"[^"]*"/g, "")]))
})

const store = Layer.provide(Durable.layerFileSystem(records), [NodeFileSystem.layer, NodePath.layer])
await Effect.runPromise(program.pipe(Effect.provide([model, store])))
