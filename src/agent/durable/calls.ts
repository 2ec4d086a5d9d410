/** Calls of tools as steps. */
import { Effect, Result, type Schema } from "effect"
import type { RunContext } from "../../RunContext.ts"
import { ToolReturn } from "../../ToolReturn.ts"
import type { DurableError } from "../../durable/DurableError.ts"
import { place } from "../../durable/slot.ts"
import { toJson } from "../../toolset/json.ts"
import type { Tool } from "../../toolset/model.ts"
import { type Outcome, returned } from "../../toolset/outcome.ts"
import { isReplayable } from "../../toolset/replayable.ts"
import * as Usage from "../../Usage.ts"
import type { Granted } from "../batch.ts"
import type { Ledger } from "../ledger.ts"
import { Nesting, type NestingService } from "../nesting.ts"
import { endsTheRun } from "./endsTheRun.ts"
import { Ended } from "./schemas.ts"
import type { Unrepeated } from "./Unrepeated.ts"

/** The place of a call, claimed when it is admitted: before those after it, whichever ends first. */
export interface CallPlace {
  /** The same on every attempt at this very call, and no other's. */
  readonly idempotencyKey: string | undefined
  readonly perform: <E>(
    performing: Effect.Effect<Outcome, E, RunContext>
  ) => Effect.Effect<Outcome, E, RunContext>
}

export type Claim = (tool: Tool<unknown> | undefined, call: Granted) => Effect.Effect<CallPlace>

export const claiming =
  (ledger: Ledger, unrepeated: Unrepeated): Claim =>
  (tool, call) =>
    endsTheRun<CallPlace, never, never>(
      Effect.gen(function* (): Effect.fn.Return<CallPlace, DurableError> {
        const repeats = tool === undefined || isReplayable(tool)
        const { key, perform } = yield* place({
          name: `call ${(tool?.origin ?? [call.name]).join("/")}`,
          id: {
            // Not the model's id of it: that is another one where its response could not be found again.
            tool: tool?.origin ?? null,
            name: call.name,
            args: call.args ?? null,
            grant: call.grant ?? null
          },
          schema: Ended,
          replayable: repeats
        })
        return {
          idempotencyKey: yield* key,
          perform: (performing) =>
            endsTheRun(
              Effect.gen(function* () {
                const nesting = yield* Nesting
                const inside = insideOf(nesting)
                const ending = Effect.map(
                  Effect.provideService(performing, Nesting, inside.nesting),
                  (outcome) => ({ outcome: recordable(outcome), spent: inside.spent() })
                )
                const { replayed, value } = yield* perform(ending, () => !inside.waits())
                const outcome = outcomeOf(value.outcome)
                if (!repeats) unrepeated.add(call.id, outcome)
                if (replayed) {
                  yield* nesting.spend(value.spent, value.spent)
                  const counts = outcome._tag === "Returned" && tool?.definition.kind !== "output"
                  ledger.spend(Usage.none, { ...Usage.none, toolCalls: counts ? 1 : 0 })
                }
                return outcome
              })
            )
        }
      })
    )

/** What runs inside a call do to the run outside, which a record of the call has to do again. */
const insideOf = (outside: NestingService) => {
  let spent = Usage.none
  let waits = false
  const nesting: NestingService = {
    ...outside,
    spend: (usage, replayed) => {
      spent = Usage.sum(spent, usage)
      return outside.spend(usage, replayed)
    },
    suspend: (toolCallId, run) => {
      // Its own steps are recorded, and bring it to where it waits on each attempt.
      waits = true
      return outside.suspend(toolCallId, run)
    }
  }
  return { nesting, spent: () => spent, waits: () => waits }
}

const recordable = (outcome: Outcome): (typeof Ended.Type)["outcome"] => {
  if (outcome._tag !== "Returned") return outcome
  const { content, metadata, modelOutput, value } = outcome.result
  return { _tag: "Returned", result: { value, content, metadata: jsonIn(metadata), modelOutput } }
}

const outcomeOf = (outcome: (typeof Ended.Type)["outcome"]): Outcome =>
  outcome._tag === "Returned" ? returned(new ToolReturn(outcome.result)) : outcome

/** As much of it as a history keeps. */
const jsonIn = (metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, Schema.Json>> =>
  Object.fromEntries(
    Object.entries(metadata).flatMap(([key, value]) =>
      Result.match(toJson(value), { onSuccess: (json) => [[key, json] as const], onFailure: () => [] })
    )
  )
