/** Agents inside agents, and a model that plays all of them. */
import { Effect, Schema } from "effect"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { requestsIn, sentPrompt, sentRequests } from "./deferring.ts"

const { text } = ScriptedModel
export const prompt = "Go."
export const task = Schema.Struct({ task: Schema.String })

export const call = (name: string, args: unknown, id: string) => ({ name, args, id })

/** An agent as a tool of this name, with its instructions, by which the model knows who asks. */
export const worker = <T extends Toolset.Any = never>(name: string, ...toolsets: ReadonlyArray<T>) =>
  Agent.asTool(Agent.make({ toolsets, instructions: name }), {
    name,
    parameters: task,
    prompt: ({ task }) => task
  })

/** Turns by who asks: the instructions of a worker, or nobody's. */
export const casting = (cast: Readonly<Record<string, ReadonlyArray<ScriptedModel.Turn>>>) => {
  const used = new Map<string, number>()
  return ScriptedModel.layer(({ prompt }) => {
    const [first] = prompt.content
    const who = first?.role === "system" ? first.content : "outer"
    const n = used.get(who) ?? 0
    used.set(who, n + 1)
    return cast[who]?.[n] ?? text(`${who} has no turn ${n}.`)
  })
}

/** What a tool was run with, by its name. */
export const noting = (ran: Array<unknown>, name: string) =>
  Toolset.tool(name, {
    parameters: Schema.Struct({ n: Schema.optionalKey(Schema.Int) }),
    handler: (args) => Effect.sync(() => (ran.push([name, args.n]), `${name} ran`))
  })

export const stored = Effect.fnUntraced(function* <A>(result: Agent.Result<A>) {
  const messages = yield* sentPrompt(result.messages)
  const output = yield* sentRequests(requestsIn(result))
  return { ...result, messages, output }
})
