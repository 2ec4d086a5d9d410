import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Schema } from "effect"
import { Prompt } from "effect/ai"
import { RunContext, ToolCall, ToolReturn, Toolset } from "effect-toolset"
import * as Neutral from "effect-toolset/Neutral"

const echo = Toolset.tool("echo", {
  parameters: Schema.Struct({ text: Schema.String }),
  handler: ({ text }) => Effect.succeed(text)
})

/** What a promise is rejected with. */
const rejected = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("It resolved."),
    (error) => error
  )

describe("a neutral tool", () => {
  it.effect("is plain data, and gives a fresh schema whenever it is asked", () =>
    Effect.gen(function* () {
      const definitions = yield* Toolset.list(echo)
      yield* Neutral.run(echo, async ({ tools: [tool] }) => {
        assert.deepStrictEqual(
          [tool!.name, tool!.description, tool!.sequential, tool!.needsApproval],
          ["echo", undefined, false, false]
        )
        const { parameters } = tool!
        assert.deepStrictEqual(parameters, definitions[0]!.parameters)
        parameters.type = "string"
        assert.deepStrictEqual(tool!.parameters, definitions[0]!.parameters)
      })
    })
  )

  it.effect("knows of a call what the framework says of it", () =>
    Effect.gen(function* () {
      const about = Toolset.tool("about", {
        handler: () =>
          Effect.gen(function* () {
            const { approved, attempt, id, maxRetries } = yield* ToolCall
            const { step } = yield* RunContext
            return [id, approved, attempt, maxRetries, step]
          })
      })
      yield* Neutral.run(
        about,
        async ({ next, tools: [tool] }) => {
          const call = async (known?: Neutral.Known) => (await tool!.call({}, undefined, known)).content
          assert.deepStrictEqual(await call(), ["about", false, 0, 3, 1])
          assert.deepStrictEqual(await call({ id: "7", approved: true }), ["7", true, 0, 3, 1])
          await next()
          assert.deepStrictEqual(await call({ turn: "a" }), ["about", false, 0, 3, 2])
          assert.deepStrictEqual(await call({ turn: "a" }), ["about", false, 0, 3, 2])
          assert.deepStrictEqual(await call({ turn: "b" }), ["about", false, 0, 3, 3])
        },
        { retries: 3 }
      )
    })
  )

  it.effect("runs nothing for a signal that is aborted, and stops one call for its own", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const log: Array<string> = []
      const slow = Toolset.tool("slow", {
        handler: () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      })
      const fast = Toolset.tool("fast", { handler: () => Effect.sync(() => log.push("fast")) })
      const both = Toolset.sequential(Toolset.combined(slow, fast))
      yield* Neutral.run(both, async ({ signal, tools: [one, other] }) => {
        const reason = new Error("Too late.")
        assert.strictEqual(await rejected(other!.call({}, AbortSignal.abort(reason))), reason)
        assert.deepStrictEqual(log, [])
        const controller = new AbortController()
        const stopped = rejected(one!.call({}, controller.signal))
        const after = other!.call({})
        await Effect.runPromise(Deferred.await(begun))
        controller.abort(reason)
        assert.strictEqual(await stopped, reason)
        assert.deepStrictEqual([(await after).isError, log, signal.aborted], [false, ["fast"], false])
      })
    })
  )

  for (const waits of ["next", "other"] as const) {
    it.effect(`keeps its turn where one before it is stopped while that waits: ${waits}`, () =>
      Effect.gen(function* () {
        const log: Array<string> = []
        const step = (name: string) =>
          Toolset.tool(name, {
            handler: () =>
              Effect.sync(() => log.push(`${name}+`)).pipe(
                Effect.andThen(Effect.repeat(Effect.yieldNow, { times: 20 })),
                Effect.andThen(Effect.sync(() => log.push(`${name}-`)))
              )
          })
        const alone = Toolset.sequential(Toolset.combined(step("first"), step("next")))
        yield* Neutral.run(Toolset.combined(alone, step("other")), async ({ tools }) => {
          const call = (name: string, signal?: AbortSignal) =>
            tools.find((tool) => tool.name === name)!.call({}, signal)
          const controller = new AbortController()
          const all = [call("first"), rejected(call("next", controller.signal)), call(waits)]
          controller.abort(new Error("Too late."))
          await Promise.all(all)
        })
        assert.deepStrictEqual(log, ["first+", "first-", `${waits}+`, `${waits}-`])
      })
    )
  }

  it.effect("gives files in base64, since frameworks keep results as JSON", () =>
    Effect.gen(function* () {
      const url = new URL("https://example.org/cloud.png")
      const data = [
        new Uint8Array([104, 105]),
        "data:image/png;base64,aGk=",
        new URL("data:;base64,aGk="),
        "aGk=",
        url
      ]
      const look = Toolset.tool("look", {
        handler: () =>
          Effect.succeed(
            new ToolReturn({
              value: "clouds",
              content: data.map((data) => Prompt.filePart({ mediaType: "image/png", data }))
            })
          )
      })
      const { parts } = yield* Neutral.run(look, ({ tools: [tool] }) => tool!.call({}))
      assert.deepStrictEqual(
        parts?.map((part) => (part.type === "text" ? part.text : part.data)),
        ["clouds", "aGk=", "aGk=", "aGk=", "aGk=", url]
      )
    })
  )

  it.effect("is not there where it runs elsewhere", () =>
    Effect.gen(function* () {
      const elsewhere = Toolset.external([{ name: "ask", parameters: { type: "object" } }])
      const names = yield* Neutral.run(Toolset.combined(elsewhere, echo), async ({ tools }) =>
        tools.map(({ name }) => name)
      )
      assert.deepStrictEqual(names, ["echo"])
    })
  )

  it.effect("finds what is searched for", () =>
    Effect.gen(function* () {
      const hidden = Toolset.searchable(echo, { when: () => true })
      yield* Neutral.run(hidden, async ({ next, tools: [search, ...others] }) => {
        assert.deepStrictEqual(others, [])
        await search!.call({ queries: ["echo"] })
        assert.include(
          (await next()).map(({ name }) => name),
          "echo"
        )
      })
    })
  )
})

