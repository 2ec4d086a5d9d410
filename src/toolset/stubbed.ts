import { Effect } from "effect"
import { dual } from "effect/Function"
import { ToolCall } from "../ToolCall.ts"
import { ToolResultError, ToolsetDefinitionError } from "../ToolsetError.ts"
import { nameConflict } from "./collect.ts"
import { answered, whileCalling } from "./environment.ts"
import { whenApproved } from "./gate.ts"
import { problemWith } from "./jsonArguments.ts"
import { memoized } from "./memoized.ts"
import type { Any, Args, CallServices, CallSignals, Tool, Toolset } from "./model.ts"
import { anyResult } from "./result.ts"
import { mapTools } from "./transform.ts"

// A method, whose parameter may be narrower: a stub may say itself what the schema of its tool decodes to.
/** What runs in the place of a tool, given its decoded arguments: gives a value, a `ToolReturn` or an Effect of one. */
export type Stub = { stub(args: Args): unknown }["stub"]

/** For each tool a stub. */
export type Stubs = Readonly<Record<string, Stub>>

type StubError<H extends Stubs> = ErrorOf<ReturnType<H[keyof H]>>
type ErrorOf<A> = A extends Effect.Effect<infer _A, infer E, infer _R> ? Exclude<E, CallSignals> : never

type StubServices<H extends Stubs> = ServicesOf<ReturnType<H[keyof H]>>
type ServicesOf<A> = A extends Effect.Effect<infer _A, infer _E, infer R> ? Exclude<R, CallServices> : never

/**
 * Keeps every definition and schema, and replaces what the named tools run: for tests of whatever uses a toolset.
 *
 * Arguments are decoded and validated as ever, results are checked against the schema of the result. What is inside is
 * replaced as a whole, wrappers and gates too; a tool of kind `unapproved` still asks. Tools without a stub stay as they
 * are, and so `E` and `R` do. A stub for a tool that is not there is a `ToolsetDefinitionError` where the tools are the
 * same at every step. `stubbed({})` is the identity.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const weather = Toolset.tool("temperature", {
 *   parameters: Schema.Struct({ city: Schema.String }),
 *   success: Schema.Finite,
 *   handler: () => Effect.die("the network")
 * })
 * const stub = weather.pipe(Toolset.stubbed({ temperature: () => 21 }))
 * console.log(Effect.runSync(Toolset.call(stub, "temperature", { city: "Oslo" })))
 * //> 21
 * const stale = weather.pipe(Toolset.stubbed({ temperature: () => "warm" }))
 * console.log(Effect.runSync(Effect.flip(Toolset.call(stale, "temperature", { city: "Oslo" })))._tag)
 * //> ToolResultError
 * ```
 */
export const stubbed: {
  <const H extends Stubs>(
    handlers: H
  ): <E, R>(self: Toolset<E, R>) => Toolset<E | StubError<H>, R | StubServices<H>>
  <E, R, const H extends Stubs>(
    self: Toolset<E, R>,
    handlers: H
  ): Toolset<E | StubError<H>, R | StubServices<H>>
} = dual(
  2,
  <E, R, const H extends Stubs>(
    self: Toolset<E, R>,
    handlers: H
  ): Toolset<E | StubError<H>, R | StubServices<H>> => {
    const stubs = new Map(Object.entries(handlers))
    const replaced = memoized((tool: Tool<E>): Tool<E | StubError<H>> => {
      const stub = stubs.get(tool.definition.name)
      return stub === undefined ? tool : { ...tool, call: running<E | StubError<H>>(tool, stub) }
    })
    return mapTools<E, R, E | StubError<H>>(self, "stubbed", (tools, fixed) => {
      const problem = nameConflict(tools) ?? (fixed ? unknownStub(self, stubs, tools) : undefined)
      return problem === undefined ? Effect.succeed(tools.map(replaced)) : Effect.fail(problem)
    })
  }
)

const running = <E>({ definition }: Tool<unknown>, stub: Stub): Tool<E>["call"] => {
  const { kind, returns } = definition
  const call: Tool<E>["call"] = (args) =>
    // What the stub fails with and needs is in the types of `stubbed`.
    whileCalling(
      Effect.gen(function* () {
        const result = yield* anyResult.encode(yield* answered<unknown, E>(stub(args.value) as any))
        if (returns === undefined) return result
        const problem = yield* problemWith(result.value, returns)
        if (problem === undefined) return result
        return yield* new ToolResultError({
          toolName: (yield* ToolCall).exposedName,
          path: [],
          problem: `Its stub is stale. ${problem}`
        })
      })
    ) as ReturnType<Tool<E>["call"]>
  return kind === "unapproved" ? whenApproved(call) : call
}

const unknownStub = (
  self: Any,
  stubs: ReadonlyMap<string, unknown>,
  tools: ReadonlyArray<Tool<unknown>>
): ToolsetDefinitionError | undefined => {
  const names = tools.map((tool) => tool.definition.name)
  const unknown = Array.from(stubs.keys()).filter((name) => !names.includes(name))
  return unknown.length === 0
    ? undefined
    : new ToolsetDefinitionError({
        source: `stubbed(${self.label})`,
        problem: `There is no tool ${unknown.map((name) => `'${name}'`).join(", ")} to stub.`,
        hint:
          names.length === 0
            ? "There are none."
            : `There are: ${names.map((name) => `'${name}'`).join(", ")}.`
      })
}
