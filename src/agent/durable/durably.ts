import { Effect } from "effect"
import { DeferredToolRequests } from "../../Deferred.ts"
import type { Durable } from "../../durable/Durable.ts"
import { CurrentJournal } from "../../durable/journal.ts"
import type { Recordable } from "../../durable/outcome.ts"
import { attempted, runBelow } from "../../durable/run.ts"
import type { Performed } from "../../durable/slot.ts"
import type { DurableError } from "../../durable/DurableError.ts"
import type { Ledger } from "../ledger.ts"
import type { Outputs } from "../output.ts"
import type { Result } from "../run.ts"
import type { Running } from "../running.ts"
import { recorded } from "./recorded.ts"
import { resultOf } from "./schemas.ts"

/** `runId`: one id is one run. Asked for again, it goes on where it was, or gives the result that it has come to. */
export interface Durability {
  readonly runId: string
}

/** What a durable run needs. */
export type DurableServices<D> = [D] extends [Durability] ? Durable : never

/** A run as a durable one, where that is asked for; inside a step of another one it is part of that. */
export const durably =
  (durability: Durability | undefined, name: string, outputs: Outputs<unknown>, ledger: Ledger) =>
  <E, R>(going: Effect.Effect<Result<unknown>, E, R>): Effect.Effect<Result<unknown>, E | DurableError, R> =>
    Effect.flatMap(CurrentJournal, (journal) => {
      if (journal !== undefined) return runBelow(journal, name, going)
      if (durability === undefined) return going
      const { runId } = durability
      // What its outputs need to be encoded and decoded is in the `R` of whoever runs it.
      const schema = resultOf(outputs.schema) as unknown as Recordable<Result<unknown>>
      const isFinished = ({ output }: Result<unknown>) => !(output instanceof DeferredToolRequests)
      const running = attempted(going, { runId, schema, isFinished })
      // So is the store.
      return Effect.map(
        running as Effect.Effect<Performed<Result<unknown>>, E | DurableError, R>,
        ({ replayed, value }) => {
          ledger.end(value, replayed)
          return { ...value, replayed: ledger.replayed }
        }
      )
    })

/** The same run, recorded where it is durable. */
export const recordedWhereDurable = <E, R>(running: Running<E, R>): Effect.Effect<Running<E, R>> =>
  Effect.map(CurrentJournal, (journal) => (journal === undefined ? running : recorded(running)))
