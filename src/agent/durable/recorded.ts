/** A run whose model requests, listings, calls and answers from outside are steps of a durable run. */
import { Effect, Schema } from "effect"
import { step } from "../../durable/slot.ts"
import type { Outputs } from "../output.ts"
import type { Running } from "../running.ts"
import { answeringFrom } from "./answers.ts"
import { claiming } from "./calls.ts"
import { endsTheRun } from "./endsTheRun.ts"
import { recordedListing } from "./listing.ts"
import { asking } from "./question.ts"
import { Unrepeated } from "./Unrepeated.ts"

export const recorded = <E, R>(running: Running<E, R>): Running<E, R> => {
  const { ledger, listing, settings, spec, toolset, watch } = running
  const unrepeated = new Unrepeated()
  return {
    ...running,
    ...answeringFrom(running),
    listing: recordedListing(toolset, listing),
    spec: { ...spec, instructions: instructionsOf(spec.instructions) },
    settings: { ...settings, outputs: outputsOf(settings.outputs) },
    watch: { ...watch, ask: asking(watch, ledger, unrepeated) },
    claim: claiming(ledger, unrepeated)
  }
}

/** The agent's own instructions, where they are asked for at each step. */
const instructionsOf = <E, R>(instructions: Running<E, R>["spec"]["instructions"]) =>
  Effect.isEffect(instructions)
    ? endsTheRun(step({ name: "instructions", id: null, schema: Schema.String }, instructions))
    : instructions

/** Whatever is asked about a text is asked once. */
const outputsOf = <E>(outputs: Outputs<E>): Outputs<E> => ({
  ...outputs,
  validateText: (text) =>
    endsTheRun(
      Effect.asVoid(
        step({ name: "validate", id: text, schema: Schema.Null }, Effect.as(outputs.validateText(text), null))
      )
    )
})
