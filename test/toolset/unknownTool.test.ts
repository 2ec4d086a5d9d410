import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { RunContext, Toolset } from "effect-toolset"
import { collect } from "../../src/toolset/collect.ts"
import { opened } from "../../src/toolset/opening.ts"
import { unknownTool } from "../../src/toolset/unknownTool.ts"
import { runOf, tools } from "./asking.ts"

const text = (toolset: Toolset.Toolset) =>
  Effect.gen(function* () {
    const run = runOf()
    const offer = yield* collect(yield* opened(toolset), run).pipe(Effect.provideService(RunContext, run))
    const { message, reason } = unknownTool(offer, "x")
    assert.strictEqual(reason, "unknown-tool")
    return message
  })

const numbered = (n: number) => Array.from({ length: n }, (_, i) => `t${String(i + 1).padStart(2, "0")}`)

describe("what the model reads of a name that nobody offers", () => {
  it.effect("is that there are no tools, where there are none (P67)", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* text(Toolset.empty), "Unknown tool name: 'x'. No tools available.")
    })
  )

  it.effect("is the names that there are, sorted (P68)", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* text(tools("b", "a")), "Unknown tool name: 'x'. Available tools: 'a', 'b'")
    })
  )

  it.effect("is what can be called in that step, and nothing else (P35)", () =>
    Effect.gen(function* () {
      const shown = tools("a", "hidden", "b").pipe(
        Toolset.prefixed("p"),
        Toolset.filtered(({ name }) => name !== "p_hidden")
      )
      assert.strictEqual(yield* text(shown), "Unknown tool name: 'x'. Available tools: 'p_a', 'p_b'")
    })
  )

  it.effect("is at most fifty names, and how many more there are", () =>
    Effect.gen(function* () {
      const listed = (names: ReadonlyArray<string>) => names.map((name) => `'${name}'`).join(", ")
      const fifty = numbered(50)
      assert.strictEqual(
        yield* text(tools(...fifty)),
        `Unknown tool name: 'x'. Available tools: ${listed(fifty)}`
      )
      assert.strictEqual(
        yield* text(tools(...numbered(53))),
        `Unknown tool name: 'x'. Available tools: ${listed(fifty)} and 3 more`
      )
    })
  )
})