describe("a run", () => {
  it.effect("is over when its body has ended", () =>
    Effect.gen(function* () {
      const { next, signal, tools } = yield* Neutral.run(echo, async (run) => run)
      assert.isTrue(signal.aborted)
      const error = yield* Effect.promise(() => rejected(tools[0]!.call({ text: "late" })))
      assert.strictEqual((error as Error).message, "The run is over.")
      assert.strictEqual(yield* Effect.promise(() => rejected(next())), error)
    })
  )

  it.effect("fails with what the framework was rejected with", () =>
    Effect.gen(function* () {
      const broken = new Error("No such model.")
      const error = yield* Effect.flip(Neutral.run(echo, () => Promise.reject(broken)))
      assert.strictEqual(error._tag, "FrameworkError")
      assert.strictEqual((error as Neutral.FrameworkError).cause, broken)
      assert.strictEqual(error.message, "The framework failed: No such model.")
      const plain = Neutral.runPromise(echo, () => Promise.reject(broken))
      assert.strictEqual(yield* Effect.promise(() => rejected(plain)), broken)
    })
  )

  it.effect("does not begin for a signal that is aborted", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const reason = new Error("Too late.")
      const toolset = Toolset.unwrap(Effect.sync(() => (log.push("open"), echo)))
      const body = async () => void log.push("body")
      const run = Neutral.runPromise(toolset, body, { signal: AbortSignal.abort(reason) })
      assert.strictEqual(yield* Effect.promise(() => rejected(run)), reason)
      assert.deepStrictEqual(log, [])
    })
  )

  it.effect("fails with a listing that fails later", () =>
    Effect.gen(function* () {
      const later = Toolset.dynamic(
        Effect.flatMap(RunContext, ({ step }) =>
          step === 1 ? Effect.succeed(echo) : Effect.fail("gone" as const)
        )
      )
      const heard: Array<unknown> = []
      const error = yield* Effect.flip(
        Neutral.run(later, async ({ next }) => {
          await next()
          heard.push(await rejected(next()), await rejected(next()))
        })
      )
      assert.strictEqual(error, "gone")
      assert.deepStrictEqual(
        heard.map((error) => (error as Error).message),
        ["The tools cannot be listed.", "The tools cannot be listed."]
      )
    })
  )

  it.effect("ends with an interruption that a tool makes of itself", () =>
    Effect.gen(function* () {
      const quits = Toolset.tool("quit", { handler: () => Effect.interrupt })
      const exit = yield* Effect.exit(Neutral.run(quits, ({ tools }) => rejected(tools[0]!.call({}))))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
    })
  )

  it.effect("starts nothing after a failure for good", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const tools = Toolset.combined(
        Toolset.tool("burn", { handler: () => Effect.fail("fire" as const) }),
        Toolset.tool("after", { handler: () => Effect.sync(() => void log.push("after")) })
      )
      const error = yield* Effect.flip(
        Neutral.run(tools, async ({ tools: [burn, after] }) => {
          const told = await rejected(burn!.call({}))
          assert.strictEqual((told as Error).message, "The tool 'burn' failed.")
          return await after!.call({})
        })
      )
      assert.deepStrictEqual([error, log], ["fire", []])
    })
  )

  it.effect("refuses retries that are no number of retries", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Neutral.run(echo, async () => 1, { retries: -1 }))
      assert.strictEqual(error._tag, "ToolsetDefinitionError")
    })
  )
})
