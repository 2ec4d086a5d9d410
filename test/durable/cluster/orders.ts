/** What runs on the cluster of the kill test: an agent that does things that cannot be undone, and asks twice. */
import { Effect, Layer, Schedule, Schema } from "effect"
import { Prompt } from "effect/ai"
import { SqlClient } from "effect/sql"
import { Workflow, WorkflowEngine } from "effect/workflow"
import { Agent, ToolCall, Toolset } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"

export const Order = Workflow.make("Order", {
  payload: { id: Schema.String },
  idempotencyKey: ({ id }) => id,
  success: Schema.String,
  suspendedRetrySchedule: Schedule.spaced("1 second")
})

export const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table effects (at serial, run text, name text, key text, process text,
    time timestamptz default clock_timestamp())`
  yield* sql`create table waiting (at serial, token text)`
})

/** Process by process. */
export const orders = (process: string) => {
  const work = (name: string, options: { readonly requiresApproval?: boolean } = {}) =>
    Toolset.tool(name, {
      ...options,
      parameters: Schema.Struct({ n: Schema.Int }),
      handler: Effect.fnUntraced(function* ({ n }) {
        const { idempotencyKey } = yield* ToolCall
        const { executionId } = yield* WorkflowEngine.WorkflowInstance
        const sql = yield* SqlClient.SqlClient
        yield* Effect.sleep("30 millis")
        yield* sql`insert into effects (run, name, key, process)
          values (${executionId}, ${`${name}(${n})`}, ${idempotencyKey ?? "none"}, ${process})`
        // Long enough for kills to find it done and not recorded.
        yield* Effect.sleep("300 millis")
        return `${name} ${n}`
      }, Effect.orDie)
    })

  const inner = Agent.make({
    instructions: "Inner.",
    toolsets: [Toolset.withId(Toolset.combined(work("read"), work("write")), "inner")]
  })
  const agent = Agent.make({
    toolsets: [
      Toolset.withId(
        Toolset.combined(
          work("look"),
          work("pay", { requiresApproval: true }),
          Toolset.sequential(work("move"))
        ),
        "outer"
      ),
      Toolset.withId(Toolset.dynamic(Effect.succeed(work("found"))), "server"),
      Toolset.withId(
        Agent.asTool(inner, { name: "ask", parameters: Schema.Struct({}), prompt: () => "Work." }),
        "agents"
      )
    ]
  })

  const announce = (asked: ReadonlyArray<Durable.Asked>) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.forEach(asked, ({ token }) => sql`insert into waiting (token) values (${token})`)
    )

  return Order.toLayer((_, runId) =>
    Effect.gen(function* () {
      const { messages, output } = yield* Agent.run(agent, {
        prompt: "Go.",
        durable: { runId },
        onDeferred: Durable.awaitAnswers(announce)
      })
      const conversation = yield* Schema.encodeEffect(Schema.fromJsonString(Prompt.Prompt))(messages)
      // Models make up ids; where a response was never recorded they are others.
      return JSON.stringify([output, conversation.replaceAll(/"id":"[^"]*"/g, "")])
    }).pipe(Effect.orDie)
  ).pipe(Layer.provide([Durable.layerWorkflow, model]))
}

const { calls, text } = ScriptedModel
const several = (...names: ReadonlyArray<string>) => calls(names.map((name, n) => ({ name, args: { n } })))
const turns = {
  outer: [
    several("look", "look"),
    several("look", "pay"),
    several("found"),
    calls({ ask: {} }),
    several("move", "look", "move"),
    several("pay"),
    text("Done.")
  ],
  inner: [several("read"), several("write"), text("Worked.")]
}
const model = ScriptedModel.layer(({ prompt }) => {
  const isInner = prompt.content.some(({ role }) => role === "system")
  const answered = prompt.content.filter(({ role }) => role === "assistant").length
  return Effect.as(Effect.sleep("10 millis"), turns[isInner ? "inner" : "outer"][answered]!)
})
