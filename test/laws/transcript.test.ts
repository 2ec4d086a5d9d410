import { describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Exit } from "effect"
import { Agent } from "effect-toolset"
import { TestModel } from "effect-toolset/testing"
import { distinct, type Source, type Sources, sources, type Tree, trees } from "./description.ts"
import { identities, identitiesByName, lateIdentities } from "./identities.ts"
import { failure } from "./observed.ts"
import { often } from "./often.ts"
import { assertSame } from "./same.ts"
import { making } from "./toolsets.ts"
import { Flavour, type Generated } from "./world.ts"

/** A run that waits for somebody or takes long says little: most do not. */
const calm = Arbitrary.map(sources, (all): Sources =>
  all.map((source): Source =>
    source._tag === "Tool"
      ? { ...source, asks: "never", does: /ask|defer|slow/.test(source.does) ? "succeed" : source.does }
      : source._tag === "External"
        ? { _tag: "Empty" }
        : source
  )
)

/** What the model was sent, how the run ended, and what happened meanwhile. */
const transcript = Effect.fnUntraced(
  function* (sources: Sources, tree: Tree, change: (self: Generated) => Generated) {
    const { of, world } = making(sources)
    const agent = Agent.make({ toolsets: [change(of(tree))], retries: 2 })
    const exit = yield* Effect.exit(Agent.run(agent, { prompt: "Go." }))
    return {
      requests: yield* TestModel.requests,
      ending: Exit.isSuccess(exit) ? { ...exit.value, runId: "" } : failure(exit.cause),
      trace: world.trace,
      resources: world.resources
    }
  },
  (effect) => Effect.provide(effect, TestModel.layer()),
  Effect.provideService(Flavour, "plain")
)

describe("the transcript of a run does not change", () => {
  for (const [name, identity] of Object.entries({ ...identities, ...lateIdentities, ...identitiesByName })) {
    it.effect.prop(
      `under ${name}`,
      { sources: calm, tree: trees(undefined, 3) },
      Effect.fnUntraced(function* ({ sources, tree: any }) {
        const [tree] = distinct([any])
        assertSame(
          yield* transcript(sources, tree!, identity),
          yield* transcript(sources, tree!, (self) => self)
        )
      }),
      often(8)
    )
  }
})
