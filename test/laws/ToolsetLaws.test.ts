import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { JsonSchemaValidator, Toolset } from "effect-toolset"
import { ToolsetLawBroken, ToolsetLaws } from "effect-toolset/testing"
import { anyTree, sources, type Sources, type Tree } from "./description.ts"
import { broken } from "./broken.ts"
import { meaning } from "./meaning.ts"
import { isFailure } from "./meant.ts"
import { failure } from "./observed.ts"
import { often } from "./often.ts"
import { making } from "./toolsets.ts"
import { Flavour } from "./world.ts"

/** What the laws have to say about a toolset of this meaning: what it fails with, or nothing. */
const foreseen = (sources: Sources, tree: Tree): string | undefined => {
  const meant = meaning(sources, tree)
  if (meant.opening !== undefined) return meant.opening.failed
  for (const step of [1, 2]) {
    const tools = meant.tools(step)
    if (isFailure(tools)) return tools.failed
    const names = tools.map((tool) => tool.definition.name)
    if (new Set(names).size < names.length) return "The names of a step are unique."
    if (isFailure(meant.instructions(step))) return "Instructions are there at every step."
  }
  return undefined
}

describe("ToolsetLaws", () => {
  it.effect.prop(
    "hold for every toolset that can be opened and listed, and has one name for each tool; and leave nothing open",
    { sources, tree: anyTree },
    Effect.fnUntraced(
      function* ({ sources, tree }) {
        const { of, world } = making(sources)
        const exit = yield* Effect.exit(ToolsetLaws.check(of(tree)))
        const error = Exit.isFailure(exit) ? (lawOf(exit) ?? failure(exit.cause).failed) : undefined
        assert.strictEqual(error, foreseen(sources, tree))
        const count = (what: string) => world.resources.filter((event) => event.startsWith(what)).length
        assert.strictEqual(count("close"), count("open"))
      },
      Effect.provideService(Flavour, "plain")
    ),
    often(80)
  )

  for (const [law, { calls, compile, toolset }] of Object.entries(broken)) {
    it.effect(`find a toolset that breaks: ${law}`, () =>
      Effect.gen(function* () {
        const checked = ToolsetLaws.check(toolset(), { calls })
        const { JsonSchemaValidator: Validator } = JsonSchemaValidator
        const error = yield* Effect.flip(
          compile === undefined ? checked : Effect.provideService(checked, Validator, compile)
        )
        assert.instanceOf(error, ToolsetLawBroken)
        assert.include((error as ToolsetLawBroken).law, law.replace(/ \(.*\)$/, ""))
      })
    )
  }

  it.effect("fail with what a given call fails with, and take a signal for an answer", () =>
    Effect.gen(function* () {
      const fails = Toolset.tool("fails", { handler: () => Effect.fail("offline" as const) })
      assert.strictEqual(yield* Effect.flip(ToolsetLaws.check(fails, { calls: { fails: {} } })), "offline")
      yield* ToolsetLaws.check(Toolset.onError(fails, "recover"), { calls: { fails: {} } })
    })
  )

  it.effect("approve a given call that waits for it, and run nothing else", () =>
    Effect.gen(function* () {
      const ran: Array<string> = []
      const tool = (name: string) => Toolset.tool(name, { handler: () => Effect.sync(() => ran.push(name)) })
      const toolset = Toolset.approvalRequired()(Toolset.combined(tool("a"), tool("b")))
      yield* ToolsetLaws.check(toolset, { calls: { a: {} } })
      assert.deepStrictEqual(ran, ["a"])
    })
  )
})

const lawOf = (exit: Exit.Failure<unknown, unknown>): string | undefined => {
  const [reason] = exit.cause.reasons
  return reason?._tag === "Fail" && reason.error instanceof ToolsetLawBroken ? reason.error.law : undefined
}
