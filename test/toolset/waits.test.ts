import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { Toolset, ToolsetDefinitionError } from "effect-toolset"

type Untyped = Toolset.Toolset<unknown>

const ping = Toolset.tool("ping", { handler: () => Effect.succeed("pong") })
const pong = Toolset.tool("pong", { handler: () => Effect.succeed("ping") })

/** Sources that come to what they are made of only when they are opened, or listed. */
const late = {
  unwrap: (of: () => Untyped): Untyped => Toolset.unwrap(Effect.map(Effect.sleep(1), of)),
  dynamic: (of: () => Untyped): Untyped => Toolset.dynamic(Effect.map(Effect.sleep(1), of)),
  "dynamic per run": (of: () => Untyped): Untyped =>
    Toolset.dynamic(Effect.map(Effect.sleep(1), of), { rebuild: "run" }),
  "dynamic, prefixed": (of: () => Untyped): Untyped =>
    Toolset.dynamic(Effect.map(Effect.sleep(1), () => Toolset.prefixed(of(), "x"))),
  "unwrap, combined": (of: () => Untyped): Untyped =>
    Toolset.unwrap(Effect.map(Effect.sleep(1), () => Toolset.combined(ping, of())))
}

const listed = (self: Untyped) =>
  Effect.timeout(Toolset.list(self), Duration.seconds(5)).pipe(
    Effect.map((tools) => tools.map((tool) => tool.name))
  )

describe("a toolset that comes to itself", () => {
  for (const [one, makeOne] of Object.entries(late)) {
    for (const [other, makeOther] of Object.entries(late)) {
      const pair = () => {
        const a: Untyped = makeOne(() => b)
        const b: Untyped = makeOther(() => a)
        return { a, b }
      }

      it.live(`through another fails and does not wait for itself: ${one}, ${other}`, () =>
        Effect.gen(function* () {
          const { a, b } = pair()
          for (const toolset of [a, Toolset.combined(a, b), Toolset.combined(b, a)]) {
            const error = yield* Effect.flip(listed(toolset))
            assert.instanceOf(error, ToolsetDefinitionError)
            assert.include(error.problem, "contains itself")
          }
        })
      )
    }

    it.live(`is not one that is there twice: ${one}`, () =>
      Effect.gen(function* () {
        const inner = makeOne(() => pong)
        const twice = Toolset.combined(
          late.unwrap(() => Toolset.prefixed(inner, "a")),
          late.dynamic(() => Toolset.prefixed(inner, "b"))
        )
        const names = yield* listed(twice)
        assert.deepStrictEqual(
          names.filter((name) => name.endsWith("pong")).map((name) => name.slice(0, 1)),
          ["a", "b"]
        )
      })
    )
  }
})
