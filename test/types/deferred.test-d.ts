import { Effect, type Option, Schema } from "effect"
import type { Prompt } from "effect/ai"
import {
  type Answers,
  type Approval,
  DeferredCall,
  DeferredToolRequests,
  DeferredToolResults,
  ModelRetry,
  ToolFailed,
  ToolReturn
} from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"

declare const requests: DeferredToolRequests

describe("DeferredToolRequests", () => {
  it("are calls that wait, as data", () => {
    expectTypeOf(requests.calls).toEqualTypeOf<ReadonlyArray<DeferredCall>>()
    expectTypeOf(requests.approvals).toEqualTypeOf<ReadonlyArray<DeferredCall>>()
    expectTypeOf<DeferredCall["toolCallId"]>().toEqualTypeOf<string>()
    expectTypeOf<DeferredCall["args"]>().toEqualTypeOf<Schema.Json>()
    expectTypeOf<DeferredCall["rawArgs"]>().toEqualTypeOf<Schema.Json>()
    expectTypeOf<DeferredCall["source"]>().toEqualTypeOf<ReadonlyArray<string>>()
    expectTypeOf<DeferredCall["metadata"]>().toEqualTypeOf<{ readonly [key: string]: Schema.Json }>()
    // @ts-expect-error they are immutable
    requests.calls = []
  })

  it("go through JSON, as results do, and need nothing for it", () => {
    expectTypeOf(Schema.encodeEffect(DeferredToolRequests)(requests)).toEqualTypeOf<
      Effect.Effect<typeof DeferredToolRequests.Encoded, Schema.SchemaError>
    >()
    expectTypeOf(Schema.decodeUnknownEffect(DeferredToolRequests)({})).toEqualTypeOf<
      Effect.Effect<DeferredToolRequests, Schema.SchemaError>
    >()
    expectTypeOf(Schema.decodeUnknownEffect(DeferredToolResults)({})).toEqualTypeOf<
      Effect.Effect<DeferredToolResults, Schema.SchemaError>
    >()
    expectTypeOf<typeof DeferredCall.Encoded>().toExtend<Schema.Json>()
    expectTypeOf<(typeof DeferredToolRequests.Encoded)["suspended"][number]["history"]>().toEqualTypeOf<
      typeof Prompt.Prompt.Encoded
    >()
  })
})

describe("DeferredToolResults", () => {
  it("are made of what somebody said", () => {
    const results = DeferredToolResults.from(requests, {
      approvals: { a: true, b: false, c: { deny: "no" }, d: { approve: { city: "b" } } },
      calls: {
        e: 1,
        f: new ToolReturn({ value: 1, content: [] }),
        g: new ModelRetry({ message: "again" }),
        h: new ToolFailed({ message: "no" }),
        i: undefined
      },
      metadata: { a: { by: "somebody" } },
      approveAll: true
    })
    expectTypeOf(results).toEqualTypeOf<DeferredToolResults>()
    expectTypeOf(DeferredToolResults.remaining(requests, results)).toEqualTypeOf<
      Option.Option<DeferredToolRequests>
    >()
  })

  it("take undefined for what is not said", () => {
    const answers: Answers = {
      approvals: undefined,
      calls: undefined,
      metadata: undefined,
      approveAll: undefined
    }
    expectTypeOf(DeferredToolResults.from(requests, answers)).toEqualTypeOf<DeferredToolResults>()
    expectTypeOf(DeferredToolResults.from(requests, {})).toEqualTypeOf<DeferredToolResults>()
  })

  it("are approvals of a few forms, and metadata that is JSON", () => {
    expectTypeOf<Approval>().toEqualTypeOf<
      boolean | { readonly approve: unknown } | { readonly deny: string }
    >()
    // @ts-expect-error a text is no approval
    DeferredToolResults.from(requests, { approvals: { a: "yes" } })
    // @ts-expect-error a denial has a reason
    DeferredToolResults.from(requests, { approvals: { a: { deny: true } } })
    // @ts-expect-error a function is no JSON
    DeferredToolResults.from(requests, { metadata: { a: { by: () => "x" } } })
    // @ts-expect-error there is no such answer
    DeferredToolResults.from(requests, { denyAll: true })
  })
})
