import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Schema } from "effect"
import { ApprovalRequired, CallDeferred, ModelRetry, ToolFailed, Toolset } from "effect-toolset"
import { answering, conflict, defect, first, names, retry, tag } from "./asking.ts"

class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { id: Schema.String }) {}
class Offline extends Schema.TaggedError<Offline>()("Offline", {}) {}
class Gone extends Schema.TaggedError<Gone>()("Gone", {}) {}

const failing = <E>(error: E) => Toolset.tool("t", { handler: () => Effect.fail(error) })
/** Fails with either, as far as its type goes. */
const either = (error: NotFound | Offline) => failing(error)
const missing = new NotFound({ id: "x" })
const offline = new Offline()
const signal = new ToolFailed({ message: "No." })
const dying = Toolset.tool("t", { handler: () => Effect.die("broken") })
const ending = <E, R>(self: Toolset.Toolset<E, R>) => Effect.flip(Toolset.call(self, "t", {}))

const quietly = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, Logger.layer([]))

describe("catchTags", () => {
  it.effect("decides by tag, and leaves the rest in E", () =>
    Effect.gen(function* () {
      const of = (error: NotFound | Offline) => either(error).pipe(Toolset.catchTags({ NotFound: "recover" }))
      const left: Toolset.Toolset<Offline> = of(offline)
      const recovered = yield* ending(of(missing))
      assert.instanceOf(recovered, ToolFailed)
      assert.strictEqual(recovered.message, `NotFound: {"id":"x"}`)
      assert.strictEqual(yield* ending(left), offline)
    })
  )

  it.effect("takes a mode for each tag", () =>
    Effect.gen(function* () {
      const of = (error: NotFound | Offline): Toolset.Toolset<Offline> =>
        Toolset.catchTags(either(error), { NotFound: "retry", Offline: "fail" })
      assert.deepStrictEqual(yield* retry(Toolset.call(of(missing), "t", {})), [
        "body",
        `NotFound: {"id":"x"}`
      ])
      assert.strictEqual(yield* ending(of(offline)), offline)
    })
  )

  it.effect("takes a function to any signal", () =>
    Effect.gen(function* () {
      const signals = [
        new ModelRetry({ message: "Again." }),
        new ToolFailed({ message: "No." }),
        new ApprovalRequired({ metadata: { a: 1 } }),
        new CallDeferred({})
      ]
      for (const signal of signals) {
        const calm: Toolset.Toolset = failing(missing).pipe(Toolset.catchTags({ NotFound: () => signal }))
        assert.strictEqual(yield* ending(calm), signal)
      }
      const saying: Toolset.Toolset = failing(missing).pipe(
        Toolset.catchTags({ NotFound: ({ id }) => new ModelRetry({ message: `There is no ${id}.` }) })
      )
      assert.strictEqual((yield* ending(saying)).message, "There is no x.")
    })
  )

  it.effect("takes a function to another failure, which takes its place in E", () =>
    Effect.gen(function* () {
      const gone = new Gone()
      const other: Toolset.Toolset<Gone> = failing(missing).pipe(Toolset.catchTags({ NotFound: () => gone }))
      assert.strictEqual(yield* ending(other), gone)
    })
  )

  it.effect("of nothing changes nothing, whatever happens", () =>
    Effect.gen(function* () {
      const tool = answering("t")
      const same: Toolset.Toolset = tool.pipe(Toolset.catchTags({}))
      assert.deepStrictEqual(yield* Toolset.list(same), yield* Toolset.list(tool))
      assert.strictEqual(yield* first(same), yield* first(tool))
      assert.strictEqual(yield* Toolset.call(same, "t", {}), "t")
      const failed: Toolset.Toolset<NotFound | Offline> = Toolset.catchTags(either(missing), {})
      assert.strictEqual(yield* ending(failed), missing)
      assert.strictEqual(yield* ending(failing(signal).pipe(Toolset.catchTags({}))), signal)
      assert.strictEqual(yield* defect(Toolset.call(dying.pipe(Toolset.catchTags({})), "t", {})), "broken")
      yield* conflict(Toolset.list(Toolset.combined(tool, tool).pipe(Toolset.catchTags({}))))
    })
  )

  it.effect("leaves signals what they are, also where a case has the tag of one", () =>
    Effect.gen(function* () {
      const cases = { ToolFailed: () => missing, NotFound: "recover" }
      const catching = Toolset.catchTags(failing<NotFound | ToolFailed>(signal), cases as {})
      assert.strictEqual(yield* ending(catching), signal)
    })
  )

  it.effect("leaves failures without a tag, defects, and bad results what they are", () =>
    Effect.gen(function* () {
      const cases = Toolset.catchTags({ NotFound: "recover" as const })
      assert.strictEqual(yield* ending(failing<NotFound | "text">("text").pipe(cases)), "text")
      const dying = Toolset.tool("t", { handler: (): Effect.Effect<never, NotFound> => Effect.die(missing) })
      assert.include(yield* defect(Toolset.call(dying.pipe(cases), "t", {})), "NotFound")
      const bad = Toolset.tool("t", { handler: (): Effect.Effect<unknown, NotFound> => Effect.succeed(1n) })
      assert.strictEqual(yield* tag(Toolset.call(bad.pipe(cases), "t", {})), "ToolResultError")
    })
  )

  it.effect("applies once: what a function gives is not looked up again", () =>
    Effect.gen(function* () {
      const swapped = either(missing).pipe(
        Toolset.catchTags({ NotFound: () => offline, Offline: () => missing })
      )
      assert.strictEqual(yield* ending(swapped), offline)
    })
  )

  it.effect("covers opening and listing: by a signal the toolset is left without tools, else it fails", () =>
    Effect.gen(function* () {
      const unopened = Toolset.unwrap(Effect.as(Effect.fail(missing), answering("t")))
      const unlisted = answering("t").pipe(Toolset.filtered(() => Effect.fail(missing)))
      for (const toolset of [unopened, unlisted]) {
        for (const calm of [
          toolset.pipe(Toolset.catchTags({ NotFound: "recover" })),
          toolset.pipe(Toolset.catchTags({ NotFound: "retry" })),
          toolset.pipe(Toolset.catchTags({ NotFound: () => new ToolFailed({ message: "No." }) }))
        ]) {
          const gone: Toolset.Toolset = calm
          assert.deepStrictEqual(yield* quietly(names(Toolset.combined(gone, answering("a")))), ["a"])
        }
        assert.strictEqual(yield* Effect.flip(names(toolset.pipe(Toolset.catchTags({})))), missing)
        assert.strictEqual(
          yield* Effect.flip(names(toolset.pipe(Toolset.catchTags({ NotFound: "fail" })))),
          missing
        )
        const other = toolset.pipe(Toolset.catchTags({ NotFound: () => offline }))
        assert.strictEqual(yield* Effect.flip(names(other)), offline)
      }
    })
  )

  it.effect("does not hide a conflict", () =>
    Effect.gen(function* () {
      const twice = Toolset.combined(
        answering("t"),
        answering("t"),
        either(missing).pipe(Toolset.prefixed("x"))
      )
      yield* conflict(Toolset.list(twice.pipe(Toolset.catchTags({ NotFound: "recover" }))))
    })
  )

  it.effect("dies of a case that throws", () =>
    Effect.gen(function* () {
      const throwing = failing(missing).pipe(
        Toolset.catchTags({
          NotFound: () => {
            throw new TypeError("no case")
          }
        })
      )
      assert.strictEqual(yield* defect(Toolset.call(throwing, "t", {})), "TypeError: no case")
    })
  )
})
