import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  ApprovalRequired,
  CallDeferred,
  ModelRetry,
  RunContext,
  ToolCall,
  ToolFailed,
  Toolset
} from "effect-toolset"
import { approved, asCall, first, inRunOf, retry, tag } from "./asking.ts"

const parameters = Schema.Struct({ x: Schema.FiniteFromString })

/** A tool that writes down in which order it is asked. */
const watched = <E = never, R = never>(
  options: {
    readonly validate?: Effect.Effect<void, E, R>
    readonly approval?: boolean
  } = {}
) => {
  const events: Array<string> = []
  const say = (text: string) => Effect.sync(() => void events.push(text))
  const tool = Toolset.tool("t", {
    parameters,
    validateArgs: ({ x }) => Effect.andThen(say(`validate ${x}`), options.validate ?? Effect.void),
    requiresApproval: ({ x }, { step }) =>
      Effect.as(say(`approve ${x} in step ${step}`), options.approval ?? false),
    handler: ({ x }) => Effect.as(say(`handle ${x}`), x)
  })
  return { events, tool }
}

describe("the way of a call into its handler", () => {
  it.effect("leads through decoding, the validator and the approval, in this order (P74)", () =>
    Effect.gen(function* () {
      const { events, tool } = watched()
      assert.strictEqual(yield* Toolset.call(tool, "t", { x: "1" }).pipe(inRunOf({ step: 4 })), 1)
      assert.deepStrictEqual(events, ["validate 1", "approve 1 in step 4", "handle 1"])
    })
  )

  it.effect("ends where the arguments do not decode: nobody else is asked (P76, P110)", () =>
    Effect.gen(function* () {
      const { events, tool } = watched({ approval: true })
      assert.deepStrictEqual(yield* retry(Toolset.call(tool, "t", { x: 1 })), [
        "arguments",
        `Invalid arguments: Expected string\n  at ["x"]`
      ])
      assert.deepStrictEqual(events, [])
    })
  )

  it.effect("ends where the validator asks for a retry: whoever approves sees valid calls alone (P75)", () =>
    Effect.gen(function* () {
      const signal = new ModelRetry({ message: "Too small." })
      const { events, tool } = watched({ validate: Effect.fail(signal), approval: true })
      assert.strictEqual(yield* Effect.flip(Toolset.call(tool, "t", { x: "1" })), signal)
      assert.deepStrictEqual(events, ["validate 1"])
    })
  )

  it.effect("ends with whatever signal the validator gives (P112, P113)", () =>
    Effect.gen(function* () {
      const signals = [
        new ToolFailed({ message: "Closed." }),
        new CallDeferred({ metadata: { queue: 1 } }),
        new ApprovalRequired({ metadata: { why: "x" } })
      ]
      for (const signal of signals) {
        const { events, tool } = watched({ validate: Effect.fail(signal) })
        assert.strictEqual(yield* Effect.flip(Toolset.call(tool, "t", { x: "1" })), signal)
        assert.deepStrictEqual(events, ["validate 1"])
      }
    })
  )

  it.effect("asks the validator again when the call is approved, and then the handler, once (P112)", () =>
    Effect.gen(function* () {
      const asking = Effect.flatMap(ToolCall, ({ approved }) =>
        approved ? Effect.void : Effect.fail(new ApprovalRequired({}))
      )
      const { events, tool } = watched({ validate: asking, approval: true })
      assert.strictEqual(yield* tag(Toolset.call(tool, "t", { x: "1" })), "ApprovalRequired")
      assert.strictEqual(yield* approved(Toolset.call(tool, "t", { x: "1" })), 1)
      assert.deepStrictEqual(events, ["validate 1", "validate 1", "handle 1"])
    })
  )

  it.effect("runs without a validator as with one that never objects (P77)", () =>
    Effect.gen(function* () {
      const tool = Toolset.tool("t", { parameters, handler: ({ x }) => Effect.succeed(x) })
      assert.strictEqual(yield* Toolset.call(tool, "t", { x: "1" }), 1)
    })
  )

  it.effect("gives the validator the run and the call, and its failures are the toolset's (P74)", () =>
    Effect.gen(function* () {
      const tool: Toolset.Toolset<string> = Toolset.tool("t", {
        validateArgs: Effect.fnUntraced(function* () {
          const { attempt, name } = yield* ToolCall
          const { step } = yield* RunContext
          return yield* Effect.fail(`${name}, attempt ${attempt}, step ${step}`)
        }),
        handler: () => Effect.void
      })
      const call = Toolset.call(tool, "t", {}).pipe(asCall({ attempt: 2 }), inRunOf({ step: 3 }))
      assert.strictEqual(yield* Effect.flip(call), "t, attempt 2, step 3")
    })
  )
})

