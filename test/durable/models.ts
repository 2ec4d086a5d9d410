/** A model whose answer depends on how far the conversation is, and not on how often it was asked. */
import { Effect, Layer } from "effect"
import { Agent } from "effect-toolset"
import type * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"
import { attempting } from "./attempting.ts"

export const scripted = (turns: ReadonlyArray<ScriptedModel.Turn>) =>
  ScriptedModel.layer(({ prompt }) => {
    const answered = prompt.content.filter((message) => message.role === "assistant").length
    return turns[answered] ?? ScriptedModel.text("There is nothing more to say.")
  })

/** A model and a store. */
export const withModelAnd =
  (store: Layer.Layer<Durable.Durable>) => (turns: ReadonlyArray<ScriptedModel.Turn>) =>
    Effect.provide(Layer.merge(store, scripted(turns)))

/** The next attempt. */
export const run = ((...args: Parameters<typeof Agent.run>) =>
  attempting(Agent.run(...args))) as unknown as typeof Agent.run

/** How often it was asked. */
export const asked = Effect.map(ScriptedModel.requests, (requests) => requests.length)
