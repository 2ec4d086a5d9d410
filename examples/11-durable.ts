// A run that outlives its process: what was done is not done again, and it may wait for somebody for days.
import { NodeServices } from "@effect/platform-node"
import { Console, Effect, FileSystem, Layer, Schema } from "effect"
import { Agent, DeferredToolRequests, DeferredToolResults, ToolCall, Toolset } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"

let isPowerFailing = true

const orders = Toolset.combined(
  Toolset.tool("reserve", {
    parameters: Schema.Struct({ item: Schema.String }),
    handler: ({ item }) => Effect.as(Console.log(`reserving ${item}`), "reserved")
  }),
  Toolset.tool("pay", {
    parameters: Schema.Struct({ amount: Schema.Finite }),
    requiresApproval: true,
    handler: Effect.fnUntraced(function* ({ amount }) {
      // The same on every attempt at this very call: whoever is paid can tell a repetition by it.
      const { idempotencyKey } = yield* ToolCall
      yield* Console.log(`paying ${amount}, key of ${idempotencyKey?.length} characters`)
      return "paid"
    })
  }),
  Toolset.tool("ship", {
    handler: () =>
      isPowerFailing ? Effect.die("power failure") : Effect.as(Console.log("shipping"), "shipped")
  })
)

const agent = Agent.make({
  toolsets: [Toolset.withId(orders, "orders")],
  output: [Schema.String, DeferredToolRequests]
})

/** What a process does that works on an order: the same each time it is started. */
const work = (deferredResults?: DeferredToolResults) =>
  Agent.run(agent, { prompt: "A teapot, please.", durable: { runId: "order-7" }, deferredResults })

const program = Effect.gen(function* () {
  const first = yield* work()
  if (!(first.output instanceof DeferredToolRequests)) return
  yield* Console.log("waiting for:", first.output.approvals[0]?.toolName, first.output.approvals[0]?.args)

  const approved = DeferredToolResults.from(first.output, { approveAll: true })
  yield* Console.log("then:", (yield* Effect.exit(work(approved)))._tag)

  isPowerFailing = false
  const { output, replayed, usage } = yield* work()
  yield* Console.log(output, `${replayed.requests} of ${usage.requests} requests were replayed`)

  const again = yield* work()
  yield* Console.log(again.output, `${again.replayed.requests} of ${again.usage.requests}`)
  //> reserving teapot
  //> waiting for: pay { amount: 20 }
  //> paying 20, key of 32 characters
  //> then: Failure
  //> shipping
  //> The teapot is on its way. 3 of 4 requests were replayed
  //> The teapot is on its way. 4 of 4
})

const turns = [
  ScriptedModel.calls({ reserve: { item: "teapot" } }),
  ScriptedModel.calls({ pay: { amount: 20 } }),
  ScriptedModel.calls({ ship: {} }),
  ScriptedModel.text("The teapot is on its way.")
]
// What a model answers depends on what it has been told, and not on which process asks.
const model = ScriptedModel.layer(
  ({ prompt }) => turns[prompt.content.filter(({ role }) => role === "assistant").length]!
)
const store = Layer.unwrap(
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.map(fs.makeTempDirectoryScoped(), (directory) => Durable.layerFileSystem(directory))
  )
)
Effect.runPromise(program.pipe(Effect.provide([model, store]), Effect.provide(NodeServices.layer)))
