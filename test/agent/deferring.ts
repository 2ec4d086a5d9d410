/** Runs that stop to ask, and go on. */
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Prompt } from "effect/ai"
import {
  Agent,
  type Answers,
  type ApprovalRequired,
  type CallDeferred,
  DeferredToolRequests,
  DeferredToolResults,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"

/** An agent that answers in text, and may stop to ask. */
export const asking = <T extends Toolset.Any = never>(...toolsets: ReadonlyArray<T>) =>
  Agent.make({ toolsets, output: [Schema.String, DeferredToolRequests] })

/** What a run that stopped asks for. */
export const requestsIn = (result: { readonly output: unknown }): DeferredToolRequests => {
  assert(
    result.output instanceof DeferredToolRequests,
    `The run ended with ${JSON.stringify(result.output)}.`
  )
  return result.output
}

/** Goes on from a run that stopped. */
export const resumed = <A, E, R>(
  agent: Agent.Agent<A, E, R>,
  first: Agent.Result<unknown>,
  answers: Answers
) =>
  Agent.run(agent, {
    history: first.messages,
    deferredResults: DeferredToolResults.from(requestsIn(first), answers)
  })

/** The other side of the wire: written as JSON text, and read again. */
export const sent = <A, I, R1, R2>(schema: Schema.Codec<A, I, R1, R2>) => {
  const json = Schema.fromJsonString(schema)
  return (value: A) => Effect.flatMap(Schema.encodeEffect(json)(value), Schema.decodeEffect(json))
}

export const sentPrompt = sent(Prompt.Prompt)
export const sentRequests = sent(DeferredToolRequests)
export const sentResults = sent(DeferredToolResults)

/** The requests of a run, in short. */
export const inShort = ({ approvals, calls }: DeferredToolRequests) => ({
  calls: calls.map(({ args, toolCallId, toolName }) => [toolCallId, toolName, args]),
  approvals: approvals.map(({ args, toolCallId, toolName }) => [toolCallId, toolName, args])
})

export const x = Schema.Struct({ x: Schema.Int })

export const plain = (name: string) => Toolset.tool(name, { handler: () => Effect.succeed(`${name} ran`) })

/** A tool that takes an `x`, and waits. */
export const waiting = (name: string, signal: ApprovalRequired | CallDeferred) =>
  Toolset.tool(name, { parameters: x, handler: () => Effect.fail(signal) })

/** A model that makes these calls in one response, each with its own name as id, and then is done. */
export const calling = (all: Readonly<Record<string, unknown>>, ...then: ReadonlyArray<ScriptedModel.Turn>) =>
  ScriptedModel.layer([
    ScriptedModel.calls(Object.entries(all).map(([name, args]) => ({ name, args, id: name }))),
    ...(then.length === 0 ? [ScriptedModel.text("Done.")] : then)
  ])
