import { Effect } from "effect"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"

// Nobody offers all of these with every request.
const rare = Toolset.combined(
  ...["invoice_create", "invoice_cancel", "parcel_track", "parcel_return"].map((name) =>
    Toolset.tool(name, {
      description: `Does ${name.replace("_", " ")}.`,
      handler: () => Effect.succeed(`${name}: done`)
    })
  )
).pipe(Toolset.withMetadata({ rare: true }))
const often = Toolset.tool("answer", {
  description: "Looks into the handbook.",
  handler: () => Effect.succeed("42")
})

const agent = Agent.make({
  toolsets: [
    Toolset.combined(often, rare).pipe(
      Toolset.searchable({ when: Toolset.hasMetadata({ rare: true }), limit: 2 })
    )
  ]
})

const program = Effect.gen(function* () {
  const { output } = yield* Agent.run(agent, { prompt: "Where is my parcel?" })
  for (const { tools } of yield* ScriptedModel.requests)
    console.log(tools.map((tool) => tool.name).join(", "))
  //> answer, search_tools
  //> answer, search_tools, parcel_track, parcel_return
  //> answer, search_tools, parcel_track, parcel_return
  console.log(output)
  //> It is on its way.
})

const model = ScriptedModel.layer([
  ScriptedModel.calls({ search_tools: { queries: ["track a parcel"] } }),
  ScriptedModel.calls({ parcel_track: {} }),
  ScriptedModel.text("It is on its way.")
])
await Effect.runPromise(program.pipe(Effect.provide(model)))
