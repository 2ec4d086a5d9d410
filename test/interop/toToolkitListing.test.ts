import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Ref, Schema, Scope } from "effect"
import { LanguageModel } from "effect/ai"
import { Toolset, ToolsetDefinitionError, type ToolsetError } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"

const { calls, layer, text } = ScriptedModel

const add = Toolset.tool("add", {
  description: "Adds two numbers.",
  parameters: Schema.Struct({ a: Schema.Int, b: Schema.Int }),
  handler: ({ a, b }) => Effect.succeed({ sum: a + b })
})

/** A request with what is offered then. */
const asking = <E>(offer: Effect.Effect<Toolset.ToolkitOf<E>, E | ToolsetError>) =>
  Effect.flatMap(offer, (toolkit) => LanguageModel.generateText({ prompt: "Go.", toolkit }))

describe("the toolset behind a toolkit", () => {
  it.effect("is listed again for each request", () =>
    Effect.gen(function* () {
      const chosen = yield* Ref.make<Toolset.Toolset>(add)
      const offer = yield* Toolset.toToolkit(Toolset.dynamic(Ref.get(chosen)))
      const ask = asking(offer)
      yield* ask
      yield* Ref.set(chosen, Toolset.prefixed(add, "other"))
      yield* ask
      const requests = yield* ScriptedModel.requests
      assert.deepStrictEqual(
        requests.map((request) => request.tools.map((tool) => tool.name)),
        [["add"], ["other_add"]]
      )
    }).pipe(Effect.provide(layer(() => text("Done."))))
  )

  it.effect("gives the same tools where nothing has changed", () =>
    Effect.gen(function* () {
      const offer = yield* Toolset.toToolkit(Toolset.prefixed(add, "p"))
      const [first, second] = [yield* offer, yield* offer]
      assert.strictEqual(first.tools.p_add, second.tools.p_add)
      const gated = yield* Toolset.toToolkit(
        Toolset.tool("t", { requiresApproval: true, handler: () => Effect.void })
      )
      assert.strictEqual((yield* gated).tools.t, (yield* gated).tools.t)
    })
  )

  it.effect("is open from the beginning until its scope closes, and then of no use", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const toolset = Toolset.unwrap(
        Effect.gen(function* () {
          log.push("open")
          yield* Effect.addFinalizer(() => Effect.sync(() => log.push("close")))
          return add
        })
      )
      const scope = yield* Scope.make()
      const offer = yield* Scope.provide(Toolset.toToolkit(toolset), scope)
      yield* offer
      yield* offer
      assert.deepStrictEqual(log, ["open"])
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(log, ["open", "close"])
      assert.instanceOf(yield* Effect.flip(offer), ToolsetDefinitionError)
    })
  )

  it.effect("has the services of where it was opened", () =>
    Effect.gen(function* () {
      class Greeting extends Context.Service<Greeting, string>()("test/Greeting") {}
      const hello = Toolset.tool("t", { handler: () => Greeting })
      const offer = yield* Effect.provideService(Toolset.toToolkit(hello), Greeting, "Good day")
      const { toolResults } = yield* asking(offer)
      assert.strictEqual(toolResults[0]?.result, "Good day")
    }).pipe(Effect.provide(layer(() => calls({ t: {} }))))
  )

  it.effect("fails the request with what it is listed with", () =>
    Effect.gen(function* () {
      const toolset = Toolset.filtered(add, (_, run) =>
        run.step > 1 ? Effect.fail("closed" as const) : true
      )
      const offer = yield* Toolset.toToolkit(toolset)
      const ask = asking(offer)
      yield* ask
      assert.strictEqual(yield* Effect.flip(ask), "closed")
      const twice = yield* Toolset.toToolkit(Toolset.combined(add, Toolset.combined(add)))
      assert.deepInclude(yield* Effect.flip(twice), { _tag: "ToolNameConflict", toolName: "add" })
    }).pipe(Effect.provide(layer(() => text("Done."))))
  )
})
