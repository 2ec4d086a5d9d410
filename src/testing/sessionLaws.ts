/** The laws of opened toolsets. */
import { Effect, Equal, Exit, Scope } from "effect"
import { outsideOfRuns, RunContext } from "../RunContext.ts"
import type { ToolsetError } from "../ToolsetError.ts"
import type { Run, Session, Tool, Toolset } from "../toolset/model.ts"
import { open } from "../toolset/open.ts"
import { exitText, type ToolsetLawBroken, uphold } from "./law.ts"

type Tools<E> = ReadonlyArray<Tool<E>>

/** A step of which nobody knows yet. */
export const newStep = (step: number): Run => ({ ...outsideOfRuns(), step })

export const listed = <E>(session: Session<E>, run: Run): Effect.Effect<Tools<E>, E | ToolsetError> =>
  Effect.provideService(session.tools, RunContext, run)

export const upholdListing = Effect.fnUntraced(function* <E>(
  session: Session<E>,
  run: Run
): Effect.fn.Return<void, E | ToolsetError | ToolsetLawBroken> {
  const list = listed(session, run)
  const [first, ...others] = yield* Effect.all([list, list, list], { concurrency: "unbounded" })
  yield* uphold(
    "A step is listed once, however often one asks.",
    others.some((other) => !isSame(first, other)) ? `Step ${run.step} has several lists.` : undefined
  )
  const next = yield* listed(session, { ...run })
  const before = new Map(first.map((tool) => [tool.definition.name, tool.definition]))
  const renewed = next.find(({ definition }) => {
    const known = before.get(definition.name)
    return known !== undefined && known !== definition && Equal.equals(known, definition)
  })
  yield* uphold(
    "What is the same at the next step has the same definition.",
    renewed === undefined
      ? undefined
      : `'${renewed.definition.name}' has an equal one that is another object: choose among toolsets, rather than making new ones.`
  )
})

const isSame = (a: Tools<unknown>, b: Tools<unknown>): boolean =>
  a.length === b.length && a.every((tool, i) => tool === b[i])

export const upholdInstructions = Effect.fnUntraced(function* (
  session: Session<unknown>,
  run: Run
): Effect.fn.Return<void, ToolsetLawBroken> {
  const exit = yield* Effect.exit(Effect.provideService(session.instructions, RunContext, run))
  yield* uphold("Instructions are there at every step.", Exit.isSuccess(exit) ? undefined : exitText(exit))
})

/** Beside a session that is open: another one, which closes before it, and one more after that. */
export const upholdSessions = Effect.fnUntraced(function* <E, R>(
  toolset: Toolset<E, R>,
  session: Session<E>
): Effect.fn.Return<void, E | ToolsetError | ToolsetLawBroken, R> {
  const run = newStep(1)
  const before = yield* listed(session, run)
  for (const time of ["Beside another session", "After another session"]) {
    const exit = yield* opening(toolset)
    const opens = Exit.isSuccess(exit) ? undefined : `${time}, opening it ${exitText(exit)}`
    yield* uphold(asOften, opens)
    if (Exit.isFailure(exit)) return
    const [one, other] = [namesOf(before), namesOf(exit.value.tools)]
    const differs = one === other ? undefined : `One lists ${one}, another ${other}.`
    yield* uphold("Sessions of a toolset list the same tools at the same step.", differs)
    const outlived = yield* Effect.exit(listed(exit.value.session, newStep(2)))
    const lists = Exit.isFailure(outlived) ? undefined : `It lists ${namesOf(outlived.value)}.`
    yield* uphold("A session that has closed lists nothing.", lists)
  }
  const later = yield* Effect.exit(listed(session, newStep(2)))
  const ended = Exit.isSuccess(later) ? undefined : `Its next step ${exitText(later)}`
  yield* uphold("A session outlives those that open and close beside it.", ended)
})

const asOften = "A toolset opens and closes as often as it is asked to."

/** In a scope of its own; that it cannot be closed is evidence. */
export const closingWell = <E, R>(
  effect: Effect.Effect<void, E, R>
): Effect.Effect<void, E | ToolsetLawBroken, Exclude<R, Scope.Scope>> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const exit = yield* Effect.exit(restore(Scope.provide(effect, scope)))
      const closed = yield* Effect.exit(Scope.close(scope, exit))
      yield* exit
      yield* uphold(asOften, Exit.isSuccess(closed) ? undefined : `Closing it ${exitText(closed)}`)
    })
  )

/** Opens, lists and closes. */
const opening = <E, R>(toolset: Toolset<E, R>) =>
  Effect.exit(
    Effect.scoped(
      Effect.gen(function* () {
        const session = yield* open(toolset)
        return { session, tools: yield* listed(session, newStep(1)) }
      })
    )
  )

const namesOf = (tools: Tools<unknown>): string =>
  tools.length === 0 ? "nothing" : tools.map((tool) => `'${tool.definition.name}'`).join(", ")
