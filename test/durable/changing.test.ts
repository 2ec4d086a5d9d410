/** Toolsets that open as something else at the next attempt, or not at all: what is done stays done. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Agent, Toolset } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"
import { doing, Down, killing } from "./attempts.ts"
import { asked, run, withModelAnd } from "./models.ts"
import { onEveryKindOfStore, type Store } from "./stores.ts"

const { calls, text } = ScriptedModel

const look = (description: string) => Toolset.tool("look", { description, handler: () => Effect.succeed(1) })

/** What a server opens as. */
const inside: Record<string, (description: string) => Toolset.Toolset> = {
  "a tool": look,
  "a choice": (description) => Toolset.dynamic(Effect.succeed(look(description))),
  "a tool with instructions": (description) =>
    look(description).pipe(Toolset.withInstructions("Look first.")),
  "a tool that is filtered": (description) => look(description).pipe(Toolset.filtered(() => true)),
  "a tool that has to be found": (description) => look(description).pipe(Toolset.searchable())
}

class Address extends Context.Service<Address, string>()("Address") {}

/** Ways to a server that may be down. */
const servers: Record<string, (up: () => boolean, inner: Toolset.Toolset) => Toolset.Toolset<Down>> = {
  unwrap: (up, inner) =>
    Toolset.unwrap(Effect.suspend(() => (up() ? Effect.succeed(inner) : Effect.fail(new Down())))),
  dynamic: (up, inner) =>
    Toolset.dynamic(Effect.suspend(() => (up() ? Effect.succeed(inner) : Effect.fail(new Down())))),
  "a layer": (up, inner) =>
    inner.pipe(
      Toolset.provide(
        Layer.effect(
          Address,
          Effect.suspend(() => (up() ? Effect.succeed("here") : Effect.fail(new Down())))
        )
      )
    )
}

/** What is done about it. */
const policies: Record<string, (server: Toolset.Toolset<Down>) => Toolset.Toolset<Down>> = {
  "catchTags recover": Toolset.catchTags({ Down: "recover" }),
  "onError recover": Toolset.onError("recover"),
  "orElse empty": Toolset.orElse(Toolset.empty),
  "orElse another tool": Toolset.orElse(
    Toolset.tool("look_elsewhere", { handler: () => Effect.succeed(2) }).pipe(Toolset.withId("other"))
  ),
  "orElse, of a prefix": (server) => server.pipe(Toolset.prefixed("m"), Toolset.orElse(Toolset.empty)),
  "catchTags recover, and a prefix": (server) =>
    server.pipe(Toolset.catchTags({ Down: "recover" }), Toolset.prefixed("m"))
}

/** Charges, dies while it ships, and is run again. */
const twoAttempts = Effect.fnUntraced(function* (server: Toolset.Toolset<Down>, between: () => void) {
  const { does, done } = doing()
  const dies = killing(1)
  const shop = Toolset.combined(
    Toolset.tool("charge", { handler: () => does("charge", 1) }),
    Toolset.tool("ship", { handler: () => Effect.tap(dies, () => does("ship", 1)) })
  )
  const agent = Agent.make({
    toolsets: [Toolset.withId(server, "server"), Toolset.withId(shop, "shop")]
  })
  const attempt = run(agent, { prompt: "Go.", durable: { runId: "run-1" } })
  yield* Effect.exit(attempt)
  between()
  const { output, replayed } = yield* attempt
  assert.deepStrictEqual([output, done], ["Done.", ["charge", "ship"]])
  assert.deepStrictEqual([replayed.requests, yield* asked], [2, 3])
})

const turns = [calls({ charge: {} }), calls({ ship: {} }), text("Done.")]

const all = ({ it, layer }: Store, ways: typeof servers, decisions: typeof policies): void => {
  const withModel = withModelAnd(layer)
  const cases = Object.entries(ways).flatMap(([way, server]) =>
    Object.entries(inside).map(([what, inner]) => ({ way: `${way} of ${what}`, server, inner }))
  )
  for (const { inner, server, way } of cases) {
    for (const [policy, decided] of Object.entries(decisions))
      for (const isUpFirst of [true, false])
        it.effect(`is ${isUpFirst ? "up, then down" : "down, then up"}: ${way}, ${policy}`, () => {
          let isUp = isUpFirst
          return twoAttempts(decided(server(() => isUp, inner("Looks."))), () => {
            isUp = !isUp
          }).pipe(withModel(turns))
        })

    it.effect(`says other things of its tools: ${way}`, () => {
      let current = inner("Looks.")
      const toolset = Toolset.unwrap(Effect.sync(() => server(() => true, current)))
      return twoAttempts(toolset, () => {
        current = inner("Looks closely.")
      }).pipe(withModel(turns))
    })
  }
}

describe("a durable run, whose server", () =>
  all({ it, layer: Layer.fresh(Durable.layerMemory) }, servers, policies))

const { unwrap } = servers
onEveryKindOfStore("a durable run, whose server", (store) =>
  all(store, { unwrap: unwrap! }, { "catchTags recover": policies["catchTags recover"]! })
)
