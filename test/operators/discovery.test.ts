import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Prompt } from "effect/ai"
import { Toolset } from "effect-toolset"
import { inRunOf, names } from "./asking.ts"
import { clock, mail, rare, running, search } from "./searching.ts"

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
