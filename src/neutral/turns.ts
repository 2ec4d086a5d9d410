/**
 * A toolset in the turns of a loop that somebody else runs: what it offers in each, its calls, and the retries that they
 * have left. A turn is what lies between two requests of the model, as a step is of an agent.
 */
import { Effect, type Exit, type Scope } from "effect"
import { constVoid } from "effect/Function"
import { IdGenerator, Prompt } from "effect/ai"
import type { ToolRetriesExceeded } from "../agent/AgentError.ts"
import { budgetOf, verdict, withinBudget } from "../agent/batch.ts"
import { type Answered, answers, append } from "../agent/history.ts"
import { afterStep, none, type Retries, type Verdict } from "../agent/retries.ts"
import { outsideOfRuns, RunContext } from "../RunContext.ts"
import { ToolsetDefinitionError, type ToolResultError, type ToolsetError } from "../ToolsetError.ts"
import { collect, type Offer } from "../toolset/collect.ts"
import { ended } from "../toolset/ended.ts"
import { admit, type Call, circumstances } from "../toolset/dispatch.ts"
import type { Run, Toolset } from "../toolset/model.ts"
import { openedForOthers } from "../toolset/open.ts"
import { isDeferral, type Outcome } from "../toolset/outcome.ts"
import { retriesFlaw } from "../toolset/withMaxRetries.ts"
import { makeOrder, type Order } from "./order.ts"

/** What a call may fail with besides the toolset's own errors. */
export type CallError = ToolResultError | ToolRetriesExceeded | ToolsetError

/** A call as a framework hands it on. */
export interface GivenCall extends Call {
  readonly approved: boolean
  readonly sequential: boolean
}

/** Calls come in the order in which these are run; `say` hears how one ended before what waits for it begins. */
export type Calling<out E> = (
  call: GivenCall,
  say?: (exit: Exit.Exit<Outcome, E | CallError>) => void
) => Effect.Effect<Outcome, E | CallError>

export interface Turns<out E> {
  /** What is offered in the turn that is; the first has not begun before `next` or a call. */
  readonly offer: Effect.Effect<Offer<E>, E | ToolsetError>
  /** Begins a turn: what is offered in it, and its calls. */
  readonly next: Effect.Effect<{ readonly offer: Offer<E>; readonly call: Calling<E> }, E | ToolsetError>
  /**
   * The calls of the turn that is. What it is known by, where a framework has something, says that another one has begun,
   * where nobody has said so before.
   */
  readonly callIn: (knownBy: unknown) => Calling<E>
}

/** A turn, and what has happened in it. */
interface Turn {
  readonly run: Run
  readonly retries: Retries
  readonly order: Order
  readonly answered: Array<Answered>
  readonly verdicts: Array<Verdict>
  hasBegun: boolean
  knownBy: unknown
}

export const makeTurns = <E, R>(
  self: Toolset<E, R>,
  maxRetries = circumstances.maxRetries
): Effect.Effect<Turns<E>, E | ToolsetError, R | Scope.Scope> =>
  Effect.gen(function* () {
    const flaw = retriesFlaw(maxRetries)
    if (flaw !== undefined) return yield* new ToolsetDefinitionError({ source: self.label, ...flaw })
    const { during, listing } = yield* openedForOthers(self)
    const runId = yield* IdGenerator.defaultIdGenerator.generateId()
    let now = firstTurn(runId)
    const inTurn = <A, E2>({ run }: Turn, effect: Effect.Effect<A, E2, RunContext>): Effect.Effect<A, E2> =>
      Effect.provideService(during(run)(effect), RunContext, run)

    const listed = (turn: Turn) => inTurn(turn, collect(listing, turn.run))

    const perform = (turn: Turn, call: GivenCall) =>
      Effect.gen(function* () {
        const { retries, run } = turn
        const conditions = { maxRetries, maxOutputRetries: 0, retries }
        const offer = yield* collect(listing, run)
        const admission = yield* admit(offer, call, {
          ...circumstances,
          ...budgetOf(offer, call, conditions),
          approved: call.approved
        })
        const outcome = yield* admission.perform
        turn.verdicts.push(verdict({ admission, outcome }))
        turn.answered.push({ call, answer: answerOf(outcome) })
        yield* withinBudget(admission, outcome, conditions)
        return outcome
      })

    const calling =
      (turn: Turn): Calling<E> =>
      (call, say = constVoid) =>
        Effect.suspend(() => turn.order(call.sequential)(ended(inTurn(turn, perform(turn, call)), say)))

    return {
      offer: Effect.suspend(() => listed(now)),
      next: Effect.suspend(() => {
        const turn = now.hasBegun ? turnAfter(now) : now
        turn.hasBegun = true
        now = turn
        return Effect.map(listed(turn), (offer) => ({ offer, call: calling(turn) }))
      }),
      callIn: (knownBy) => {
        if (knownBy !== undefined) {
          if (now.knownBy !== undefined && now.knownBy !== knownBy) now = turnAfter(now)
          now.knownBy = knownBy
        }
        now.hasBegun = true
        return calling(now)
      }
    }
  })

const turn = (run: Run, retries: Retries): Turn => ({
  run,
  retries,
  order: makeOrder(),
  answered: [],
  verdicts: [],
  hasBegun: false,
  knownBy: undefined
})

const firstTurn = (runId: string): Turn => turn({ ...outsideOfRuns(), runId }, none)

const turnAfter = ({ answered, retries: before, run, verdicts }: Turn): Turn => {
  const retries = afterStep(before, verdicts)
  const messages = append(run.messages, heard(answered))
  return turn({ ...run, step: run.step + 1, retries: retries.byName, messages }, retries)
}

/** The calls of a turn as a history, which is all of it that can be known here: what was found by a search is in it. */
const heard = (answered: ReadonlyArray<Answered>): ReadonlyArray<Prompt.Message> => {
  const calls = answered.map(({ call: { args, id, name } }) =>
    Prompt.toolCallPart({ id, name, params: args, providerExecuted: false })
  )
  return calls.length === 0 ? [] : [Prompt.assistantMessage({ content: calls }), ...answers(answered)]
}

const answerOf = (outcome: Outcome): Answered["answer"] =>
  isDeferral(outcome) ? { _tag: "Denied", reason: outcome.message } : outcome
