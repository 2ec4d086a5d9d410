import type { Context, Effect, JsonSchema, Layer, Schema } from "effect"
import type { AiError, Prompt } from "effect/ai"
import * as library from "effect-toolset"
import {
  Agent,
  ApprovalRequired,
  CallDeferred,
  type JsonSchemaValidator,
  ModelRetry,
  RunContext,
  ToolCall,
  type ToolDefinition,
  ToolFailed,
  ToolNameConflict,
  ToolNotFound,
  ToolResultError,
  type ToolSignal,
  Toolset,
  ToolsetDefinitionError,
  type ToolsetError,
  type Usage
} from "effect-toolset"
import type * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import type * as testing from "effect-toolset/testing"
import { describe, expectTypeOf, it } from "vitest"
import type { Tools } from "./fixtures.ts"

type IsAny<T> = 0 extends 1 & T ? true : false

/** Whether a type is `any`, or one that it gives, takes, fails with or needs is. */
type HasAny<T, Depth extends ReadonlyArray<unknown> = [1, 2, 3, 4]> =
  IsAny<T> extends true
    ? true
    : Depth extends readonly [unknown, ...infer Less]
      ? T extends Toolset.Toolset<infer E, infer R>
        ? HasAny<E, Less> | HasAny<R, Less>
        : T extends Agent.Agent<infer A, infer E, infer R>
          ? HasAny<A, Less> | HasAny<E, Less> | HasAny<R, Less>
          : T extends Effect.Effect<infer A, infer E, infer R>
            ? HasAny<A, Less> | HasAny<E, Less> | HasAny<R, Less>
            : T extends Layer.Layer<infer A, infer E, infer R>
              ? HasAny<A, Less> | HasAny<E, Less> | HasAny<R, Less>
              : T extends ReadonlyArray<infer A>
                ? HasAny<A, Less>
                : T extends (...args: infer Args) => infer A
                  ? HasAny<Args[number], Less> | HasAny<A, Less>
                  : T extends abstract new (...args: never) => infer A
                    ? HasAnyFields<A, Less>
                    : string extends keyof T
                      ? HasAny<T[keyof T], Less>
                      : never
      : never

type HasAnyFields<T, Depth extends ReadonlyArray<unknown> = [1, 2, 3, 4]> = {
  [K in keyof T]-?: K extends "pipe" ? never : HasAny<T[K], Depth>
}[keyof T]

/** The members of a namespace in which `any` shows. */
type Leaking<Module> = { [K in keyof Module]-?: true extends HasAny<Module[K]> ? K : never }[keyof Module]

describe("no `any`", () => {
  it("is found where there is one", () => {
    expectTypeOf<
      Leaking<{
        a: (x: any) => void
        b: () => Effect.Effect<number, any>
        c: (x: string) => (y: number) => ReadonlyArray<any>
        d: Toolset.Toolset<never, any>
        e: (x: string) => (y: number) => string
        f: new () => { x: any }
        g: Readonly<Record<string, any>>
      }>
    >().toEqualTypeOf<"a" | "b" | "c" | "d" | "f" | "g">()
  })

  it("is in what the library exports", () => {
    expectTypeOf<Leaking<typeof library>>().toEqualTypeOf<never>()
    // The constraint of its type parameter is effect/ai's; what it gives is checked in toolkit.test-d.ts.
    expectTypeOf<Leaking<typeof Toolset>>().toEqualTypeOf<"fromToolkit">()
    expectTypeOf<Leaking<typeof Agent>>().toEqualTypeOf<never>()
    expectTypeOf<Leaking<typeof JsonSchemaValidator>>().toEqualTypeOf<never>()
    expectTypeOf<Leaking<typeof HttpApiToolset>>().toEqualTypeOf<never>()
    expectTypeOf<Leaking<typeof testing>>().toEqualTypeOf<never>()
    expectTypeOf<Leaking<typeof testing.TestModel>>().toEqualTypeOf<never>()
    expectTypeOf<Leaking<typeof testing.ScriptedModel>>().toEqualTypeOf<never>()
  })

  it("is in what a toolset, a session, a tool, a run or a call has", () => {
    expectTypeOf<HasAnyFields<Tools>>().toEqualTypeOf<never>()
    expectTypeOf<HasAnyFields<Toolset.Session<"e">>>().toEqualTypeOf<never>()
    expectTypeOf<HasAnyFields<Toolset.Tool<"e">>>().toEqualTypeOf<never>()
    expectTypeOf<HasAnyFields<ToolDefinition>>().toEqualTypeOf<never>()
    expectTypeOf<HasAnyFields<Agent.Result<string>>>().toEqualTypeOf<never>()
    expectTypeOf<HasAnyFields<RunContext["Service"]>>().toEqualTypeOf<never>()
    expectTypeOf<HasAnyFields<ToolCall["Service"]>>().toEqualTypeOf<never>()
  })
})

