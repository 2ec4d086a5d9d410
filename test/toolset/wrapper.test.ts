import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema, Scope } from "effect"
import { ModelRetry, RunContext, ToolCall, ToolFailed, ToolReturn, Toolset } from "effect-toolset"
import { answering, defect, first, inRunOf, retry, tag } from "./asking.ts"

const square = Toolset.tool("square", {
  parameters: Schema.Struct({ n: Schema.FiniteFromString }),
  success: Schema.Struct({ at: Schema.Date, n: Schema.Finite }),
  handler: ({ n }) => Effect.succeed({ at: new Date(0), n: n * n })
})
const ninth = { at: "1970-01-01T00:00:00.000Z", n: 9 }

/** A wrapper that writes down when it is entered and left. */
const saying = (events: Array<string>, text: string) =>
  Toolset.wrapper((call, next) =>
    Effect.suspend(() => {
      events.push(`${text} in`)
      return Effect.ensuring(
        next(call),
        Effect.sync(() => events.push(`${text} out`))
      )
    })
  )

describe("wrapper", () => {
  it.effect("sees decoded arguments, the tool, and the encoded result", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const seeing = Toolset.wrapper((call, next) =>
        Effect.tap(next(call), (result) => Effect.sync(() => seen.push(call.tool.name, call.args, result)))
      )
      const result = yield* Toolset.call(square.pipe(seeing), "square", { n: "3" })
      assert.deepStrictEqual(result, ninth)
      assert.deepStrictEqual(seen, ["square", { n: 3 }, new ToolReturn({ value: ninth })])
    })
  )

  it.effect("sees the tool as it is called there, and the call as the model made it (2.6)", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const seeing = Toolset.wrapper((call, next) =>
        Effect.flatMap(ToolCall, ({ exposedName, name }) => {
          seen.push(`${call.tool.name}, declared ${name}, called ${exposedName}`)
          return next(call)
        })
      )
      const tools: Toolset.Toolset = square.pipe(seeing, Toolset.prefixed("x"), seeing)
      yield* Toolset.call(tools, "x_square", { n: "3" })
      assert.deepStrictEqual(seen, [
        "x_square, declared square, called x_square",
        "square, declared square, called x_square"
      ])
    })
  )

  it.effect("has the run, the call and a scope, which the toolset does not ask for", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const scoped: Toolset.Toolset = answering("t").pipe(
        Toolset.wrapper(
          Effect.fnUntraced(function* (call, next) {
            const { step } = yield* RunContext
            yield* Scope.addFinalizer(
              yield* Effect.scope,
              Effect.sync(() => events.push("closed"))
            )
            events.push(`step ${step}`)
            return yield* next(call)
          })
        )
      )
      yield* Toolset.call(scoped, "t", {}).pipe(inRunOf({ step: 2 }))
      assert.deepStrictEqual(events, ["step 2", "closed"])
    })
  )

  it.effect("by next is the identity", () =>
    Effect.gen(function* () {
      const same = square.pipe(Toolset.wrapper((call, next) => next(call)))
      assert.strictEqual(yield* first(same), yield* first(square))
      assert.deepStrictEqual(yield* Toolset.call(same, "square", { n: "3" }), ninth)
      assert.deepStrictEqual(
        yield* retry(Toolset.call(same, "square", {})),
        yield* retry(Toolset.call(square, "square", {}))
      )
    })
  )

  it.effect("composes: the last one added is outermost", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      yield* Toolset.call(square.pipe(saying(events, "first"), saying(events, "second")), "square", {
        n: "3"
      })
      assert.deepStrictEqual(events, ["second in", "first in", "first out", "second out"])
    })
  )

  it.effect("is entered after the arguments are decoded and validated, and not where they are not", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const picky = Toolset.tool("t", {
        parameters: Schema.Struct({ n: Schema.Finite }),
        validateArgs: ({ n }) =>
          n > 0 ? Effect.void : Effect.fail(new ModelRetry({ message: "Too small." })),
        handler: () => Effect.void
      }).pipe(saying(events, "wrapper"))
      yield* retry(Toolset.call(picky, "t", {}))
      yield* retry(Toolset.call(picky, "t", { n: -1 }))
      assert.deepStrictEqual(events, [])
    })
  )

  it.effect("may change arguments, which are not validated again, and the tool gets them", () =>
    Effect.gen(function* () {
      const ten = square.pipe(Toolset.wrapper(({ tool }, next) => next({ tool, args: { n: 10 } })))
      assert.deepStrictEqual(yield* Toolset.call(ten, "square", { n: "3" }), { ...ninth, n: 100 })
      const gated = square.pipe(
        Toolset.approvalRequired((_, { n }) => n === 10),
        Toolset.wrapper(({ tool }, next) => next({ tool, args: { n: 10 } }))
      )
      assert.strictEqual(yield* tag(Toolset.call(gated, "square", { n: "3" })), "ApprovalRequired")
    })
  )

  it.effect("may call the tool not at all, or again", () =>
    Effect.gen(function* () {
      let calls = 0
      const flaky = Toolset.tool("t", {
        handler: () =>
          Effect.suspend(() => (++calls < 3 ? Effect.fail("offline" as const) : Effect.succeed(calls)))
      })
      const again = flaky.pipe(Toolset.wrapper((call, next) => Effect.retry(next(call), { times: 5 })))
      assert.strictEqual(yield* Toolset.call(again, "t", {}), 3)
      const cached = flaky.pipe(Toolset.wrapper(() => Effect.succeed(new ToolReturn({ value: "cached" }))))
      assert.strictEqual(yield* Toolset.call(cached, "t", {}), "cached")
      assert.strictEqual(calls, 3)
    })
  )

  it.effect("meets signals as ordinary failures, and may answer them or give its own", () =>
    Effect.gen(function* () {
      const asking = Toolset.tool("t", { handler: () => Effect.fail(new ModelRetry({ message: "Again." })) })
      const answered = asking.pipe(
        Toolset.wrapper((call, next) =>
          Effect.catchTag(next(call), "ModelRetry", ({ message }) =>
            Effect.succeed(new ToolReturn({ value: message }))
          )
        )
      )
      assert.strictEqual(yield* Toolset.call(answered, "t", {}), "Again.")
      const failed = answering("t").pipe(
        Toolset.wrapper(() => Effect.fail(new ToolFailed({ message: "No." })))
      )
      assert.strictEqual(yield* tag(Toolset.call(failed, "t", {})), "ToolFailed")
    })
  )

  it.effect("written away from its toolset keeps what that fails with and needs, and adds its own", () =>
    Effect.gen(function* () {
      class Inner extends Context.Service<Inner, string>()("test/Inner") {}
      class Outer extends Context.Service<Outer, "denied" | undefined>()("test/Outer") {}
      const deciding = Toolset.wrapper(
        Effect.fnUntraced(function* (call, next) {
          const denial = yield* Outer
          return denial === undefined ? yield* next(call) : yield* Effect.fail(denial)
        })
      )
      const inner = Toolset.tool("t", {
        handler: () => Effect.flatMap(Inner, (text) => Effect.fail(`inner ${text}` as const))
      })
      const tools: Toolset.Toolset<`inner ${string}` | "denied", Inner | Outer> = inner.pipe(deciding)
      const call = Effect.flip(Toolset.call(tools, "t", {})).pipe(Effect.provideService(Inner, "x"))
      assert.strictEqual(yield* Effect.provideService(call, Outer, undefined), "inner x")
      assert.strictEqual(yield* Effect.provideService(call, Outer, "denied"), "denied")
    })
  )

  it.effect("covers every tool of its toolset, of any source", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const all = Toolset.combined(
        answering("a"),
        Toolset.unwrap(Effect.succeed(answering("b"))),
        Toolset.dynamic(Effect.succeed(answering("c"))),
        Toolset.external([{ name: "d" }])
      ).pipe(
        Toolset.wrapper((call, next) =>
          Effect.andThen(
            Effect.sync(() => events.push(call.tool.name)),
            next(call)
          )
        )
      )
      for (const name of ["a", "b", "c", "d"]) yield* Effect.exit(Toolset.call(all, name, {}))
      assert.deepStrictEqual(events, ["a", "b", "c", "d"])
    })
  )

  it.effect("dies of what it throws", () =>
    Effect.gen(function* () {
      const throwing = answering("t").pipe(
        Toolset.wrapper(() => {
          throw new TypeError("thrown")
        })
      )
      assert.strictEqual(yield* defect(Toolset.call(throwing, "t", {})), "TypeError: thrown")
    })
  )
})
