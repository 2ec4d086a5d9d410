/** The laws of calling what a toolset lists. */
import { Effect, Exit, Option, Predicate, Result } from "effect"
import { RunContext } from "../RunContext.ts"
import { ToolCall } from "../ToolCall.ts"
import { isToolSignal, type ToolSignal } from "../ToolSignal.ts"
import type { ToolNotFound, ToolResultError, ToolsetError } from "../ToolsetError.ts"
import { circumstances } from "../toolset/dispatch.ts"
import { toJson } from "../toolset/json.ts"
import type { Run, Session, Tool } from "../toolset/model.ts"
import { exitText, type ToolsetLawBroken, uphold } from "./law.ts"
import { wrongArguments } from "./wrongArguments.ts"

const handingOver = "A call finds a tool exactly where the list of its step names it."

/** `watched`: a session of which no tool runs, so that one can call whatever there is. */
export const upholdHandingOver = Effect.fnUntraced(function* (
  watched: Session<unknown>,
  run: Run,
  tools: ReadonlyArray<Tool<unknown>>
): Effect.fn.Return<void, ToolsetLawBroken> {
  const listed = tools.map((tool) => tool.definition.name)
  const others = listed.flatMap((name) => [`${name}_`, name.slice(1)])
  for (const name of new Set([...listed, ...others, "nobody"])) {
    const exit = yield* ending(watched, run, name, [])
    const isListed = listed.includes(name)
    yield* uphold(
      handingOver,
      isListed === isFound(exit)
        ? undefined
        : `'${name}' is ${isListed ? "" : "not "}listed, and its call ${exitText(exit)}`
    )
  }
})

/** The same `watched`. */
export const upholdArguments = Effect.fnUntraced(function* (
  watched: Session<unknown>,
  run: Run,
  tools: ReadonlyArray<Tool<unknown>>
): Effect.fn.Return<void, ToolsetLawBroken> {
  for (const { definition } of tools) {
    for (const args of yield* wrongArguments(definition)) {
      const exit = yield* ending(watched, run, definition.name, args)
      yield* uphold(
        'Arguments that do not satisfy the parameters are a ModelRetry of reason "arguments", and nothing runs.',
        isRefused(exit) ? undefined : `'${definition.name}' with ${JSON.stringify(args)} ${exitText(exit)}`
      )
    }
  }
})

/** Calls as they are given; once more, approved, where they wait for that. */
export const upholdResults = Effect.fnUntraced(function* <E>(
  session: Session<E>,
  run: Run,
  calls: Readonly<Record<string, unknown>>
): Effect.fn.Return<void, E | ToolsetError | ToolsetLawBroken> {
  for (const [name, args] of Object.entries(calls)) {
    const call = ending(session, run, name, args)
    const first = yield* call
    const exit = fails(first, "ApprovalRequired")
      ? yield* Effect.provideService(call, ToolCall, approvedCall(name))
      : first
    const text = `The call of '${name}' ${exitText(exit)}`
    yield* uphold(handingOver, isFound(exit) ? undefined : text)
    yield* uphold("Arguments that satisfy the parameters are taken.", isRefused(exit) ? text : undefined)
    yield* uphold("Results are JSON.", isSendable(exit) ? undefined : text)
    // What is neither a result nor a signal, nor one of the above, is the toolset's own.
    if (Exit.isFailure(exit) && !isToolSignal(errorOf(exit)))
      yield* exit as Exit.Exit<never, E | ToolsetError>
  }
})

const ending = <E>(
  session: Session<E>,
  run: Run,
  name: string,
  args: unknown
): Effect.Effect<Exit.Exit<unknown, E | ToolSignal | ToolResultError | ToolNotFound | ToolsetError>> =>
  Effect.exit(Effect.provideService(session.call(name, args), RunContext, run))

const approvedCall = (name: string): ToolCall["Service"] => ({
  ...circumstances,
  id: "law",
  name,
  exposedName: name,
  approved: true,
  lastAttempt: false
})

const errorOf = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Option.getOrUndefined(Exit.findErrorOption(exit))

const fails = (exit: Exit.Exit<unknown, unknown>, tag: string): boolean =>
  Predicate.isTagged(errorOf(exit), tag)

const isFound = (exit: Exit.Exit<unknown, unknown>): boolean => !fails(exit, "ToolNotFound")

const isRefused = (exit: Exit.Exit<unknown, unknown>): boolean => {
  const error = errorOf(exit)
  return (
    Predicate.isTagged(error, "ModelRetry") &&
    Predicate.hasProperty(error, "reason") &&
    error.reason === "arguments"
  )
}

const isSendable = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isSuccess(exit)
    ? exit.value !== undefined && Result.isSuccess(toJson(exit.value))
    : !fails(exit, "ToolResultError")
