// A tool that adds a tool: it is offered from the next step on.
import { Console, Effect, Ref, Schema } from "effect"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"

const program = Effect.gen(function* () {
  const learnt = yield* Ref.make(Toolset.empty)

  const learn = Toolset.tool("learn", {
    description: "Learns a word, as a tool of that name.",
    parameters: Schema.Struct({ word: Schema.String, meaning: Schema.String }),
    handler: ({ meaning, word }) =>
      Ref.update(learnt, (known) =>
        Toolset.combined(known, Toolset.tool(word, { handler: () => Effect.succeed(meaning) }))
      )
  })

  const agent = Agent.make({ toolsets: [learn, Toolset.dynamic(Ref.get(learnt))] })
  const { output } = yield* Agent.run(agent, { prompt: "What does 'skep' mean?" })
  const requests = yield* ScriptedModel.requests
  yield* Effect.forEach(requests, (request) => Console.log(request.tools.map((tool) => tool.name)))
  //> [ 'learn' ]
  //> [ 'learn', 'skep' ]
  //> [ 'learn', 'skep' ]
  yield* Console.log(output)
  //> A skep is a beehive made of straw.
})

Effect.runPromise(
  program.pipe(
    Effect.provide(
      ScriptedModel.layer([
        ScriptedModel.calls({ learn: { word: "skep", meaning: "a beehive made of straw" } }),
        ScriptedModel.calls({ skep: {} }),
        ScriptedModel.text("A skep is a beehive made of straw.")
      ])
    )
  )
)
