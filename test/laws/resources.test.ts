import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema, Scope } from "effect"
import { RunContext, Toolset } from "effect-toolset"
import { anyTree, has, sources, trees } from "./description.ts"
import { seenOf } from "./equal.ts"
import { meaning } from "./meaning.ts"
import { inStep, stepOf } from "./observed.ts"
import { often } from "./often.ts"
import { opens } from "./opens.ts"
import { making } from "./toolsets.ts"
import { Flavour, newWorld } from "./world.ts"

const closing = (opened: ReadonlyArray<string>) => opened.toReversed().map((name) => `close ${name}`)
const opening = (opened: ReadonlyArray<string>) => opened.map((name) => `open ${name}`)

describe("resources", () => {
  it.effect.prop(
    "are opened once per run by value and context, in the order of the tree, and released in reverse, also where a later one fails",
    { sources, tree: trees(undefined, 4) },
    Effect.fnUntraced(function* ({ sources, tree }) {
      // What becomes of one that fails below these is a matter of its own.
      if (has(tree, "onError", "catchTags")) return
      const { resources } = yield* seenOf(sources, tree)
      const expected = opens(sources, tree)
      if (expected !== undefined)
        assert.deepStrictEqual(resources, [...opening(expected), ...closing(expected)])
    }),
    often(80)
  )

  it.effect.prop(
    "are all released when a run has ended, each as often as it was opened, and never used while closed",
    { sources, tree: anyTree },
    Effect.fnUntraced(function* ({ sources, tree }) {
      const seen = yield* seenOf(sources, tree)
      assert.notMatch(JSON.stringify(seen), /used while closed/)
      const open = new Map<string, number>()
      for (const event of seen.resources) {
        const [what, name] = event.split(" ") as [string, string]
        const before = open.get(name) ?? 0
        if (what === "close") assert.isAbove(before, 0, event)
        open.set(name, before + (what === "open" ? 1 : -1))
      }
      assert.isTrue(Array.from(open.values()).every((count) => count === 0))
    }),
    often(60)
  )

  it.effect.prop(
    "of what cannot be opened are released at once, also where the run goes on without it",
    { sources, tree: trees(undefined, 4) },
    Effect.fnUntraced(
      function* ({ sources, tree }) {
        if (meaning(sources, tree).opening === undefined) return
        const { of, world } = making(sources)
        const opened = yield* Effect.exit(
          Toolset.open(Toolset.combined(Toolset.onError(of(tree), "recover")))
        )
        const count = (what: string) => world.resources.filter((event) => event.startsWith(what)).length
        assert.strictEqual(count("close"), count("open"), opened._tag)
      },
      Effect.scoped,
      Effect.provideService(Flavour, "plain")
    ),
    often(200)
  )

  const Choice = Schema.Literals(["", "a", "b", "ab", "bc", "cab"])
  const choices = Schema.Array(Choice).check(Schema.isMinLength(1), Schema.isMaxLength(6))

  it.effect.prop(
    "of a choice: the new one opens before the old one closes, what both hold stays open, the same one is left alone",
    { choices },
    Effect.fnUntraced(function* ({ choices }) {
      const { events } = yield* chosen(choices)
      let open: ReadonlyArray<string> = []
      choices.forEach((choice, i) => {
        const own = [`pick${i}`]
        if (choice === choices[i - 1]) {
          return assert.deepStrictEqual(events[i], [...opening(own), ...closing(own)])
        }
        const fresh = [...own, ...Array.from(choice).filter((name) => !open.includes(name))]
        const stale = open.filter((name) => !choice.includes(name))
        assert.deepStrictEqual(events[i]!.slice(0, fresh.length), opening(fresh))
        assert.sameMembers(events[i]!.slice(fresh.length), closing(stale))
        open = [...open.filter((name) => choice.includes(name)), ...fresh]
      })
      assert.sameMembers([...events.at(-1)!], closing(open))
    }),
    often(60)
  )

  it.effect.prop(
    "of a choice that are open when the run ends are released in reverse order of opening, also what was handed over",
    { choices },
    Effect.fnUntraced(function* ({ choices }) {
      const { events } = yield* chosen(choices)
      const all = events.flat()
      const last = new Set(choices.at(-1))
      const open = Array.from(last).toSorted(
        (a, b) => all.lastIndexOf(`open ${a}`) - all.lastIndexOf(`open ${b}`)
      )
      assert.deepStrictEqual(
        events.at(-1)!.filter((event) => !event.includes("pick")),
        closing(open)
      )
    }),
    often(60)
  )
})

/** What is opened and closed while these are chosen, one a step, and at the end. A choice is of leaves, by their names. */
const chosen = Effect.fnUntraced(function* (choices: ReadonlyArray<string>) {
  const world = newWorld()
  const leaves = new Map(
    ["a", "b", "c"].map((name) => [
      name,
      Toolset.unwrap(
        Effect.as(world.resource(name), Toolset.tool(name, { handler: () => Effect.succeed(name) }))
      )
    ])
  )
  const toolsets = new Map(
    choices.map((choice) => [choice, Toolset.combined(...Array.from(choice, (name) => leaves.get(name)!))])
  )
  const current = Effect.flatMap(RunContext, ({ step }) =>
    Effect.as(world.resource(`pick${step - 1}`), toolsets.get(choices[step - 1]!))
  )
  const scope = yield* Scope.make()
  const session = yield* Scope.provide(Toolset.open(Toolset.dynamic(current)), scope)
  const events: Array<ReadonlyArray<string>> = []
  for (let step = 1; step <= choices.length; step++) {
    yield* inStep(stepOf(step))(session.tools)
    events.push(world.resources.splice(0))
  }
  yield* Scope.close(scope, Exit.void)
  return { events: [...events, world.resources] }
})
