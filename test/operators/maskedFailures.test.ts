import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted, Schema } from "effect"
import {
  Agent,
  ApprovalRequired,
  CallDeferred,
  DeferredToolRequests,
  ModelRetry,
  Secrets,
  ToolFailed,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { leaks } from "../secrets/leaking.ts"
import { answering, Broken } from "./asking.ts"
import { watching } from "./watching.ts"

const secret = "pw-91c3"
const secrets = Secrets.layer(Redacted.make(secret))

const failing = (error: unknown) =>
  Toolset.tool("a", { handler: () => Effect.fail(error) as Effect.Effect<never, unknown> }).pipe(
    Toolset.masked
  )
const failure = (error: unknown) =>
  Effect.flip(Toolset.call(failing(error), "a", {})).pipe(Effect.provide(secrets))
const exitOf = <E, R>(toolset: Toolset.Toolset<E, R>) =>
  Effect.exit(Toolset.call(toolset.pipe(Toolset.masked), "a", {})).pipe(Effect.provide(secrets))

describe("masked, where something fails,", () => {
  it.effect("hides them in signals, which stay what they are (F12, F18)", () =>
    Effect.gen(function* () {
      const retry = yield* failure(new ModelRetry({ message: `login failed for ${secret}`, reason: "body" }))
      assert.instanceOf(retry, ModelRetry)
      assert.deepStrictEqual([retry.message, retry.reason], ["login failed for ***", "body"])
      const failed = yield* failure(new ToolFailed({ message: secret, details: { url: `//${secret}@h` } }))
      assert.instanceOf(failed, ToolFailed)
      assert.deepStrictEqual([failed.message, failed.details], ["***", { url: "//***@h" }])
      for (const Signal of [ApprovalRequired, CallDeferred]) {
        const signal = yield* failure(new Signal({ metadata: { query: [secret], n: 1 } }))
        assert.isTrue(signal instanceof Signal)
        assert.deepStrictEqual((signal as ApprovalRequired).metadata, { query: ["***"], n: 1 })
      }
    })
  )

  it.effect("hides them in errors, which keep their types (F12, F13, F14)", () =>
    Effect.gen(function* () {
      class Login extends Schema.TaggedError<Login>()("Login", {
        user: Schema.String,
        password: Schema.String
      }) {
        override get message(): string {
          return `${this.user} could not log in with ${this.password}`
        }
      }
      const login = yield* failure(new Login({ user: "admin", password: secret }))
      assert.instanceOf(login, Login)
      assert.strictEqual(login.message, "admin could not log in with ***")
      const range = yield* failure(
        new RangeError(`denied: ${secret}`, { cause: new Error(secret, { cause: secret }) })
      )
      assert.instanceOf(range, RangeError)
      assert.strictEqual(range.message, "denied: ***")
      assert.deepStrictEqual(leaks(range, [secret]), [])
      const group = yield* failure(new AggregateError([new Error(secret), new TypeError(secret)], secret))
      assert.instanceOf(group, AggregateError)
      assert.deepStrictEqual(leaks(group, [secret]), [])
      assert.deepStrictEqual(
        (group as AggregateError).errors.map((error) => error instanceof Error),
        [true, true]
      )
      assert.strictEqual(yield* failure(secret), "***")
    })
  )

  it.effect("hides them in what caused a signal, which still says what caused it (F12)", () =>
    Effect.gen(function* () {
      const cause = new Error(`refused: ${secret}`, { cause: { password: secret } })
      const retry = yield* failure(
        Object.assign(new ModelRetry({ message: `login failed for ${secret}` }), { cause })
      )
      assert.instanceOf(retry, ModelRetry)
      assert.strictEqual(retry.message, "login failed for ***")
      assert.strictEqual(((retry as Error).cause as Error).message, "refused: ***")
      assert.deepStrictEqual(((retry as Error).cause as Error).cause, { password: "***" })
      assert.deepStrictEqual(leaks(retry, [secret]), [])
    })
  )

  it.effect("hides them in every member of a group, of its own type, and in what caused it (F17)", () =>
    Effect.gen(function* () {
      const members = [new Error(`one ${secret}`, { cause: secret }), new TypeError("two"), `three ${secret}`]
      const group = yield* failure(new AggregateError(members, `all of ${secret}`))
      assert.instanceOf(group, AggregateError)
      assert.strictEqual(group.message, "all of ***")
      const [one, two, three] = group.errors as ReadonlyArray<Error>
      assert.deepStrictEqual([one!.message, one!.cause, three as unknown], ["one ***", "***", "three ***"])
      assert.strictEqual(two, members[1])
    })
  )

  it.effect("asks with masked metadata, and nobody hears of a failure (F18)", () =>
    Effect.gen(function* () {
      const { layer, seen, spans } = watching()
      const asks = Toolset.tool("a", {
        handler: () => Effect.fail(new ApprovalRequired({ metadata: { query: secret } }))
      }).pipe(Toolset.metered, Toolset.masked)
      const agent = Agent.make({ toolsets: [asks], output: [Schema.String, DeferredToolRequests] })
      const { output } = yield* Agent.run(agent, { prompt: "go" }).pipe(
        Effect.provide([layer, ScriptedModel.layer([ScriptedModel.calls({ a: {} })])])
      )
      assert.instanceOf(output, DeferredToolRequests)
      assert.deepStrictEqual(
        output.approvals.map(({ metadata }) => metadata),
        [{ query: "***" }]
      )
      assert.deepStrictEqual(seen().logs, [])
      const call = spans.find((span) => span.name === "execute_tool a")!
      assert.strictEqual(call.attributes.get("effect_toolset.outcome"), "ApprovalRequired")
      assert.deepStrictEqual(call.events, [])
    }).pipe(Effect.provide(secrets))
  )

  it.effect(
    "twice is once: a failure is masked in one layer, passes the other, and is logged once (F20)",
    () =>
      Effect.gen(function* () {
        const passed: Array<unknown> = []
        const keeping = Toolset.wrapper((call, next) =>
          Effect.tapError(next(call), (error) => Effect.sync(() => passed.push(error)))
        )
        const { layer, seen } = watching()
        const tools = Toolset.tool("a", {
          handler: () => Effect.tapError(Effect.fail(new Broken({ who: secret })), Effect.logError)
        }).pipe(Toolset.masked, keeping, Toolset.masked, keeping)
        const error = yield* Effect.flip(Toolset.call(tools, "a", {})).pipe(Effect.provide(layer))
        assert.strictEqual(error.message, "*** is broken")
        assert.strictEqual(passed.length, 2)
        for (const one of passed) assert.strictEqual(one, error)
        assert.strictEqual(seen().logs.filter((line) => typeof line === "object").length, 1)
        assert.deepStrictEqual(leaks(seen(), [secret]), [])
      }).pipe(Effect.provide(secrets))
  )

  it.effect("leaves errors without a secret the very same", () =>
    Effect.gen(function* () {
      const error = new Broken({ who: "a" })
      assert.strictEqual(yield* failure(error), error)
    })
  )

  it.effect("withholds the details of an error that cannot be masked, as a defect (F16)", () =>
    Effect.gen(function* () {
      class Unprintable extends Error {
        override get message(): string {
          throw new Error(secret)
        }
      }
      class Closed extends Error {
        readonly #token = secret
        override toString() {
          return this.#token
        }
      }
      for (const [error, name] of [
        [new Unprintable(), "Unprintable"],
        [new Closed(), "Closed"]
      ] as const) {
        const exit = yield* exitOf(Toolset.tool("a", { handler: () => Effect.fail(error) }))
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause) && !Cause.hasFails(exit.cause))
        assert.deepStrictEqual(leaks(exit, [secret]), [])
        const withheld = Exit.isFailure(exit) ? (Cause.squash(exit.cause) as Error) : undefined
        assert.strictEqual(withheld?.message, `${name}: details withheld, they could not be masked`)
      }
    })
  )

  it.effect("hides them in every reason of a cause; interruption stays interruption", () =>
    Effect.gen(function* () {
      const died = yield* exitOf(Toolset.tool("a", { handler: () => Effect.die(new Error(secret)) }))
      assert.isTrue(Exit.isFailure(died) && Cause.hasDies(died.cause))
      assert.deepStrictEqual(leaks(died, [secret]), [])
      const both = Toolset.tool("a", {
        handler: () => Effect.ensuring(Effect.fail({ _tag: "Lost" as const, secret }), Effect.die(secret))
      })
      const exit = yield* exitOf(both)
      assert.isTrue(Exit.isFailure(exit) && exit.cause.reasons.length === 2)
      assert.deepStrictEqual(leaks(exit, [secret]), [])
      const interrupted = yield* exitOf(Toolset.tool("a", { handler: () => Effect.interrupt }))
      assert.isTrue(Exit.hasInterrupts(interrupted))
    })
  )

  it.effect("hides them in what is wrong with arguments, and in what opening and listing fail with", () =>
    Effect.gen(function* () {
      const Secret = Schema.String.check(Schema.makeFilter(() => `not like ${secret}`))
      const picky = Toolset.tool("a", {
        parameters: Schema.Struct({ s: Secret }),
        handler: () => Effect.succeed(1)
      }).pipe(Toolset.masked)
      const error = yield* Effect.flip(Toolset.call(picky, "a", { s: "x" }))
      assert.include(error.message, "not like ***")
      const validating = Toolset.tool("a", {
        validateArgs: () => Effect.fail(new ModelRetry({ message: secret })),
        handler: () => Effect.succeed(1)
      }).pipe(Toolset.masked)
      assert.strictEqual((yield* Effect.flip(Toolset.call(validating, "a", {}))).message, "***")
      const down = Toolset.unwrap(Effect.as(Effect.fail(new Broken({ who: secret })), Toolset.empty))
      assert.strictEqual(
        (yield* Effect.flip(Toolset.list(down.pipe(Toolset.masked)))).message,
        "*** is broken"
      )
      const unlisted = answering("a").pipe(Toolset.filtered(() => Effect.fail(new Broken({ who: secret }))))
      assert.strictEqual(
        (yield* Effect.flip(Toolset.list(unlisted.pipe(Toolset.masked)))).message,
        "*** is broken"
      )
    }).pipe(Effect.provide(secrets))
  )
})
