import { Effect } from "effect"
import { Durable } from "./Durable.ts"
import type { DurableError } from "./DurableError.ts"

/** Removes everything of a run, its result too: asked for again, it runs from its start. */
export const forget = (runId: string): Effect.Effect<void, DurableError, Durable> =>
  Effect.flatMap(Durable, (store) => store.forget(runId))
