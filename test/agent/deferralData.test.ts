/** Requests and results are data: what can be made of them without a run. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { Prompt } from "effect/ai"
import {
  type Answers,
  DeferredCall,
  DeferredToolRequests,
  DeferredToolResults,
  ModelRetry,
  ToolFailed,
  ToolReturn
} from "effect-toolset"
import { sent, sentRequests, sentResults } from "./deferring.ts"

const call = (toolCallId: string) =>
  new DeferredCall({
    toolCallId,
    place: 0,
    toolName: `tool of ${toolCallId}`,
    args: { at: [1, null, "x"] },
    rawArgs: '{"at":[1,null,"x"]}',
    source: ["a", toolCallId],
    digest: "0",
    metadata: { why: { deep: [true] } }
  })

const requests = new DeferredToolRequests({
  calls: [call("c1"), call("c2")],
  approvals: [call("a1"), call("a2")],
  suspended: []
})

const said = (answers: Answers) =>
  Object.fromEntries(
    DeferredToolResults.from(requests, answers).answers.map(({ answer, toolCallId }) => [toolCallId, answer])
  )

describe("DeferredToolResults.from", () => {
  it("approves all that nothing else is said about (P129)", () => {
    assert.deepStrictEqual(said({ approveAll: true, approvals: { a1: false } }), {
      a1: { _tag: "Denied", reason: "The tool call was denied." },
      a2: { _tag: "Approved", metadata: {} }
    })
    assert.deepStrictEqual(said({ approveAll: false }), {})
    assert.deepStrictEqual(said({ approveAll: true, metadata: { a2: { by: "Ada" } } }), {
      a1: { _tag: "Approved", metadata: {} },
      a2: { _tag: "Approved", metadata: { by: "Ada" } }
    })
  })

  it("takes every kind of answer", () => {
    const part = Prompt.textPart({ text: "Look." })
    assert.deepStrictEqual(
      said({
        approvals: { a1: { approve: { x: undefined, y: 1 } }, a2: { deny: "No." } },
        calls: {
          c1: new ToolFailed({ message: "No.", details: [1] }),
          c2: new ModelRetry({ message: "Again." })
        },
        metadata: { a1: { by: "Ada" } }
      }),
      {
        a1: { _tag: "Approved", args: { y: 1 }, metadata: { by: "Ada" } },
        a2: { _tag: "Denied", reason: "No." },
        c1: { _tag: "Failed", message: "No.", details: [1] },
        c2: { _tag: "Retry", message: "Again." }
      }
    )
    assert.deepStrictEqual(
      said({
        calls: {
          c1: new ToolReturn({ value: 1, content: [part], metadata: { m: 1 }, modelOutput: [part] }),
          c2: new Date(0)
        }
      }),
      {
        c1: { _tag: "Returned", value: 1, content: [part], metadata: { m: 1 }, modelOutput: [part] },
        c2: { _tag: "Returned", value: "1970-01-01T00:00:00.000Z", content: [], metadata: {} }
      }
    )
  })

  it("never fails, whatever it is given (P128)", () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const anything = [
      undefined,
      null,
      1,
      "x",
      [],
      {},
      () => 1,
      Symbol("s"),
      1n,
      circular,
      new Map(),
      Number.NaN
    ]
    const strange = [
      ...anything,
      { deny: 1 },
      { approve: circular },
      { deny: undefined },
      { approve: () => 1 }
    ]
    for (const thing of strange) {
      const answers = {
        approvals: { a1: thing, nobody: thing, c1: true },
        calls: { c2: thing, a2: new ToolReturn({ value: thing, metadata: { thing } }) },
        metadata: { a1: thing }
      } as unknown as Answers
      assert.lengthOf(DeferredToolResults.from(requests, answers).answers, 5)
    }
  })

  it("is not confused by ids that all objects have a field of", () => {
    const ids = ["toString", "constructor", "__proto__", "hasOwnProperty"]
    const odd = new DeferredToolRequests({ calls: [], approvals: ids.map(call), suspended: [] })
    const { answers } = DeferredToolResults.from(odd, { approveAll: true, metadata: {} })
    assert.deepStrictEqual(
      answers.map((one) => one.toolCallId),
      ids
    )
    for (const { answer } of answers) assert.deepStrictEqual(answer, { _tag: "Approved", metadata: {} })
  })

  it("keeps what was answered, so that a run can tell", () => {
    const { answers } = DeferredToolResults.from(requests, {
      approvals: { a1: true, c1: true },
      calls: { c2: 1, nobody: 1 }
    })
    assert.deepStrictEqual(
      answers.map(({ asked, given, request, toolCallId }) => [toolCallId, request?.toolName, asked, given]),
      [
        ["a1", "tool of a1", "approval", "approval"],
        ["c1", "tool of c1", "call", "approval"],
        ["c2", "tool of c2", "call", "call"],
        ["nobody", undefined, null, "call"]
      ]
    )
  })
})

describe("DeferredToolResults.remaining", () => {
  const left = (answers: Answers) =>
    Option.map(
      DeferredToolResults.remaining(requests, DeferredToolResults.from(requests, answers)),
      ({ approvals, calls }) => [...calls, ...approvals].map((call) => call.toolCallId)
    )

  it("is what has no answer, and nothing where all has one (P130)", () => {
    assert.deepStrictEqual(left({}), Option.some(["c1", "c2", "a1", "a2"]))
    assert.deepStrictEqual(left({ approvals: { a1: false }, calls: { c2: 1 } }), Option.some(["c1", "a2"]))
    assert.deepStrictEqual(left({ approveAll: true, calls: { c1: undefined, c2: 1 } }), Option.none())
    assert.deepStrictEqual(left({ approveAll: true }), Option.some(["c1", "c2"]))
  })

  it("keeps the requests as they are, with their metadata", () => {
    const some = DeferredToolResults.from(requests, { approveAll: true, calls: { c1: 1 } })
    assert.deepStrictEqual(
      DeferredToolResults.remaining(requests, some),
      Option.some(new DeferredToolRequests({ calls: [requests.calls[1]!], approvals: [], suspended: [] }))
    )
  })
})

describe("as JSON", () => {
  it.effect("requests are the same on the other side (P135)", () =>
    Effect.gen(function* () {
      const there = yield* sentRequests(requests)
      assert(there instanceof DeferredToolRequests)
      assert.deepStrictEqual(there, requests)
    })
  )

  it.effect("results are the same on the other side, of every kind (P135)", () =>
    Effect.gen(function* () {
      const file = (data: string | URL | Uint8Array) => Prompt.filePart({ data, mediaType: "image/png" })
      const values: ReadonlyArray<unknown> = [
        { a: [1, null, "x", { _tag: "Retry", message: "data" }] },
        null,
        new ModelRetry({ message: "Again." }),
        new ToolFailed({ message: "No." }),
        new ToolFailed({ message: "No.", details: { status: 404 } }),
        new ToolReturn({ value: [] }),
        new ToolReturn({
          value: 1,
          content: [
            Prompt.textPart({ text: "Look." }),
            file("aGk="),
            file(new URL("https://example.com/a.png")),
            file(new Uint8Array([1, 2, 255]))
          ],
          metadata: { m: [1] },
          modelOutput: [file(new Uint8Array([7]))]
        }),
        new Map()
      ]
      for (const value of values) {
        for (const a1 of [true, false, { approve: { x: [1] } }, { deny: "No." }]) {
          const results = DeferredToolResults.from(requests, {
            approvals: { a1 },
            calls: { c1: value },
            metadata: { a1: { by: "Ada" } }
          })
          const there = yield* sentResults(results)
          assert(there instanceof DeferredToolResults)
          assert.deepStrictEqual(there, results)
        }
      }
    })
  )

  it.effect("either may be part of something else", () =>
    Effect.gen(function* () {
      const Answer = Schema.Union([DeferredToolRequests, Schema.String])
      for (const answer of [requests, "text"]) assert.deepStrictEqual(yield* sent(Answer)(answer), answer)
    })
  )

  it("tells what is not what it should be", () => {
    const decode = Schema.decodeUnknownExit(DeferredToolResults)
    assert.strictEqual(decode({ answers: [{ toolCallId: 1 }], suspended: [] })._tag, "Failure")
    assert.strictEqual(decode({ answers: [] })._tag, "Failure")
  })
})