describe("signals", () => {
  it("are four failures that carry data", () => {
    expectTypeOf<ToolSignal>().toEqualTypeOf<ModelRetry | ToolFailed | ApprovalRequired | CallDeferred>()
    expectTypeOf<ToolSignal["_tag"]>().toEqualTypeOf<
      "ModelRetry" | "ToolFailed" | "ApprovalRequired" | "CallDeferred"
    >()
    expectTypeOf<ModelRetry["reason"]>().toEqualTypeOf<
      "body" | "arguments" | "timeout" | "unknown-tool" | undefined
    >()
    expectTypeOf<ToolFailed["details"]>().toEqualTypeOf<Schema.Json | undefined>()
    expectTypeOf<ApprovalRequired["metadata"]>().toEqualTypeOf<
      { readonly [key: string]: Schema.Json } | undefined
    >()
    expectTypeOf<CallDeferred["metadata"]>().toEqualTypeOf<ApprovalRequired["metadata"]>()
  })

  it("need a message where the model reads one", () => {
    // @ts-expect-error what should the model mend?
    expectTypeOf(new ModelRetry()).toEqualTypeOf<ModelRetry>()
    // @ts-expect-error what went wrong?
    expectTypeOf(new ToolFailed({ details: 1 })).toEqualTypeOf<ToolFailed>()
    expectTypeOf(new ApprovalRequired()).toEqualTypeOf<ApprovalRequired>()
    expectTypeOf(new CallDeferred({ metadata: undefined })).toEqualTypeOf<CallDeferred>()
    // @ts-expect-error a reason is one of four
    expectTypeOf(new ModelRetry({ message: "x", reason: "mood" })).toEqualTypeOf<ModelRetry>()
  })

  it("are what dispatch catches, with results that cannot be sent", () => {
    expectTypeOf<Toolset.CallSignals>().toEqualTypeOf<ToolSignal | ToolResultError>()
  })
})

describe("errors", () => {
  it("carry data", () => {
    expectTypeOf<ToolsetError>().toEqualTypeOf<ToolNameConflict | ToolsetDefinitionError>()
    expectTypeOf<ToolNameConflict["sources"]>().toEqualTypeOf<ReadonlyArray<string>>()
    expectTypeOf<ToolNotFound["availableTools"]>().toEqualTypeOf<ReadonlyArray<string>>()
    expectTypeOf<ToolResultError["path"]>().toEqualTypeOf<ReadonlyArray<string | number>>()
    expectTypeOf<ToolsetDefinitionError["hint"]>().toEqualTypeOf<string>()
    expectTypeOf<library.ToolRetriesExceeded["maxRetries"]>().toEqualTypeOf<number>()
    expectTypeOf<library.DeferralNotAllowed["toolNames"]>().toEqualTypeOf<ReadonlyArray<string>>()
  })

  it("are those that any run may fail with", () => {
    expectTypeOf<Agent.AgentError>().toExtend<{ readonly _tag: string }>()
    expectTypeOf<AiError.AiError | ToolsetError | ToolResultError>().toExtend<Agent.AgentError>()
    expectTypeOf<ToolSignal | ToolNotFound>().not.toExtend<Agent.AgentError>()
  })
})

describe("RunContext and ToolCall", () => {
  it("say what is known of a run and of a call", () => {
    expectTypeOf<Toolset.Run>().toEqualTypeOf<RunContext["Service"]>()
    expectTypeOf<RunContext["Service"]>().toEqualTypeOf<{
      readonly runId: string
      readonly step: number
      readonly messages: Prompt.Prompt
      readonly usage: Usage
      readonly retries: ReadonlyMap<string, number>
    }>()
    expectTypeOf<ToolCall["Service"]["metadata"]>().toEqualTypeOf<Readonly<Record<string, Schema.Json>>>()
    expectTypeOf<ToolCall["Service"]["progress"]>().toEqualTypeOf<(value: unknown) => Effect.Effect<void>>()
    expectTypeOf<RunContext>().not.toExtend<ToolCall>()
  })
})

describe("ToolDefinition", () => {
  it("takes undefined where there may be nothing", () => {
    const maybe = undefined as string | undefined
    const given = undefined as unknown as ToolDefinition
    const definition: ToolDefinition = {
      ...given,
      description: maybe,
      maxRetries: undefined,
      returns: undefined
    }
    expectTypeOf(definition.kind).toEqualTypeOf<"function" | "external" | "unapproved" | "output">()
    expectTypeOf(definition.parameters).toEqualTypeOf<JsonSchema.JsonSchema>()
    expectTypeOf(definition.annotations).toEqualTypeOf<Context.Context<never>>()
    // @ts-expect-error it is immutable
    definition.name = "x"
  })
})
