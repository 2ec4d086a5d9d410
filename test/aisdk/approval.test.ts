/** Tools of the AI SDK that somebody else has to do with: by a yes, or by running them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ApprovalRequired, CallDeferred, ModelRetry, Toolset } from "effect-toolset"
import * as z from "zod"
import { approvedCall } from "../interop/observing.ts"
import { first, retry } from "../toolset/asking.ts"
import { call, tools } from "./tools.ts"

describe("needsApproval", () => {
  it.effect("makes the tool one that waits for a yes", () =>
    Effect.gen(function* () {
      const toolset = tools({ execute: () => 1, needsApproval: true })
      assert.strictEqual((yield* first(toolset)).kind, "unapproved")
      assert.instanceOf(yield* Effect.flip(Toolset.call(toolset, "t", {})), ApprovalRequired)
      assert.strictEqual(yield* approvedCall(toolset, "t", {}), 1)
      assert.strictEqual((yield* first(tools({ execute: () => 1, needsApproval: false }))).kind, "function")
    })
  )

  for (const later of [false, true]) {
    it.effect(`may be a function of decoded arguments${later ? ", with a promise" : ""}`, () =>
      Effect.gen(function* () {
        const asked: Array<unknown> = []
        const toolset = tools(
          {
            inputSchema: z.object({ n: z.string().transform(Number) }),
            needsApproval: ({ n }: { n: number }, options: object) => {
              asked.push(options)
              return later ? Promise.resolve(n > 10) : n > 10
            },
            execute: ({ n }: { n: number }) => n
          },
          { toolsContext: { t: "ctx" } }
        )
        assert.strictEqual((yield* first(toolset)).kind, "function")
        assert.strictEqual(yield* Toolset.call(toolset, "t", { n: "10" }), 10)
        assert.instanceOf(yield* Effect.flip(Toolset.call(toolset, "t", { n: "11" })), ApprovalRequired)
        assert.strictEqual(yield* approvedCall(toolset, "t", { n: "11" }), 11)
        const about = { toolCallId: "direct", messages: [], context: "ctx" }
        assert.deepStrictEqual(asked, [about, about])
      })
    )
  }

  it.effect("that throws says neither yes nor no: nothing runs", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        call({
          execute: () => assert.fail("It runs."),
          needsApproval: () => Promise.reject(new Error("no policy"))
        })
      )
      assert.deepStrictEqual(error, new ModelRetry({ message: "no policy", reason: "body" }))
    })
  )
})

describe("a tool without execute", () => {
  const outputSchema = z.string()

  it.effect("runs elsewhere, once its arguments are good", () =>
    Effect.gen(function* () {
      const toolset = tools({ inputSchema: z.object({ q: z.string() }), outputSchema })
      assert.strictEqual((yield* first(toolset)).kind, "external")
      assert.instanceOf(yield* Effect.flip(Toolset.call(toolset, "t", { q: "x" })), CallDeferred)
      assert.strictEqual((yield* retry(Toolset.call(toolset, "t", {})))[0], "arguments")
    })
  )

  it.effect("may need a yes before", () =>
    Effect.gen(function* () {
      const toolset = tools({ outputSchema, needsApproval: true })
      assert.strictEqual((yield* first(toolset)).kind, "external")
      assert.instanceOf(yield* Effect.flip(Toolset.call(toolset, "t", {})), ApprovalRequired)
      assert.instanceOf(yield* Effect.flip(approvedCall(toolset, "t", {})), CallDeferred)
    })
  )
})
