/** What the tests here ask of toolsets, and what they expect of errors. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import {
  ModelRetry,
  RunContext,
  ToolCall,
  ToolNameConflict,
  Toolset,
  ToolsetDefinitionError
} from "effect-toolset"
import { outsideOfRuns } from "../../src/RunContext.ts"

/** A tool without parameters, and what it answers: its own name, where nothing else is given. */
export const answering = (name: string, answer: unknown = name) =>
  Toolset.tool(name, { handler: () => Effect.succeed(answer) })

/** One tool of each name. */
export const tools = (...names: ReadonlyArray<string>): Toolset.Toolset =>
  Toolset.combined(...names.map((name) => answering(name)))

/** The same tools, in a list that can be another at each step. */
export const changeable = Toolset.filtered(() => true)

export const names = <E, R>(self: Toolset.Toolset<E, R>) =>
  Effect.map(Toolset.list(self), (tools) => tools.map((tool) => tool.name))

/** The first definition. */
export const first = <E, R>(self: Toolset.Toolset<E, R>) => Effect.map(Toolset.list(self), ([tool]) => tool!)

export const runOf = (fields: Partial<Toolset.Run> = {}): Toolset.Run => ({ ...outsideOfRuns(), ...fields })

export const inRunOf = (fields: Partial<Toolset.Run>) => Effect.provideService(RunContext, runOf(fields))

/** As a test provides a call. */
export const asCall = (fields: Partial<ToolCall["Service"]>) =>
  Effect.provideService(ToolCall, {
    id: "call-1",
    name: "given",
    exposedName: "given",
    attempt: 0,
    maxRetries: 1,
    lastAttempt: false,
    approved: false,
    metadata: {},
    progress: () => Effect.void,
    ...fields
  })

export const approved = asCall({ approved: true })

/** The fields of a definition error; its message says them all. */
export const flaw = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => {
    assert.instanceOf(error, ToolsetDefinitionError)
    const { hint, message, problem, source } = error
    assert.strictEqual(message, `${source}: ${problem} ${hint}`)
    return { source, problem, hint }
  })

/** The fields of a conflict; its message names the tool, both sources, and the ways out. */
export const conflict = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => {
    assert.instanceOf(error, ToolNameConflict)
    const { message, sources, toolName } = error
    assert.include(message, `'${toolName}'`)
    for (const part of [...sources, "prefixed", "renamed", "filtered"]) assert.include(message, part)
    return { toolName, sources }
  })

/** What a retry says, and who asked for it. */
export const retry = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => {
    assert.instanceOf(error, ModelRetry)
    return [error.reason, error.message]
  })

/** The tag of a failure. */
export const tag = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) =>
    typeof error === "object" && error !== null && "_tag" in error ? error._tag : error
  )

/** What a defect says; nothing else may have happened. */
export const defect = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => {
    if (exit._tag === "Success") return assert.fail("It succeeded.")
    assert.deepStrictEqual(
      exit.cause.reasons.map((reason) => reason._tag),
      ["Die"]
    )
    return exit.cause.reasons.map((reason) => (reason._tag === "Die" ? String(reason.defect) : ""))[0]
  })
