/** What the tests of operators ask of toolsets. */
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import { RunContext, ToolCall, ToolFailed, Toolset, ToolsetDefinitionError } from "effect-toolset"
import { outsideOfRuns } from "../../src/RunContext.ts"

export class Broken extends Schema.TaggedError<Broken>()("Broken", { who: Schema.String }) {
  override get message(): string {
    return `${this.who} is broken`
  }
}

export const readOnly = Context.make(AiTool.Readonly, true)

/** A tool without parameters, and what it answers: its own name, where nothing else is given. */
export const answering = (name: string, answer: unknown = name) =>
  Toolset.tool(name, { handler: () => Effect.succeed(answer) })

/** A tool that counts its calls from 1, and what it does at each. */
export const counting = <A = number, E = never>(
  name: string,
  does: (count: number) => Effect.Effect<A, E> = (count) => Effect.succeed(count as A)
) => {
  const calls: Array<unknown> = []
  const tool = Toolset.tool(name, {
    parameters: Schema.Struct({ n: Schema.optionalKey(Schema.Int), s: Schema.optionalKey(Schema.String) }),
    handler: (args) => Effect.suspend(() => does(calls.push(args)))
  })
  return { tool, calls }
}

/** Every kind of source gives the same tool. */
export const sources: Readonly<Record<string, (self: Toolset.Toolset<Broken>) => Toolset.Toolset<Broken>>> = {
  "a function": (self) => self,
  "a connection": (self) => Toolset.unwrap(Effect.succeed(self)),
  "a choice": (self) => Toolset.dynamic(Effect.succeed(self)),
  "a combination": (self) => Toolset.combined(Toolset.empty, self),
  "a wrapper": (self) =>
    self.pipe(
      Toolset.wrapper((call, next) => next(call)),
      Toolset.prefixed("")
    )
}

export const names = <E, R>(self: Toolset.Toolset<E, R>) =>
  Effect.map(Toolset.list(self), (tools) => tools.map((tool) => tool.name))

export const runOf = (fields: Partial<Toolset.Run> = {}): Toolset.Run => ({ ...outsideOfRuns(), ...fields })

export const inRunOf = (fields: Partial<Toolset.Run>) => Effect.provideService(RunContext, runOf(fields))

export const approved = Effect.provideService(ToolCall, {
  id: "call-1",
  name: "given",
  exposedName: "given",
  attempt: 0,
  maxRetries: 1,
  lastAttempt: false,
  approved: true,
  metadata: {},
  progress: () => Effect.void
})

/** What a definition error says. */
export const flaw = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => {
    assert.instanceOf(error, ToolsetDefinitionError)
    return [error.source, error.problem]
  })

/** The tag of a failure. */
export const tag = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) =>
    typeof error === "object" && error !== null && "_tag" in error ? error._tag : error
  )

/** What the model is told where a call failed. */
export const failed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => {
    assert.instanceOf(error, ToolFailed)
    return error.message
  })

/** The lines of a log, by level. */
export const logging = () => {
  const lines: Array<string> = []
  const layer = Logger.layer([
    Logger.make(({ logLevel, message }) => void lines.push(`${logLevel}: ${String(message)}`))
  ])
  return { lines, layer: layer satisfies Layer.Layer<never> }
}
