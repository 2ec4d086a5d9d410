/** How runs of every framework end, and what is left of them. */
import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Logger, ManagedRuntime } from "effect"
import { Toolset } from "effect-toolset"
import * as Neutral from "effect-toolset/Neutral"
import { call, type Framework, going, hanging, StationOnFire, told } from "./framework.ts"

const fire = new StationOnFire({ city: "Paris" })
const burning = Toolset.tool("burn", { handler: () => Effect.fail(fire) })
const broken = Toolset.tool("break", { handler: () => Effect.die(new Error("secret sk-123")) })

export const endsRuns = (framework: Framework): void => {
  it.effect("ends with the very failure of a tool, after one request", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const toolset = told(log, burning)
      const { body, seen } = going(framework, toolset, [[call("burn")], "Never."])
      assert.strictEqual(yield* Effect.flip(Neutral.run(toolset, body)), fire)
      assert.strictEqual(seen.length, 1)
      assert.deepStrictEqual(log, ["open", "close"])
    })
  )

  it.effect("ends with a defect, of which nobody else hears", () =>
    Effect.gen(function* () {
      const { body, seen } = going(framework, broken, [[call("break")], "Never."])
      const exit = yield* Effect.exit(Neutral.run(broken, body))
      assert.isTrue(Exit.hasDies(exit))
      assert.strictEqual(seen.length, 1)
    })
  )

  it.effect("interrupts what still runs when a tool fails for good, and starts nothing more", () =>
    Effect.gen(function* () {
      const { begun, log, tool } = yield* hanging
      const after = Toolset.tool("after", { handler: () => Effect.sync(() => void log.push("after")) })
      const burnsLater = Toolset.tool("burn", { handler: () => Effect.andThen(begun, Effect.fail(fire)) })
      const toolset = told(log, Toolset.combined(tool, burnsLater, Toolset.sequential(after)))
      const { body, seen } = going(framework, toolset, [
        [call("hang"), call("burn"), call("after")],
        "Never."
      ])
      assert.strictEqual(yield* Effect.flip(Neutral.run(toolset, body)), fire)
      assert.strictEqual(seen.length, 1)
      assert.deepStrictEqual(log, ["open", "interrupted", "close"])
    })
  )

  it.live("ends when it is interrupted", () =>
    Effect.gen(function* () {
      const { begun, log, tool } = yield* hanging
      const toolset = told(log, tool)
      const { body, seen } = going(framework, toolset, [[call("hang")], "Never."])
      const fiber = yield* Effect.forkChild(Neutral.run(toolset, body))
      yield* begun
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log, ["open", "interrupted", "close"])
      assert.strictEqual(seen.length, 1)
    })
  )

  it.live("is a promise too, that ends with a signal", () =>
    Effect.gen(function* () {
      const { begun, log, tool } = yield* hanging
      const toolset = told(log, tool)
      const { body, seen } = going(framework, toolset, [[call("hang")], "Never."])
      const controller = new AbortController()
      const reason = new Error("The user left.")
      const rejected = Effect.promise(() =>
        Neutral.runPromise(toolset, body, { signal: controller.signal }).then(
          () => undefined,
          (error: unknown) => error
        )
      )
      const fiber = yield* Effect.forkChild(rejected)
      yield* begun
      controller.abort(reason)
      assert.strictEqual(yield* Fiber.join(fiber), reason)
      assert.deepStrictEqual(log, ["open", "interrupted", "close"])
      assert.strictEqual(seen.length, 1)
    })
  )

  it.effect("is a promise of the very failure, with services from a runtime", () =>
    Effect.gen(function* () {
      class City extends Context.Service<City, string>()("City") {}
      const here = Toolset.tool("here", { handler: () => Effect.map(City, (city) => `in ${city}`) })
      const toolset = Toolset.combined(here, burning)
      const runtime = ManagedRuntime.make(Layer.succeed(City, "Rome"))
      const run = (name: string) => {
        const { body, seen } = going(framework, toolset, [[call(name)], "Done."])
        return Effect.promise(() =>
          Neutral.runPromise(toolset, body, { runtime }).then(
            (text): unknown => [text, seen[1]?.results[0]?.text],
            (error) => error
          )
        )
      }
      assert.deepStrictEqual(yield* run("here"), ["Done.", "in Rome"])
      assert.strictEqual(yield* run("burn"), fire)
      yield* runtime.disposeEffect
    })
  )

  it.effect("runs sequential tools alone, in the order of the calls", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const step = (name: string) =>
        Toolset.tool(name, {
          handler: Effect.fnUntraced(function* () {
            log.push(`${name}+`)
            yield* Effect.repeat(Effect.yieldNow, { times: 50 - 10 * log.length })
            log.push(`${name}-`)
          })
        })
      const alone = Toolset.sequential(Toolset.combined(step("a"), step("b")))
      const toolset = Toolset.combined(alone, step("c"), step("d"))
      const all = ["c", "d", "a", "b", "c", "d"].map((name) => call(name))
      const { body } = going(framework, toolset, [all, "Done."])
      yield* Neutral.run(toolset, body)
      assert.deepStrictEqual(log.slice(4, 8), ["a+", "a-", "b+", "b-"])
      for (const together of [log.slice(0, 4), log.slice(8)]) {
        assert.deepStrictEqual(together.slice(0, 2), ["c+", "d+"])
        assert.deepStrictEqual(together.toSorted(), ["c+", "c-", "d+", "d-"])
      }
    })
  )

  it.effect("warns once where nobody drives it, and tells the model that a tool failed", () =>
    Effect.gen(function* () {
      const warnings: Array<string> = []
      const logger = Logger.make(
        ({ logLevel, message }) => void warnings.push(`${logLevel}: ${String(message)}`)
      )
      const seen: Array<never> = []
      const both = Toolset.combined(burning, broken)
      yield* Neutral.open(both).pipe(
        Effect.flatMap((run) =>
          Effect.promise(() =>
            framework
              .drive(run, [[call("burn")], [call("break"), call("burn")], "Done."], seen, { bare: true })
              .catch(() => "Ended.")
          )
        ),
        Effect.scoped,
        Effect.provide(Logger.layer([logger]))
      )
      assert.strictEqual(warnings.length, 1)
      assert.match(warnings[0]!, /^Warn: A tool failed for good, and nobody drives its run/)
      assert.notMatch(JSON.stringify(seen), /sk-123|Paris|at file:|node_modules/)
    })
  )
}
