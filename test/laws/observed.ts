/**
 * What can be seen of a toolset: what it lists at several steps, how its calls end, what it says to the model, and what it
 * opens and closes. Two toolsets of which one sees the same are equal.
 */
import { Cause, Effect, Exit, Fiber } from "effect"
import { type ToolDefinition, ToolNameConflict, Toolset } from "effect-toolset"
import { outsideOfRuns, RunContext } from "effect-toolset/RunContext"
import { admit, circumstances } from "effect-toolset/toolset/dispatch"
import type { Outcome } from "effect-toolset/toolset/outcome"
import { TestClock } from "effect/testing"
import type { Answer, Failure, Meaning, Meant } from "./meant.ts"
import { isFailure } from "./meant.ts"
import { Broken, Flavour, type Generated, Lost, type World } from "./world.ts"

export const steps = [1, 2, 3]

/** The calls that are made of every tool: an odd number, an even one as text, one that validators refuse, no number. */
export const calls = [
  { args: { n: 1 }, approved: false },
  { args: { n: 1 }, approved: true },
  { args: '{"n":2}', approved: false },
  { args: { n: 3 }, approved: true },
  { args: { n: "x" }, approved: true }
] as const

/** A step of a run: one value of `RunContext`. */
export const stepOf = (step: number): RunContext["Service"] => ({ ...outsideOfRuns(), step })

export const inStep = (run: RunContext["Service"]) => Effect.provideService(RunContext, run)

export interface Seen {
  readonly definition: ReturnType<typeof plain>
  readonly calls: ReadonlyArray<SeenCall>
}

/** A definition with every field, so that one that is undefined is one that is not there. */
const plain = (tool: ToolDefinition) => ({
  name: tool.name,
  description: tool.description,
  parameters: tool.parameters,
  returns: tool.returns,
  kind: tool.kind,
  sequential: tool.sequential,
  maxRetries: tool.maxRetries,
  metadata: tool.metadata,
  annotations: Array.from(tool.annotations.mapUnsafe.keys())
})

interface SeenCall {
  readonly answer: Answer
  readonly trace: ReadonlyArray<string>
}

export interface Observation {
  readonly opening: Failure | undefined
  readonly steps: ReadonlyArray<{
    readonly tools: Failure | ReadonlyArray<Seen>
    readonly instructions: Failure | ReadonlyArray<Toolset.Instruction>
  }>
  readonly resources: ReadonlyArray<string>
}

/** Opens it, lists it and calls all it lists at each step, and closes it. */
export const observed = (self: Generated, world: World, flavour = "plain"): Effect.Effect<Observation> =>
  Effect.gen(function* () {
    const seen = yield* Effect.scoped(
      Effect.gen(function* () {
        const opened = yield* Effect.exit(Toolset.open(self))
        if (Exit.isFailure(opened)) return { opening: failure(opened.cause), steps: [] }
        return {
          opening: undefined,
          steps: yield* Effect.forEach(steps, (step) => seenAt(opened.value, world, step))
        }
      })
    )
    return { ...seen, resources: [...world.resources] }
  }).pipe(Effect.provideService(Flavour, flavour))

const seenAt = Effect.fnUntraced(function* (
  session: Toolset.Session<Broken | Lost>,
  world: World,
  step: number
) {
  const run = stepOf(step)
  const listed = yield* Effect.exit(inStep(run)(session.tools))
  const instructions = yield* Effect.exit(inStep(run)(session.instructions))
  return {
    tools: Exit.isFailure(listed)
      ? failure(listed.cause)
      : yield* Effect.forEach(listed.value, (tool) => inStep(run)(seenTool(tool, world))),
    instructions: Exit.isFailure(instructions) ? failure(instructions.cause) : instructions.value
  }
})

const seenTool = Effect.fnUntraced(function* (tool: Toolset.Tool<Broken | Lost>, world: World) {
  const { name } = tool.definition
  // By itself, so that tools of one name are told apart.
  const offer = { tools: [tool], byName: new Map([[name, tool]]), hidden: new Map() }
  const seenCalls: Array<SeenCall> = []
  for (const { approved, args } of calls) {
    world.trace.length = 0
    const calling = Effect.flatMap(
      admit(offer, { id: "call", name, args }, { ...circumstances, approved }),
      ({ perform }) => perform
    )
    const exit = yield* Effect.exit(inTime(calling))
    seenCalls.push({
      answer: Exit.isFailure(exit) ? failure(exit.cause) : answer(exit.value),
      trace: [...world.trace]
    })
  }
  return { definition: plain(tool.definition), calls: seenCalls }
})

/** Lets time pass, where it waits for that. */
export const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect, { startImmediately: true })
    if (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("2 hours")
    return yield* Fiber.join(fiber)
  })

const answer = (outcome: Outcome): Answer => {
  switch (outcome._tag) {
    case "Returned":
      // A result is JSON.
      return { returned: outcome.result.value as never, metadata: outcome.result.metadata }
    case "ModelRetry":
      if (outcome.reason === "arguments") return wrongArguments
      return {
        signal: outcome._tag,
        said: outcome.message,
        ...(outcome.reason === undefined ? {} : { reason: outcome.reason })
      }
    case "ToolFailed":
      return { signal: outcome._tag, said: outcome.message }
    default:
      return { signal: outcome._tag, said: outcome.metadata?.by as string | undefined }
  }
}

const wrongArguments: Answer = { signal: "ModelRetry", said: undefined, reason: "arguments" }

export const failure = (cause: Cause.Cause<unknown>): Failure => {
  const error = Cause.squash(cause)
  if (error instanceof Broken || error instanceof Lost) return { failed: `${error._tag}: ${error.who}` }
  if (error instanceof ToolNameConflict) return { failed: `${error._tag}: ${error.toolName}` }
  return {
    failed:
      error instanceof Error
        ? error.name === "Error"
          ? `died: ${error.message}`
          : error.name
        : `died: ${String(error)}`
  }
}

/** What would be seen of a toolset of this meaning, but for its resources. */
export const foreseen = (meaning: Meaning): Omit<Observation, "resources"> => ({
  opening: meaning.opening,
  steps:
    meaning.opening !== undefined
      ? []
      : steps.map((step) => {
          const tools = meaning.tools(step)
          return {
            tools: isFailure(tools) ? tools : tools.map((tool) => foreseenTool(tool, step)),
            instructions: meaning.instructions(step)
          }
        })
})

const foreseenTool = (tool: Meant, step: number): Seen => ({
  definition: plain(tool.definition),
  calls: calls.map(({ approved, args }) => {
    const { n } = typeof args === "string" ? (JSON.parse(args) as { n: number }) : args
    if (typeof n !== "number" || !tool.accepts(n)) return { answer: wrongArguments, trace: [] }
    const { maxRetries = 1, name } = tool.definition
    const trace: Array<string> = []
    const given = {
      step,
      approved,
      as: name,
      last: maxRetries === 0,
      flavour: "plain",
      hurried: false,
      trace
    }
    return { answer: tool.validate(n) ?? tool.call(n, given), trace }
  })
})
