// Runs on many machines: two processes work on orders, one of them is killed, and somebody says yes days later.
// It needs PostgreSQL: .ci/postgres npx tsx examples/durable-cluster.ts
import { NodeClusterSocket, NodeRuntime } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Config, Console, Effect, Layer, Logger, Option, Schedule, Schema } from "effect"
import { ClusterWorkflowEngine, RunnerAddress } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { Workflow } from "effect/workflow"
import { Agent, ToolCall, Toolset } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"
import { spawn } from "node:child_process"

// The agent, as anywhere else.
const shop = Toolset.combined(
  Toolset.tool("reserve", {
    parameters: Schema.Struct({ item: Schema.String }),
    handler: ({ item }) => log(`reserved ${item}`)
  }),
  Toolset.tool("pay", {
    parameters: Schema.Struct({ amount: Schema.Finite }),
    requiresApproval: true,
    handler: ({ amount }) => log(`paid ${amount}`)
  })
)
const agent = Agent.make({ toolsets: [Toolset.withId(shop, "shop")] })

// The workflow: every process of the cluster registers it.
const Order = Workflow.make("Order", {
  payload: { id: Schema.String, item: Schema.String },
  // Asked for again, the same order is the same run.
  idempotencyKey: ({ id }) => id,
  success: Schema.String,
  // How often a caller elsewhere looks whether it has ended.
  suspendedRetrySchedule: Schedule.spaced("1 second")
})
const OrderLive = Order.toLayer(({ item }, executionId) =>
  Agent.run(agent, {
    prompt: `${item}, please.`,
    durable: { runId: executionId },
    // Told once, in whichever process that is; a mail with a link would do as well.
    onDeferred: Durable.awaitAnswers((asked) =>
      Effect.forEach(asked, ({ request, token }) => log(`waiting: ${request.toolName} ${token}`))
    )
  }).pipe(
    Effect.map(({ output }) => output),
    Effect.orDie
  )
)

/** Writes down what is done, under the key by which a repetition would be known. */
const log = Effect.fnUntraced(function* (line: string) {
  const sql = yield* SqlClient.SqlClient
  const call = yield* Effect.serviceOption(ToolCall)
  const key = Option.match(call, {
    onNone: () => line,
    onSome: ({ idempotencyKey }) => idempotencyKey ?? line
  })
  yield* sql`insert into done (key, line) values (${key}, ${line}) on conflict do nothing`
  return line
}, Effect.orDie)

// The cluster.
const Database = PgClient.layerConfig({
  url: Config.Redacted("DATABASE_URL"),
  // Above the largest record, with room for what is around it.
  maxMessageSize: Config.succeed(64 * 1024 * 1024)
})
/** A process that runs workflows. */
const RunnerEngine = (port: number) =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(
      NodeClusterSocket.layer({
        storage: "sql",
        shardingConfig: {
          runnerAddress: Option.some(RunnerAddress.make("127.0.0.1", port)),
          // What the runs of a killed process wait for, and those that are moved to another one.
          shardLockExpiration: "6 seconds",
          entityTerminationTimeout: "5 seconds",
          refreshAssignmentsInterval: "250 millis",
          // How often it looks for what others have left for it.
          entityMessagePollInterval: "1 second"
        }
      })
    ),
    Layer.provideMerge(Database)
  )
/** A process that only starts runs, and answers them. */
const ClientEngine = ClusterWorkflowEngine.layer.pipe(
  Layer.provideMerge(
    NodeClusterSocket.layer({
      storage: "sql",
      clientOnly: true,
      shardingConfig: { runnerAddress: Option.none() }
    })
  ),
  Layer.provideMerge(Database)
)

const turns = [
  ScriptedModel.calls({ reserve: { item: "teapot" } }),
  ScriptedModel.calls({ pay: { amount: 20 } }),
  ScriptedModel.text("The teapot is on its way.")
]
const model = ScriptedModel.layer(
  ({ prompt }) => turns[prompt.content.filter(({ role }) => role === "assistant").length]!
)

const startRunner = (port: number) =>
  Effect.sync(() =>
    spawn(process.execPath, [...process.execArgv, process.argv[1]!, String(port)], {
      stdio: ["ignore", "ignore", "inherit"]
    })
  )

const client = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`drop table if exists done`
  yield* sql`create table done (at serial, key text primary key, line text)`
  const lines = Effect.map(sql<{ line: string }>`select line from done order by at`, (rows) =>
    rows.map(({ line }) => line)
  )
  const first = yield* startRunner(34_501)
  const order = { id: crypto.randomUUID(), item: "A teapot" }
  yield* Order.execute(order, { discard: true })

  const token = yield* lines.pipe(
    Effect.map((all) => all.find((line) => line.startsWith("waiting: pay"))?.split(" ")[2]),
    Effect.repeat({ until: (found) => found !== undefined, schedule: Schedule.spaced("200 millis") })
  )
  yield* Console.log("killing the process that asked")
  first.kill("SIGKILL")
  const second = yield* startRunner(34_502)

  yield* Durable.answer(token!, { approval: true })
  yield* Console.log(yield* Order.execute(order))
  yield* Console.log((yield* lines).map((line) => line.replace(/^(waiting: pay).*/, "$1")))
  second.kill()
  //> killing the process that asked
  //> The teapot is on its way.
  //> [ 'reserved teapot', 'waiting: pay', 'paid 20' ]
})

const port = Number(process.argv[2] ?? 0)
if (port === 0) {
  await Effect.runPromise(client.pipe(Effect.provide(ClientEngine), Effect.provide(Logger.layer([]))))
  process.exit(0)
} else {
  const runner = OrderLive.pipe(
    Layer.provide([Durable.layerWorkflow, model]),
    Layer.provide(RunnerEngine(port))
  )
  NodeRuntime.runMain(Layer.launch(runner))
}
