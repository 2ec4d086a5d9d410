/** A model whose answer depends on how far the conversation is, and not on how often it was asked. */
import { Effect, Layer } from "effect"
import * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"

export const scripted = (turns: ReadonlyArray<ScriptedModel.Turn>) =>
  ScriptedModel.layer(({ prompt }) => {
    const answered = prompt.content.filter((message) => message.role === "assistant").length
    return turns[answered] ?? ScriptedModel.text("There is nothing more to say.")
  })

/** A model and a store, both in memory. */
export const withModel = (turns: ReadonlyArray<ScriptedModel.Turn>) =>
  Effect.provide(Layer.merge(Durable.layerMemory, scripted(turns)))

/** How often it was asked. */
export const asked = Effect.map(ScriptedModel.requests, (requests) => requests.length)
