import { assert, describe, it } from "@effect/vitest"
import { Effect, Inspectable } from "effect"
import { RunContext, Toolset } from "effect-toolset"
import { collect } from "../../src/toolset/collect.ts"
import { opened } from "../../src/toolset/opening.ts"
import { answering, changeable, conflict, flaw, runOf, tools } from "./asking.ts"

const offer = <E, R>(self: Toolset.Toolset<E, R>) => {
  const run = runOf()
  return Effect.flatMap(opened(self), (listing) =>
    Effect.provideService(collect(listing, run), RunContext, run)
  )
}

describe("what a step offers", () => {
  it.effect("is the listed tools, in order, and each under its name", () =>
    Effect.gen(function* () {
      const { byName, tools: offered } = yield* offer(tools("b", "a"))
      assert.deepStrictEqual(
        offered.map((tool) => tool.definition.name),
        ["b", "a"]
      )
      assert.deepStrictEqual([...byName.keys()], ["b", "a"])
      for (const tool of offered) assert.strictEqual(byName.get(tool.definition.name), tool)
    })
  )

  it.effect("is made once for all runs, where the tools are always the same", () =>
    Effect.gen(function* () {
      const same = tools("a", "b").pipe(Toolset.prefixed("x"), Toolset.approvalRequired())
      assert.strictEqual(yield* offer(same), yield* offer(same))
    })
  )

  const legal = ["a", "A", "0", "_", "-", "get_language", "x-1", "a".repeat(64)]
  for (const name of legal) {
    it.effect(`may have a tool called ${name}`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* offer(answering(name))).tools.length, 1)
      })
    )
  }

  const illegal = ["", " ", "a b", "a.b", "a/b", "a:b", "ä", "工具", "a\n", "a".repeat(65), "😀"]
  for (const name of illegal) {
    it.effect(`cannot have a tool called ${JSON.stringify(name)}`, () =>
      Effect.gen(function* () {
        for (const toolset of [answering(name), changeable(answering(name)), Toolset.external([{ name }])]) {
          const { hint, problem } = yield* flaw(offer(Toolset.combined(answering("fine"), toolset)))
          assert.strictEqual(problem, `'${name}' is no name that model providers accept.`)
          assert.strictEqual(
            hint,
            "Use 1 to 64 of a-z, A-Z, 0-9, _ and -; Toolset.renamed gives a tool another name."
          )
        }
      })
    )
  }

  for (const name of [undefined, null, 1, { toString: () => "a" }, Object.create(null)]) {
    it.effect(`cannot have a tool whose name is no text: ${Inspectable.toStringUnknown(name, 0)}`, () =>
      Effect.gen(function* () {
        const renamed = answering("a").pipe(Toolset.renamed(() => name as never))
        for (const toolset of [renamed, changeable(renamed), Toolset.prefixed(renamed, "x")]) {
          const { problem } = yield* flaw(offer(toolset))
          assert.strictEqual(
            problem,
            `${Inspectable.toStringUnknown(name, 0)} is no name that model providers accept.`
          )
        }
      })
    )
  }

  it.effect("has final names alone: what is on the way to them may be anything", () =>
    Effect.gen(function* () {
      const dotted = answering("a.b").pipe(Toolset.renamed({ a_b: "a.b" }))
      assert.strictEqual((yield* offer(dotted)).tools.length, 1)
      const left = tools("a b", "c").pipe(Toolset.filtered(({ name }) => name === "c"))
      assert.strictEqual((yield* offer(left)).tools.length, 1)
    })
  )

  it.effect("says where a bad name comes from", () =>
    Effect.gen(function* () {
      const source = (toolset: Toolset.Toolset) => Effect.map(flaw(offer(toolset)), ({ source }) => source)
      assert.strictEqual(yield* source(answering("a.b")), "tool(a.b)")
      assert.strictEqual(yield* source(tools("a.b").pipe(Toolset.withId("docs"))), "docs")
      assert.strictEqual(yield* source(Toolset.external([{ name: "a.b" }])), "external(a.b)")
      assert.strictEqual(yield* source(answering("b").pipe(Toolset.prefixed("a."))), "prefixed(tool(b))")
    })
  )

  it.effect("tells a conflict before a bad name", () =>
    Effect.gen(function* () {
      const { toolName } = yield* conflict(offer(tools("a.b", "c", "a.b")))
      assert.strictEqual(toolName, "a.b")
    })
  )
})
