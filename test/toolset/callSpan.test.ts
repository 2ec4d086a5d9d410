import { assert, describe, it } from "@effect/vitest"
import { Effect, type Tracer } from "effect"
import { RunContext, ToolFailed, Toolset } from "effect-toolset"
import { collect } from "../../src/toolset/collect.ts"
import { admit, type Circumstances, circumstances } from "../../src/toolset/dispatch.ts"
import { opened } from "../../src/toolset/opening.ts"
import { answering, runOf } from "./asking.ts"

/** The span that the inside of one call runs in. */
const span = (self: Toolset.Toolset, args: unknown, given: Partial<Circumstances> = {}) =>
  Effect.gen(function* () {
    const spans: Array<Tracer.Span> = []
    const watched = self.pipe(
      Toolset.wrapper((call, next) =>
        Effect.andThen(
          Effect.tap(Effect.orDie(Effect.currentSpan), (span) => Effect.sync(() => spans.push(span))),
          next(call)
        )
      ),
      Toolset.prefixed("x")
    )
    const run = runOf()
    const offer = yield* collect(yield* opened(watched), run).pipe(Effect.provideService(RunContext, run))
    const call = { id: "call-1", name: "x_t", args }
    const { perform } = yield* admit(offer, call, { ...circumstances, ...given }).pipe(
      Effect.provideService(RunContext, run)
    )
    yield* perform.pipe(Effect.provideService(RunContext, run), Effect.withSpan("outside"))
    return spans[0]!
  })

const failing = Toolset.tool("t", { handler: () => Effect.fail(new ToolFailed({ message: "No." })) })

describe("the span of a call", () => {
  it.effect("is named after the tool as it is called, and says which call it was", () =>
    Effect.gen(function* () {
      const { attributes, name, parent } = yield* span(answering("t"), {})
      assert.strictEqual(name, "execute_tool x_t")
      assert.strictEqual(
        parent._tag === "Some" && parent.value._tag === "Span" && parent.value.name,
        "outside"
      )
      assert.deepStrictEqual(Object.fromEntries(attributes), {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "x_t",
        "gen_ai.tool.call.id": "call-1",
        "effect_toolset.outcome": "Returned"
      })
    })
  )

  it.effect("says how the call ended", () =>
    Effect.gen(function* () {
      const ended = (self: Toolset.Toolset) =>
        Effect.map(span(self, {}), ({ attributes }) => attributes.get("effect_toolset.outcome"))
      assert.strictEqual(yield* ended(failing), "ToolFailed")
      assert.strictEqual(yield* ended(answering("t").pipe(Toolset.approvalRequired())), "ApprovalRequired")
      assert.strictEqual(yield* ended(Toolset.external([{ name: "t" }])), "CallDeferred")
    })
  )

  it.effect("says arguments and results where it is told to, and nowhere else", () =>
    Effect.gen(function* () {
      const values = (
        given: Partial<Circumstances>,
        self: Toolset.Toolset = answering("t", "secret result")
      ) =>
        Effect.map(span(self, {}, given), ({ attributes }) => [
          attributes.get("gen_ai.tool.call.arguments"),
          attributes.get("gen_ai.tool.call.result")
        ])
      assert.deepStrictEqual(yield* values({}), [undefined, undefined])
      assert.deepStrictEqual(yield* values({ traceValues: false }), [undefined, undefined])
      assert.deepStrictEqual(yield* values({ traceValues: true }), [{}, "secret result"])
      assert.deepStrictEqual(yield* values({ traceValues: true }, failing), [{}, undefined])
    })
  )
})
