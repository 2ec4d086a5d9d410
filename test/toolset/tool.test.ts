import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Effect, Schema, Scope } from "effect"
import { Tool } from "effect/ai"
import {
  ApprovalRequired,
  CallDeferred,
  ModelRetry,
  RunContext,
  ToolCall,
  ToolFailed,
  Toolset
} from "effect-toolset"
import { answering, defect, first, flaw, inRunOf, retry } from "./asking.ts"

const int = { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

describe("the definition of a tool", () => {
  it.effect("describes parameters and result by the schemas that decode and encode them (P3)", () =>
    Effect.gen(function* () {
      const description = "Add two numbers"
      const add = Toolset.tool("add", {
        parameters: Schema.Struct({ a: Schema.Int, b: Schema.Int }).annotate({ description }),
        success: Schema.Int,
        handler: ({ a, b }) => Effect.succeed(a + b)
      })
      const definition = yield* first(add)
      assert.strictEqual(definition.description, description)
      assert.deepStrictEqual(definition.parameters, {
        type: "object",
        properties: { a: int, b: int },
        required: ["a", "b"],
        additionalProperties: false,
        description
      })
      assert.deepStrictEqual(definition.returns, int)
    })
  )

  it.effect("has defaults for everything but its name and handler", () =>
    Effect.gen(function* () {
      const { annotations, ...rest } = yield* first(answering("plain"))
      assert.deepStrictEqual(rest, {
        name: "plain",
        description: undefined,
        parameters: { type: "object", properties: {}, additionalProperties: false },
        returns: undefined,
        kind: "function",
        sequential: false,
        maxRetries: undefined,
        metadata: {}
      })
      assert.strictEqual(annotations.mapUnsafe.size, 0)
    })
  )

  it.effect("says what the options say", () =>
    Effect.gen(function* () {
      const metadata = { team: "y" }
      const annotations = Context.make(Tool.Readonly, true)
      const { parameters: _, ...rest } = yield* first(
        Toolset.tool("full", {
          description: "Does it.",
          parameters: Schema.Struct({}).annotate({ description: "Not said." }),
          success: Schema.String,
          handler: () => Effect.succeed("x"),
          requiresApproval: true,
          maxRetries: 0,
          sequential: true,
          timeout: "1 second",
          metadata,
          annotations
        })
      )
      assert.deepStrictEqual(rest, {
        name: "full",
        description: "Does it.",
        returns: { type: "string" },
        kind: "unapproved",
        sequential: true,
        maxRetries: 0,
        metadata,
        annotations
      })
    })
  )

  it.effect("takes undefined for every option that may be left out", () =>
    Effect.gen(function* () {
      const none = Toolset.tool("plain", {
        description: undefined,
        parameters: undefined,
        success: undefined,
        handler: () => Effect.succeed("plain"),
        onError: undefined,
        validateArgs: undefined,
        requiresApproval: undefined,
        maxRetries: undefined,
        sequential: undefined,
        timeout: undefined,
        metadata: undefined,
        annotations: undefined
      })
      assert.deepStrictEqual(yield* Toolset.list(none), yield* Toolset.list(answering("plain")))
      assert.strictEqual(yield* Toolset.call(none, "plain", {}), "plain")
    })
  )

  it.effect("tells its parameters' description where it has none of its own", () =>
    Effect.gen(function* () {
      const parameters = Schema.Struct({ a: Schema.String }).annotate({ description: "Of the schema." })
      const described = (description: string | undefined) =>
        Effect.map(
          first(Toolset.tool("t", { description, parameters, handler: () => Effect.void })),
          (tool) => tool.description
        )
      assert.strictEqual(yield* described(undefined), "Of the schema.")
      assert.strictEqual(yield* described("Its own."), "Its own.")
      assert.strictEqual(yield* described(""), "")
    })
  )

  it.effect("keeps the description of a struct without fields", () =>
    Effect.gen(function* () {
      const parameters = Schema.Struct({}).annotate({ description: "Takes nothing." })
      const definition = yield* first(Toolset.tool("t", { parameters, handler: () => Effect.void }))
      assert.strictEqual(definition.description, "Takes nothing.")
      assert.deepStrictEqual(definition.parameters, {
        type: "object",
        properties: {},
        additionalProperties: false,
        description: "Takes nothing."
      })
    })
  )

  it.effect("is made once: the same object at every step and in every run", () =>
    Effect.gen(function* () {
      const tool = answering("t")
      assert.strictEqual(yield* first(tool), yield* first(tool))
    })
  )

  for (const maxRetries of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    it.effect(`cannot have ${maxRetries} retries (P66)`, () =>
      Effect.gen(function* () {
        const tool = Toolset.tool("t", { maxRetries, handler: () => Effect.void })
        assert.deepStrictEqual(yield* flaw(Toolset.list(tool)), {
          source: "tool(t)",
          problem: `The number of retries is ${maxRetries}.`,
          hint: "Give a whole number of at least 0."
        })
      })
    )
  }
})

describe("calling a tool", () => {
  it.effect("decodes the arguments, and encodes the result", () =>
    Effect.gen(function* () {
      const tomorrow = Toolset.tool("tomorrow", {
        parameters: Schema.Struct({ day: Schema.DateTimeUtcFromString }),
        success: Schema.Struct({ day: Schema.DateTimeUtcFromString }),
        handler: ({ day }) => Effect.succeed({ day: DateTime.add(day, { days: 1 }) })
      })
      assert.deepStrictEqual(yield* Toolset.call(tomorrow, "tomorrow", { day: "2024-02-28T00:00:00.000Z" }), {
        day: "2024-02-29T00:00:00.000Z"
      })
    })
  )

  it.effect("does not run the handler where the arguments do not decode (P51)", () =>
    Effect.gen(function* () {
      let calls = 0
      const tool = Toolset.tool("t", {
        parameters: Schema.Struct({ x: Schema.Int }),
        handler: () => Effect.sync(() => calls++)
      })
      assert.deepStrictEqual(yield* retry(Toolset.call(tool, "t", { x: "not an int" })), [
        "arguments",
        `Invalid arguments: Expected number\n  at ["x"]`
      ])
      assert.strictEqual(calls, 0)
    })
  )

  it.effect("gives the handler the run, the call and a scope of its own", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const tool = Toolset.tool("t", {
        handler: Effect.fnUntraced(function* () {
          const { step } = yield* RunContext
          const { name } = yield* ToolCall
          yield* Scope.addFinalizer(
            yield* Effect.scope,
            Effect.sync(() => events.push("closed"))
          )
          events.push(`${name} in step ${step}`)
        })
      })
      yield* Toolset.call(tool, "t", {}).pipe(inRunOf({ step: 7 }))
      assert.deepStrictEqual(events, ["t in step 7", "closed"])
    })
  )

  it.effect("fails with the handler's own failure", () =>
    Effect.gen(function* () {
      const tool: Toolset.Toolset<"broken"> = Toolset.tool("t", {
        handler: () => Effect.fail("broken" as const)
      })
      assert.strictEqual(yield* Effect.flip(Toolset.call(tool, "t", {})), "broken")
    })
  )

  it.effect("fails with the very signal that the handler gives", () =>
    Effect.gen(function* () {
      const signals = [
        new ModelRetry({ message: "Again." }),
        new ToolFailed({ message: "Disk full.", details: { free: 0 } }),
        new ApprovalRequired({ metadata: { risk: "high" } }),
        new CallDeferred({ metadata: { queue: "support" } })
      ]
      for (const signal of signals) {
        const tool: Toolset.Toolset = Toolset.tool("t", { handler: () => Effect.fail(signal) })
        assert.strictEqual(yield* Effect.flip(Toolset.call(tool, "t", {})), signal)
      }
    })
  )

  it.effect("dies of what the handler dies of, thrown or not", () =>
    Effect.gen(function* () {
      const thrown = (): never => {
        throw new TypeError("thrown")
      }
      const throwing = Toolset.tool("t", { handler: thrown })
      const dying = Toolset.tool("t", { handler: () => Effect.die(new TypeError("died")) })
      assert.strictEqual(yield* defect(Toolset.call(throwing, "t", {})), "TypeError: thrown")
      assert.strictEqual(yield* defect(Toolset.call(dying, "t", {})), "TypeError: died")
    })
  )

  it.effect("does not mistake a decoding error of the handler's for one of its arguments", () =>
    Effect.gen(function* () {
      const tool: Toolset.Toolset<Schema.SchemaError> = Toolset.tool("t", {
        handler: () => Schema.decodeUnknownEffect(Schema.Struct({ rows: Schema.Int }))({ rows: "three" })
      })
      const error = yield* Effect.flip(Toolset.call(tool, "t", {}))
      assert.strictEqual(error._tag, "SchemaError")
    })
  )
})
