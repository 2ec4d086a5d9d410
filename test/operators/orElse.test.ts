import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { Agent, RunContext, Toolset } from "effect-toolset"
import { TestModel } from "effect-toolset/testing"
import { answering, Broken, inRunOf, logging, names, runOf, tag } from "./asking.ts"

const broken = Effect.fail(new Broken({ who: "server" }))
const down: Toolset.Toolset<Broken> = Toolset.unwrap(Effect.as(broken, Toolset.empty))
const local = answering("search", "from disk")

/** Opened and closed in this order. */
const resource = (name: string, events: Array<string>, inner: Toolset.Toolset<Broken>) =>
  Toolset.unwrap(
    Effect.as(
      Effect.acquireRelease(
        Effect.sync(() => events.push(`open ${name}`)),
        () => Effect.sync(() => events.push(`close ${name}`))
      ),
      inner
    )
  )

describe("orElse", () => {
  it.effect("puts another toolset in the place of one that cannot be opened, and says so", () =>
    Effect.gen(function* () {
      const { layer, lines } = logging()
      const tools = down.pipe(Toolset.orElse(local))
      assert.strictEqual(yield* Toolset.call(tools, "search", {}).pipe(Effect.provide(layer)), "from disk")
      assert.deepStrictEqual(lines, ["Warn: tool(search) stands in for unwrap: server is broken"])
    })
  )

  it.effect("leaves out what is not there, with empty", () =>
    Effect.gen(function* () {
      const tools = Toolset.combined(Toolset.orElse(down, Toolset.empty), answering("a"))
      assert.deepStrictEqual(yield* names(tools), ["a"])
    }).pipe(Effect.provide(logging().layer))
  )

  it.effect("does not open the other one where it is not needed", () =>
    Effect.gen(function* () {
      const tools = answering("a").pipe(Toolset.orElse(Toolset.unwrap(Effect.die("opened"))))
      assert.deepStrictEqual(yield* names(tools), ["a"])
    })
  )

  it.effect("stands in for the steps in which the first cannot be listed, opened once", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const first = answering("first").pipe(
        Toolset.withInstructions("Of the first."),
        Toolset.filtered((_, run) => (run.step % 2 === 0 ? broken : true))
      )
      const other = resource(
        "other",
        events,
        answering("other").pipe(Toolset.withInstructions("Of the other."))
      )
      const seen = yield* Effect.scoped(
        Effect.gen(function* () {
          const session = yield* Toolset.open(first.pipe(Toolset.orElse(other)))
          return yield* Effect.forEach([1, 2, 3, 4], (step) => {
            const inStep = Effect.provideService(RunContext, runOf({ step }))
            return inStep(
              Effect.all([
                Effect.map(session.tools, (tools) => tools.map((tool) => tool.definition.name).join()),
                Effect.map(session.instructions, (texts) => texts.map((one) => one.text).join())
              ])
            )
          })
        })
      )
      assert.deepStrictEqual(seen, [
        ["first", "Of the first."],
        ["other", "Of the other."],
        ["first", "Of the first."],
        ["other", "Of the other."]
      ])
      assert.deepStrictEqual(events, ["open other", "close other"])
    }).pipe(Effect.provide(logging().layer))
  )

  it.effect("stands in where only the instructions fail, for tools and instructions alike", () =>
    Effect.gen(function* () {
      const first = answering("first").pipe(Toolset.withInstructions(broken))
      const session = yield* Toolset.open(first.pipe(Toolset.orElse(answering("other"))))
      const tools = yield* inRunOf({})(session.tools)
      assert.deepStrictEqual(
        tools.map((tool) => tool.definition.name),
        ["other"]
      )
    }).pipe(Effect.provide(logging().layer))
  )

  it.effect("leaves failures of calls alone", () =>
    Effect.gen(function* () {
      const tools = Toolset.tool("a", { handler: () => broken }).pipe(Toolset.orElse(local))
      assert.strictEqual(yield* tag(Toolset.call(tools, "a", {})), "Broken")
    })
  )

  it.effect("is not for mistakes in how a toolset is put together, and not for defects", () =>
    Effect.gen(function* () {
      const wrong = answering("a").pipe(Toolset.timeout(0), Toolset.orElse(local))
      assert.strictEqual(yield* tag(Toolset.list(wrong)), "ToolsetDefinitionError")
      const dying = Toolset.unwrap(Effect.as(Effect.die("no"), Toolset.empty)).pipe(Toolset.orElse(local))
      assert.strictEqual((yield* Effect.exit(Toolset.list(dying)))._tag, "Failure")
    })
  )

  it.effect(
    "fails with the failure of the last one, where none can be opened; several in a row are tried in order",
    () =>
      Effect.gen(function* () {
        const lost = Toolset.unwrap(Effect.as(Effect.fail("lost" as const), Toolset.empty))
        assert.strictEqual(yield* tag(Toolset.list(down.pipe(Toolset.orElse(lost)))), "lost")
        const tools = down.pipe(Toolset.orElse(lost), Toolset.orElse(local))
        assert.deepStrictEqual(yield* names(tools), ["search"])
      }).pipe(Effect.provide(logging().layer))
  )

  it.effect("leaves nothing open of what failed to open", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const half = resource("half", events, resource("whole", events, down))
      yield* Toolset.call(half.pipe(Toolset.orElse(resource("other", events, local))), "search", {})
      assert.deepStrictEqual(events, [
        "open half",
        "open whole",
        "close whole",
        "close half",
        "open other",
        "close other"
      ])
    }).pipe(Effect.provide(logging().layer))
  )

  it.effect("lets a run go on with what there is", () =>
    Effect.gen(function* () {
      const { output } = yield* Agent.run(
        Agent.make({ toolsets: [down.pipe(Toolset.orElse(local)), answering("a")] }),
        { prompt: "go" }
      )
      assert.strictEqual(output, `{"search":"from disk","a":"a"}`)
    }).pipe(Effect.provide([TestModel.layer(), logging().layer]))
  )

  it.effect("is a tree that can be drawn, and rebuilt", () =>
    Effect.gen(function* () {
      const asked = yield* Ref.make(0)
      const tree = answering("a").pipe(Toolset.orElse(local))
      assert.strictEqual(Toolset.describe(tree), "orElse\n├─ tool(a)\n└─ tool(search)")
      const mapped = tree.pipe(
        Toolset.mapLeaves(
          Toolset.filtered(() =>
            Effect.as(
              Ref.update(asked, (n) => n + 1),
              true
            )
          )
        )
      )
      assert.deepStrictEqual(yield* names(mapped), ["a"])
      assert.strictEqual(yield* Ref.get(asked), 1)
    })
  )
})
