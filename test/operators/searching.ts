/** Tools of which most are found by search before they can be called, and runs in which a model searches. */
import { Effect } from "effect"
import type { Prompt } from "effect/ai"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"

export const described = (name: string, description: string) =>
  Toolset.tool(name, { description, handler: () => Effect.succeed(`${name} ran`) })

export const weather = described("get_weather", "The weather in a city.")
export const forecast = described("get_forecast", "The weather of the next days, for a city.")
export const mail = described("send_mail", "Sends a mail to somebody.")
export const clock = described("now", "What time it is.")
export const all = Toolset.combined(weather, clock, mail, forecast)
export const rare = all.pipe(Toolset.searchable({ when: (tool) => tool.name !== "now" }))

export const search = (...queries: ReadonlyArray<string>) =>
  ScriptedModel.calls({ search_tools: { queries } })
export const done = ScriptedModel.text("done")
export type Turn = ReturnType<typeof search>

/** The names that the model sees at each request, and what it reads. */
export const running = <E, R>(
  toolset: Toolset.Toolset<E, R>,
  turns: ReadonlyArray<Turn>,
  history?: Prompt.Prompt
) =>
  Effect.gen(function* () {
    const { messages } = yield* Agent.run(Agent.make({ toolsets: [toolset] }), { prompt: "go", history })
    const seen = (yield* ScriptedModel.requests).map((request) => request.tools.map((tool) => tool.name))
    const results = messages.content.flatMap((message) =>
      message.role === "tool"
        ? message.content.flatMap((part) => ("result" in part ? [part.result] : []))
        : []
    )
    return { seen, results: results as ReadonlyArray<any>, messages }
  }).pipe(Effect.provide(ScriptedModel.layer([...turns, done])))
