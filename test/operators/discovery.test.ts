import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Prompt } from "effect/ai"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { inRunOf, names } from "./asking.ts"

const described = (name: string, description: string) =>
  Toolset.tool(name, { description, handler: () => Effect.succeed(`${name} ran`) })

const weather = described("get_weather", "The weather in a city.")
const forecast = described("get_forecast", "The weather of the next days, for a city.")
const mail = described("send_mail", "Sends a mail to somebody.")
const clock = described("now", "What time it is.")
const all = Toolset.combined(weather, clock, mail, forecast)
const rare = all.pipe(Toolset.searchable({ when: (tool) => tool.name !== "now" }))

const search = (...queries: ReadonlyArray<string>) => ScriptedModel.calls({ search_tools: { queries } })
const done = ScriptedModel.text("done")
type Turn = ReturnType<typeof search>

/** The names that the model sees at each request, and what it reads. */
const running = <E, R>(toolset: Toolset.Toolset<E, R>, turns: ReadonlyArray<Turn>, history?: Prompt.Prompt) =>
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

describe("what was found", () => {
  it.effect("is remembered in the history, in the order in which it was found", () =>
    Effect.gen(function* () {
      const first = yield* running(rare, [search("mail"), search("forecast")])
      const json = JSON.parse(JSON.stringify(first.messages))
      const { seen } = yield* running(rare, [], Prompt.fromMessages(json.content))
      assert.deepStrictEqual(seen[0], ["now", "search_tools", "send_mail", "get_forecast"])
    })
  )

  it.effect("reveals nothing that another search says it has found, or that is no finding", () =>
    Effect.gen(function* () {
      const two = Toolset.combined(
        Toolset.searchable(mail),
        Toolset.searchable(clock).pipe(Toolset.prefixed("c"))
      )
      const found = (name: string, result: Prompt.ToolResultPart["result"], isFailure = false) =>
        Prompt.fromMessages([
          Prompt.makeMessage("assistant", {
            content: [Prompt.makePart("tool-call", { id: "1", name, params: {}, providerExecuted: false })]
          }),
          Prompt.makeMessage("tool", {
            content: [
              Prompt.makePart("tool-result", {
                id: "1",
                name,
                result,
                isFailure,
                providerExecuted: false
              })
            ]
          })
        ])
      const offered = (messages: Prompt.Prompt) => inRunOf({ messages })(names(two))
      const finding = { tools: [{ name: "send_mail" }] }
      assert.deepStrictEqual(yield* offered(found("search_tools", finding)), [
        "search_tools",
        "c_search_tools",
        "send_mail"
      ])
      for (const nothing of [
        found("c_search_tools", finding),
        found("other", finding),
        found("search_tools", finding, true),
        found("search_tools", { tools: ["send_mail", { name: 1 }, null] }),
        found("search_tools", "send_mail")
      ]) {
        assert.deepStrictEqual(yield* offered(nothing), ["search_tools", "c_search_tools"])
      }
    })
  )
})
