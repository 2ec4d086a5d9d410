import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { RunContext, ToolCall, ToolNotFound, ToolReturn, Toolset } from "effect-toolset"
import { answering, approved, asCall, conflict, inRunOf, retry, tag, tools } from "./asking.ts"
import { logged } from "./resources.ts"

const whoami = Toolset.tool("t", {
  handler: Effect.fnUntraced(function* () {
    const { progress: _, ...call } = yield* ToolCall
    const { runId, step } = yield* RunContext
    return { ...call, runId, step }
  })
})
const unapproved = answering("inner").pipe(Toolset.approvalRequired())

describe("call", () => {
  it.effect("gives the encoded value of the result", () =>
    Effect.gen(function* () {
      const tool = Toolset.tool("t", {
        success: Schema.Date,
        handler: () => Effect.succeed(new ToolReturn({ value: new Date(0), metadata: { a: 1 } }))
      })
      assert.strictEqual(yield* Toolset.call(tool, "t", {}), "1970-01-01T00:00:00.000Z")
      assert.strictEqual(yield* tool.pipe(Toolset.call("t", {})), "1970-01-01T00:00:00.000Z")
    })
  )

  it.effect("opens what it needs, and closes it when the call has ended, however it ends", () =>
    Effect.gen(function* () {
      const { leaf, recent } = logged()
      const succeeding = leaf("a")
      assert.strictEqual(yield* Toolset.call(succeeding, "a", {}), "a")
      assert.deepStrictEqual(yield* recent, ["open a", "use a", "use a", "close a"])
      const failing = leaf("b", { during: Effect.fail("broken") })
      assert.strictEqual(yield* Effect.flip(Toolset.call(failing, "b", {})), "broken")
      assert.deepStrictEqual(yield* recent, ["open b", "use b", "close b"])
      yield* Effect.exit(Toolset.call(succeeding, "nobody", {}))
      assert.deepStrictEqual(yield* recent, ["open a", "close a"])
    })
  )

  it.effect("is attempt 0 at step 1 of a run of its own, and not approved", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Toolset.call(whoami.pipe(Toolset.prefixed("x")), "x_t", {}), {
        id: "direct",
        name: "t",
        exposedName: "x_t",
        attempt: 0,
        maxRetries: 1,
        lastAttempt: false,
        approved: false,
        metadata: {},
        runId: "direct",
        step: 1
      })
    })
  )

  it.effect("is in the run and the call that a test provides, but for the names, which are the tool's", () =>
    Effect.gen(function* () {
      const given = asCall({
        id: "call-7",
        attempt: 2,
        maxRetries: 2,
        approved: true,
        metadata: { by: "Ada" }
      })
      assert.deepStrictEqual(
        yield* Toolset.call(whoami, "t", {}).pipe(given, inRunOf({ runId: "r", step: 3 })),
        {
          id: "call-7",
          name: "t",
          exposedName: "t",
          attempt: 2,
          maxRetries: 2,
          lastAttempt: true,
          approved: true,
          metadata: { by: "Ada" },
          runId: "r",
          step: 3
        }
      )
    })
  )

  it.effect("is approved where a test says so", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* tag(Toolset.call(unapproved, "inner", {})), "ApprovalRequired")
      assert.strictEqual(yield* approved(Toolset.call(unapproved, "inner", {})), "inner")
    })
  )

  it.effect("inside an approved handler is a call of its own, and not approved", () =>
    Effect.gen(function* () {
      const outer = Toolset.tool("outer", {
        requiresApproval: true,
        handler: Effect.fnUntraced(function* () {
          const { approved } = yield* ToolCall
          return [
            approved,
            yield* tag(Toolset.call(unapproved, "inner", {})),
            yield* Toolset.call(whoami, "t", {})
          ]
        })
      })
      const call = Toolset.call(outer, "outer", {}).pipe(
        asCall({ id: "call-7", attempt: 3, maxRetries: 5, approved: true, metadata: { by: "Ada" } }),
        inRunOf({ runId: "r", step: 2 })
      )
      assert.deepStrictEqual(yield* call, [
        true,
        "ApprovalRequired",
        {
          id: "direct",
          name: "t",
          exposedName: "t",
          attempt: 0,
          maxRetries: 1,
          lastAttempt: false,
          approved: false,
          metadata: {},
          runId: "r",
          step: 2
        }
      ])
    })
  )

  it.effect("inside a wrapper, a validator or a predicate of an approved call is not approved either", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const inner = Effect.tap(tag(Toolset.call(unapproved, "inner", {})), (tag) =>
        Effect.sync(() => seen.push(tag))
      )
      const outer = Toolset.tool("outer", { validateArgs: () => inner, handler: () => Effect.void }).pipe(
        Toolset.wrapper((call, next) => Effect.andThen(inner, next(call)))
      )
      yield* approved(Toolset.call(outer, "outer", {}))
      assert.deepStrictEqual(seen, ["ApprovalRequired", "ApprovalRequired"])
    })
  )

  it.effect("inside a handler is approved where the handler says so itself", () =>
    Effect.gen(function* () {
      const outer = Toolset.tool("outer", { handler: () => approved(Toolset.call(unapproved, "inner", {})) })
      assert.strictEqual(yield* Toolset.call(outer, "outer", {}), "inner")
    })
  )

  it.effect("inside a handler reports its progress to whoever watches the outer call", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const working = Toolset.tool("t", {
        handler: () => Effect.flatMap(ToolCall, ({ progress }) => progress("half"))
      })
      const outer = Toolset.tool("outer", { handler: () => Toolset.call(working, "t", {}) })
      yield* Toolset.call(outer, "outer", {}).pipe(
        asCall({ progress: (value) => Effect.sync(() => void seen.push(value)) })
      )
      assert.deepStrictEqual(seen, ["half"])
    })
  )

  it.effect("inside a handler asks nobody for retries: bad arguments are its typed failure (P78)", () =>
    Effect.gen(function* () {
      const strict = Toolset.tool("strict", {
        parameters: Schema.Struct({ n: Schema.Int }),
        handler: () => Effect.void
      })
      const outer = Toolset.tool("outer", {
        handler: () =>
          Effect.catchTag(Toolset.call(strict, "strict", {}), "ModelRetry", ({ reason }) =>
            Effect.succeed(reason)
          )
      })
      assert.strictEqual(yield* Toolset.call(outer, "outer", {}), "arguments")
    })
  )

  it.effect("of a name that is not listed is no retry, but an error that says what there is", () =>
    Effect.gen(function* () {
      const missing = <E, R>(self: Toolset.Toolset<E, R>) =>
        Effect.map(Effect.flip(Toolset.call(self, "x", {})), (error) => {
          assert.instanceOf(error, ToolNotFound)
          return [error.toolName, error.availableTools, error.message]
        })
      assert.deepStrictEqual(yield* missing(tools("b", "a")), [
        "x",
        ["b", "a"],
        "There is no tool 'x'. There are: 'b', 'a'."
      ])
      assert.deepStrictEqual(yield* missing(Toolset.empty), [
        "x",
        [],
        "There is no tool 'x': the toolset lists none."
      ])
    })
  )

  it.effect("finds a tool exactly where the list of that step names it", () =>
    Effect.gen(function* () {
      const later = tools("a", "b").pipe(Toolset.filtered(({ name }, { step }) => name === "a" || step > 1))
      assert.strictEqual(yield* tag(Toolset.call(later, "b", {})), "ToolNotFound")
      assert.strictEqual(yield* Toolset.call(later, "b", {}).pipe(inRunOf({ step: 2 })), "b")
      for (const name of ["", "toString", "__proto__", "constructor"]) {
        assert.strictEqual(yield* tag(Toolset.call(later, name, {})), "ToolNotFound")
      }
    })
  )

  it.effect("fails where the list cannot be collected, also for another name", () =>
    Effect.gen(function* () {
      yield* conflict(Toolset.call(tools("a", "b", "a"), "b", {}))
      yield* conflict(Toolset.call(tools("a", "b", "a"), "nobody", {}))
    })
  )

  it.effect("makes one attempt: a retry is a failure like any other", () =>
    Effect.gen(function* () {
      let calls = 0
      const tool = Toolset.tool("t", {
        maxRetries: 5,
        parameters: Schema.Struct({ n: Schema.Int }),
        handler: () => Effect.sync(() => calls++)
      })
      yield* retry(Toolset.call(tool, "t", { n: "x" }))
      assert.strictEqual(calls, 0)
    })
  )
})
