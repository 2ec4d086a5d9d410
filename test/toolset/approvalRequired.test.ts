import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema } from "effect"
import { ApprovalRequired, RunContext, ToolCall, ToolFailed, Toolset } from "effect-toolset"
import { answering, approved, asCall, defect, first, inRunOf, retry, tag } from "./asking.ts"

const square = Toolset.tool("square", {
  parameters: Schema.Struct({ n: Schema.FiniteFromString }),
  handler: ({ n }) => Effect.succeed(n * n)
})
const large: Toolset.CallPredicate<never, never> = (_, { n }) => Number(n) > 10
const even: Toolset.CallPredicate<never, never> = (_, { n }) => Number(n) % 2 === 0

/** How calls with these numbers end: with a result, or with the tag of what they wait for. */
const endings = <E, R>(self: Toolset.Toolset<E, R>, ...numbers: ReadonlyArray<number>) =>
  Effect.forEach(numbers, (n) =>
    Effect.match(Toolset.call(self, "square", { n: `${n}` }), {
      onSuccess: (result) => result,
      onFailure: (error) => (error instanceof ApprovalRequired ? "waits" : error)
    })
  )

describe("approvalRequired", () => {
  it.effect("asks about every call, where it has no predicate", () =>
    Effect.gen(function* () {
      for (const careful of [
        square.pipe(Toolset.approvalRequired()),
        square.pipe(Toolset.approvalRequired(() => true))
      ]) {
        assert.deepStrictEqual(yield* endings(careful, 1, 2), ["waits", "waits"])
        assert.deepStrictEqual(yield* approved(endings(careful, 1, 2)), [1, 4])
      }
    })
  )

  it.effect(
    "makes tools of kind unapproved where it has no predicate, and leaves the kind where it has one",
    () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* first(square.pipe(Toolset.approvalRequired()))).kind, "unapproved")
        assert.strictEqual((yield* first(square.pipe(Toolset.approvalRequired(() => true)))).kind, "function")
        assert.strictEqual(
          (yield* first(Toolset.external([{ name: "t" }]).pipe(Toolset.approvalRequired()))).kind,
          "external"
        )
      })
  )

  it.effect("asks about the calls for which the predicate holds, with decoded arguments", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* endings(square.pipe(Toolset.approvalRequired(large)), 3, 11), [
        9,
        "waits"
      ])
      assert.deepStrictEqual(yield* endings(Toolset.approvalRequired(square, large), 3, 11), [9, "waits"])
      const effectful = Toolset.approvalRequired(square, (...given) =>
        Effect.succeed(large(...given) === true)
      )
      assert.deepStrictEqual(yield* endings(effectful, 3, 11), [9, "waits"])
    })
  )

  it.effect(
    "asks the predicate with the tool as it is called there, and with the run and the call (2.6)",
    () =>
      Effect.gen(function* () {
        const seen: Array<unknown> = []
        const seeing = Toolset.approvalRequired(
          Effect.fnUntraced(function* (tool, args, run) {
            seen.push([tool.name, args, run === (yield* RunContext), (yield* ToolCall).exposedName])
            return false
          })
        )
        const tools: Toolset.Toolset = square.pipe(seeing, Toolset.prefixed("x"), seeing)
        yield* Toolset.call(tools, "x_square", { n: "2" }).pipe(inRunOf({ step: 2 }))
        assert.deepStrictEqual(seen, [
          ["x_square", { n: 2 }, true, "x_square"],
          ["square", { n: 2 }, true, "x_square"]
        ])
      })
  )

  it.effect("by a predicate that never holds is the identity", () =>
    Effect.gen(function* () {
      const free = square.pipe(Toolset.approvalRequired(() => false))
      assert.deepStrictEqual(yield* endings(free, 1, 12), yield* endings(square, 1, 12))
      assert.strictEqual(yield* first(free), yield* first(square))
    })
  )

  it.effect("by p and then by q asks where p or q holds, and one yes satisfies both", () =>
    Effect.gen(function* () {
      const either = square.pipe(Toolset.approvalRequired((...given) => large(...given) || even(...given)))
      const both = square.pipe(Toolset.approvalRequired(large), Toolset.approvalRequired(even))
      const expected = [1, "waits", 9, "waits", "waits"]
      assert.deepStrictEqual(yield* endings(either, 1, 2, 3, 11, 12), expected)
      assert.deepStrictEqual(yield* endings(both, 1, 2, 3, 11, 12), expected)
      assert.deepStrictEqual(yield* approved(endings(both, 1, 2, 12)), [1, 4, 144])
    })
  )

  it.effect("lets an approved call be the inner call: the predicate is not asked", () =>
    Effect.gen(function* () {
      const refusing = square.pipe(Toolset.approvalRequired(() => Effect.die("asked")))
      assert.deepStrictEqual(yield* approved(endings(refusing, 3)), [9])
      assert.strictEqual(yield* defect(endings(refusing, 3)), "asked")
    })
  )

  it.effect("sees valid calls alone: others are sent back to the model (P110)", () =>
    Effect.gen(function* () {
      let asked = 0
      const careful = square.pipe(Toolset.approvalRequired(() => ++asked > 0))
      assert.strictEqual((yield* retry(Toolset.call(careful, "square", { n: true })))[0], "arguments")
      assert.strictEqual(
        (yield* retry(Toolset.call(square.pipe(Toolset.approvalRequired()), "square", {})))[0],
        "arguments"
      )
      assert.strictEqual(asked, 0)
    })
  )

  it.effect("stands at its place in the pipe: wrappers outside it run before, inside it after", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const saying = (text: string) =>
        Toolset.wrapper((call, next) =>
          Effect.andThen(
            Effect.sync(() => events.push(text)),
            next(call)
          )
        )
      const tools = square.pipe(saying("inside"), Toolset.approvalRequired(), saying("outside"))
      assert.deepStrictEqual(yield* endings(tools, 3), ["waits"])
      assert.deepStrictEqual(events, ["outside"])
      assert.deepStrictEqual(yield* approved(endings(tools, 3)), [9])
      assert.deepStrictEqual(events, ["outside", "outside", "inside"])
    })
  )

  it.effect(
    "takes failures and services of its predicate: signals stay signals, others are the toolset's",
    () =>
      Effect.gen(function* () {
        class Judge extends Context.Service<Judge, Effect.Effect<boolean, ToolFailed | "asleep">>()(
          "test/Judge"
        ) {}
        const judged: Toolset.Toolset<"asleep", Judge> = square.pipe(
          Toolset.approvalRequired(() => Effect.flatMap(Judge, (judge) => judge))
        )
        const by = Effect.provideService(Judge)
        const call = Toolset.call(judged, "square", { n: "3" })
        assert.strictEqual(yield* by(call, Effect.succeed(false)), 9)
        assert.strictEqual(yield* tag(by(call, Effect.succeed(true))), "ApprovalRequired")
        assert.strictEqual(yield* tag(by(call, Effect.fail("asleep" as const))), "asleep")
        assert.strictEqual(
          yield* tag(by(call, Effect.fail(new ToolFailed({ message: "No." })))),
          "ToolFailed"
        )
      })
  )

  it.effect("asks for approval with no metadata of its own", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Toolset.call(answering("t").pipe(Toolset.approvalRequired()), "t", {}))
      assert.instanceOf(error, ApprovalRequired)
      assert.isUndefined(error.metadata)
      assert.strictEqual(error.message, "The call waits for an approval.")
    })
  )

  it.effect("dies of a predicate that throws", () =>
    Effect.gen(function* () {
      const throwing = Toolset.approvalRequired(square, () => {
        throw new TypeError("no answer")
      })
      assert.strictEqual(yield* defect(endings(throwing, 1)), "TypeError: no answer")
    })
  )

  it.effect("does not approve the calls that an approved handler makes", () =>
    Effect.gen(function* () {
      const careful = square.pipe(Toolset.approvalRequired())
      const outer = Toolset.tool("outer", {
        handler: () => Effect.map(endings(careful, 2), ([ending]) => ending)
      })
      const call = Toolset.call(outer.pipe(Toolset.approvalRequired()), "outer", {})
      assert.strictEqual(yield* asCall({ approved: true, metadata: { by: "Ada" } })(call), "waits")
    })
  )
})
