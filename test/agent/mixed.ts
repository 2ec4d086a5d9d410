/** Responses in which calls of functions and of outputs are mixed, and an agent that writes down what runs. */
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Response } from "effect/ai"
import { Agent, DeferredToolRequests, ModelRetry, type ToolSignal, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn, callsIn } from "./answers.ts"

const { layer, output, parts } = ScriptedModel

export const processed = "Final result processed."
export const notUsed = "Output tool not used - a final result was already processed."
export const processedUnused =
  "Output tool processed, but its value will not be the final result of the agent run."
export const withdrawn =
  "Output not used as the final result - addressing tool retries from this round first."
export const notExecuted = "Tool not executed - a final result was already processed."

const Answer = Schema.Struct({ n: Schema.Int })
/** Calls, by a short name: `f…` functions, `o…` outputs, `x…` outputs that are invalid, `u…` nobody's. */
export const callOf = (id: string): Response.PartEncoded => {
  const n = Number(id.slice(1))
  const name = id.startsWith("u") ? "nobody" : /^[ox]/.test(id) ? "final_result" : id
  return {
    type: "tool-call",
    id,
    name,
    params: id.startsWith("o") ? { n } : id.startsWith("x") ? { n: "x" } : {}
  }
}
export const response = (...ids: ReadonlyArray<string>) => parts(ids.map(callOf))

interface Options {
  readonly endStrategy?: Agent.EndStrategy
  /** How functions end, where they do not return. */
  readonly ends?: Readonly<Record<string, Effect.Effect<never, ToolSignal>>>
  readonly retries?: Agent.Retries
}

/** An agent with the functions `f1` to `f3`, that writes down what runs, outputs too. */
export const making = ({ endStrategy, ends = {}, retries }: Options) => {
  const log: Array<string> = []
  const functions = ["f1", "f2", "f3"].map((name) =>
    Toolset.tool(name, {
      handler: () => Effect.suspend(() => (log.push(name), ends[name] ?? Effect.succeed(`${name} ran`)))
    })
  )
  const agent = Agent.make({
    toolsets: functions,
    output: [Answer, DeferredToolRequests],
    endStrategy,
    retries,
    validateOutput: ({ n }) =>
      Effect.suspend(() => {
        log.push(`o${n}`)
        return n < 0 ? new ModelRetry({ message: `${n} is too little.` }) : Effect.void
      })
  })
  return { agent, log }
}

/** What ran, what the run gave, and what was recorded for each call of the first response. */
export const ending = (options: Options, ids: ReadonlyArray<string>) => {
  const { agent, log } = making(options)
  return Effect.map(Agent.run(agent, { prompt: "Go." }), (result) => {
    assert.deepStrictEqual(
      answersIn(result.messages).map((answer) => answer.id),
      callsIn(result.messages).map((call) => call.id)
    )
    return {
      ran: log.join(" "),
      output: result.output,
      requests: result.usage.requests,
      recorded: answersIn(result.messages)
        .slice(0, ids.length)
        .map(({ id, result }) => [id, result] as const)
    }
  }).pipe(Effect.provide(layer([response(...ids), output({ n: 99 })])))
}