describe("the option requiresApproval", () => {
  it.effect("makes a tool of kind unapproved where it always asks, and only there", () =>
    Effect.gen(function* () {
      const kind = (requiresApproval: boolean | (() => boolean)) =>
        Effect.map(first(Toolset.tool("t", { requiresApproval, handler: () => Effect.void })), (t) => t.kind)
      assert.strictEqual(yield* kind(true), "unapproved")
      assert.strictEqual(yield* kind(false), "function")
      assert.strictEqual(yield* kind(() => true), "function")
    })
  )

  it.effect("asks before the calls for which it holds", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<
        readonly [
          asks: boolean | ((args: { readonly x: number }) => boolean | Effect.Effect<boolean>),
          x: string,
          held: boolean
        ]
      > = [
        [true, "1", true],
        [false, "1", false],
        [({ x }) => x > 1, "1", false],
        [({ x }) => x > 1, "2", true],
        [({ x }) => Effect.succeed(x > 1), "1", false],
        [({ x }) => Effect.succeed(x > 1), "2", true]
      ]
      for (const [requiresApproval, x, held] of cases) {
        const tool = Toolset.tool("t", { parameters, requiresApproval, handler: () => Effect.succeed("ran") })
        const call = Toolset.call(tool, "t", { x })
        if (held) assert.strictEqual(yield* tag(call), "ApprovalRequired")
        else assert.strictEqual(yield* call, "ran")
        assert.strictEqual(yield* approved(call), "ran")
      }
    })
  )

  it.effect("is not asked about a call that is approved already", () =>
    Effect.gen(function* () {
      const { events, tool } = watched({ approval: true })
      assert.strictEqual(yield* approved(Toolset.call(tool, "t", { x: "1" })), 1)
      assert.deepStrictEqual(events, ["validate 1", "handle 1"])
    })
  )

  it.effect("may fail: with the toolset's own failure, or with a signal", () =>
    Effect.gen(function* () {
      const failing: Toolset.Toolset<"down"> = Toolset.tool("t", {
        requiresApproval: () => Effect.fail("down" as const),
        handler: () => Effect.void
      })
      assert.strictEqual(yield* Effect.flip(Toolset.call(failing, "t", {})), "down")
      const refused = new ToolFailed({ message: "Never." })
      const refusing: Toolset.Toolset = Toolset.tool("t", {
        requiresApproval: () => Effect.fail(refused),
        handler: () => Effect.void
      })
      assert.strictEqual(yield* Effect.flip(Toolset.call(refusing, "t", {})), refused)
    })
  )

  it.effect("shows the handler that the call is approved, and what came with the approval (P107)", () =>
    Effect.gen(function* () {
      const tool = Toolset.tool("t", {
        handler: () => Effect.map(ToolCall, ({ approved, metadata }) => ({ approved, metadata }))
      })
      assert.deepStrictEqual(yield* Toolset.call(tool, "t", {}), { approved: false, metadata: {} })
      assert.deepStrictEqual(
        yield* Toolset.call(tool, "t", {}).pipe(asCall({ approved: true, metadata: { by: "Ada" } })),
        {
          approved: true,
          metadata: { by: "Ada" }
        }
      )
    })
  )
})
