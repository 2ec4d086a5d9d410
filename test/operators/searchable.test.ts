import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Redacted, Ref } from "effect"
import { Agent, RunContext, Secrets, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answering, Broken, flaw, names, runOf, tag } from "./asking.ts"
import { all, described, done, mail, rare, running, search } from "./searching.ts"

describe("searchable", () => {
  it.effect("offers what is not hidden, and the search (P188, P195)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* names(rare), ["now", "search_tools"])
      assert.deepStrictEqual(yield* names(all.pipe(Toolset.searchable())), ["search_tools"])
    })
  )

  it.effect("offers what was found from the next step on, after the rest, and goes on searching (P189)", () =>
    Effect.gen(function* () {
      const { results, seen } = yield* running(rare, [
        search("weather"),
        ScriptedModel.calls({ get_weather: {} }),
        search("mail"),
        ScriptedModel.calls({ send_mail: {} })
      ])
      assert.deepStrictEqual(seen, [
        ["now", "search_tools"],
        ["now", "search_tools", "get_weather", "get_forecast"],
        ["now", "search_tools", "get_weather", "get_forecast"],
        ["now", "search_tools", "get_weather", "get_forecast", "send_mail"],
        ["now", "search_tools", "get_weather", "get_forecast", "send_mail"]
      ])
      assert.deepStrictEqual(results[0], {
        tools: [
          { name: "get_weather", description: "The weather in a city." },
          { name: "get_forecast", description: "The weather of the next days, for a city." }
        ]
      })
      assert.deepStrictEqual(results.slice(1), [
        "get_weather ran",
        { tools: [{ name: "send_mail", description: "Sends a mail to somebody." }] },
        "send_mail ran"
      ])
    })
  )

  it.effect("offers no search where nothing is hidden, and the same tools as before", () =>
    Effect.gen(function* () {
      const none = all.pipe(Toolset.searchable({ when: () => false }))
      assert.deepStrictEqual(yield* Toolset.list(none), yield* Toolset.list(all))
    })
  )

  it.effect("tells a model that calls what it has not found to search, at no cost (P190)", () =>
    Effect.gen(function* () {
      const early = ScriptedModel.calls({ send_mail: {} })
      const { results } = yield* running(rare, [early, early, early, search("mail"), early])
      const text =
        "Tool 'send_mail' is not available yet: search for it first, then call it again once you've seen its schema."
      assert.deepStrictEqual(results.slice(0, 3), [text, text, text])
      assert.strictEqual(results.at(-1), "send_mail ran")
      assert.strictEqual(yield* tag(Toolset.call(rare, "send_mail", {})), "ToolNotFound")
    })
  )

  it.effect("asks for a query where there is none (P191)", () =>
    Effect.gen(function* () {
      for (const queries of [[], [""], [" ", "\n"]]) {
        const error = yield* Effect.flip(Toolset.call(rare, "search_tools", { queries }))
        assert.deepStrictEqual(
          [error._tag, error.message],
          ["ModelRetry", "Please provide at least one non-empty search query."]
        )
      }
    })
  )

  it.effect("says so where nothing matches (P192)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Toolset.call(rare, "search_tools", { queries: ["zebra"] }), {
        tools: [],
        message: "No matching tools found. The tools you need may not be available."
      })
    })
  )

  it.effect("reserves the name of the search (P193)", () =>
    Effect.gen(function* () {
      const own = Toolset.combined(answering("search_tools"), mail)
      assert.deepStrictEqual(yield* flaw(Toolset.list(own.pipe(Toolset.searchable()))), [
        "searchable(combined(tool(search_tools), tool(send_mail)))",
        "The tool name 'search_tools' is reserved for tool search."
      ])
      const never = own.pipe(Toolset.searchable({ when: () => false }))
      assert.deepStrictEqual(yield* names(never), ["search_tools", "send_mail"])
      const renamed = own.pipe(Toolset.renamed({ find: "search_tools" }), Toolset.searchable())
      assert.deepStrictEqual(yield* names(renamed), ["search_tools"])
    })
  )

  it.effect("never names what is hidden in an error (P194)", () =>
    Effect.gen(function* () {
      const { results } = yield* running(rare, [ScriptedModel.calls({ send_fax: {} })])
      assert.strictEqual(
        results[0],
        "Unknown tool name: 'send_fax'. Available tools: 'now', 'search_tools'\n\nFix the errors and try again."
      )
      const error = yield* Effect.flip(Toolset.call(rare, "send_fax", {}))
      assert.deepStrictEqual(error._tag === "ToolNotFound" && error.availableTools, ["now", "search_tools"])
      const session = yield* Toolset.open(rare)
      const listed = yield* Effect.provideService(session.tools, RunContext, runOf())
      assert.deepStrictEqual(
        listed.map((tool) => tool.definition.name),
        ["now", "search_tools"]
      )
    })
  )

  it.effect("finds tools by the names that the model sees, whatever is outside", () =>
    Effect.gen(function* () {
      const outside = rare.pipe(
        Toolset.prefixed("x"),
        Toolset.renamed((name) => name.replace("get_", "")),
        Toolset.renamed({ find: "x_search_tools" })
      )
      const { results, seen } = yield* running(outside, [
        ScriptedModel.calls({ find: { queries: ["weather"] } }),
        ScriptedModel.calls({ x_weather: {} })
      ])
      assert.deepStrictEqual(seen[1], ["x_now", "find", "x_weather", "x_forecast"])
      assert.deepStrictEqual(
        results[0].tools.map((tool: { readonly name: string }) => tool.name),
        ["x_weather", "x_forecast"]
      )
      assert.strictEqual(results[1], "get_weather ran")
    })
  )

  it.effect("finds nothing that is filtered out outside, before and after it was found", () =>
    Effect.gen(function* () {
      const allowed = yield* Ref.make(true)
      const filtered = rare.pipe(
        Toolset.filtered((tool) => tool.name !== "get_forecast"),
        Toolset.filtered((tool) => (tool.name === "get_weather" ? Ref.get(allowed) : true))
      )
      const { results, seen } = yield* running(filtered, [search("weather"), search("weather")])
      assert.deepStrictEqual(
        results[0].tools.map((tool: { readonly name: string }) => tool.name),
        ["get_weather"]
      )
      assert.deepStrictEqual(seen[1], ["now", "search_tools", "get_weather"])
      yield* Ref.set(allowed, false)
      const again = yield* running(filtered, [search("weather")])
      assert.deepStrictEqual(again.results[0].tools, [])
      const nothingToFind = rare.pipe(Toolset.filtered(Toolset.named("now", "search_tools")))
      assert.deepStrictEqual(yield* names(nothingToFind), ["now"])
    })
  )

  it.effect("keeps the list before what was found, with the very same definitions", () =>
    Effect.gen(function* () {
      const tools = Toolset.combined(rare, answering("last"))
      const lists: Array<ReadonlyArray<string>> = []
      const model = ScriptedModel.layer(({ tools }) => {
        lists.push(tools.map((tool) => JSON.stringify(tool)))
        return lists.length === 1 ? search("mail") : lists.length === 2 ? search("weather") : done
      })
      yield* Agent.run(Agent.make({ toolsets: [tools] }), { prompt: "go" }).pipe(Effect.provide(model))
      const [one, two, three] = lists
      assert.deepStrictEqual(two!.slice(0, one!.length), one)
      assert.deepStrictEqual(three!.slice(0, two!.length), two)
      assert.strictEqual(one!.length, 3)
      assert.strictEqual(three!.length, 6)
    })
  )

  it.effect("finds at most so many, those first that the model does not have", () =>
    Effect.gen(function* () {
      const many = Toolset.combined(
        ...Array.from({ length: 30 }, (_, i) => described(`tool_${i}`, "Does something with files."))
      )
      const found = (limit?: number) =>
        Effect.map(
          running(many.pipe(Toolset.searchable({ limit })), [search("files"), search("files")]),
          ({ results }) =>
            results.map((result) => result.tools.map((tool: { readonly name: string }) => tool.name))
        )
      const [ten, next] = yield* found()
      assert.deepStrictEqual([ten.length, next.length], [10, 10])
      assert.deepStrictEqual(
        ten.filter((name: string) => next.includes(name)),
        []
      )
      const [two] = yield* found(2)
      assert.deepStrictEqual(two, ["tool_0", "tool_1"])
    })
  )

  it.effect("searches as it is told, with services; names that are not there are not found", () =>
    Effect.gen(function* () {
      class Index extends Context.Service<Index, Readonly<Record<string, ReadonlyArray<string>>>>()(
        "test/Index"
      ) {}
      const asked: Array<ReadonlyArray<string>> = []
      const tools = all.pipe(
        Toolset.searchable({
          when: (tool, run) => Effect.map(Index, () => tool.name !== "now" && run.step > 0),
          search: (query, tools) =>
            Effect.gen(function* () {
              asked.push(tools.map((tool) => tool.name))
              if (query === "broken") return yield* new Broken({ who: "index" })
              return (yield* Index)[query] ?? []
            })
        })
      )
      const calling = (query: string) =>
        Toolset.call(tools, "search_tools", { queries: [query] }).pipe(
          Effect.provideService(Index, { letters: ["send_mail", "now", "nothing", "send_mail"] })
        )
      assert.deepStrictEqual(yield* calling("letters"), {
        tools: [{ name: "send_mail", description: "Sends a mail to somebody." }]
      })
      assert.deepStrictEqual(asked, [["get_weather", "send_mail", "get_forecast"]])
      assert.strictEqual(yield* tag(calling("broken")), "Broken")
    })
  )

  it.effect("ranks by rare words, in names and descriptions", () =>
    Effect.gen(function* () {
      const found = (...queries: ReadonlyArray<string>) =>
        Effect.map(Toolset.call(Toolset.searchable(all), "search_tools", { queries }), (result) =>
          (result as { readonly tools: ReadonlyArray<{ readonly name: string }> }).tools.map(
            (tool) => tool.name
          )
        )
      assert.deepStrictEqual(yield* found("weather next days"), ["get_forecast", "get_weather"])
      assert.deepStrictEqual(yield* found("SENDING? send!", "mail"), ["send_mail"])
      assert.deepStrictEqual(yield* found("getWeather"), ["get_weather", "get_forecast"])
    })
  )

  it.effect("keeps two searches apart, and gates and masks what is found", () =>
    Effect.gen(function* () {
      const secret = Toolset.tool("read_secret", { handler: () => Effect.succeed("pw-91c3") }).pipe(
        Toolset.searchable()
      )
      const mails = Toolset.searchable(mail).pipe(Toolset.prefixed("m"))
      const tools = Toolset.combined(secret, mails).pipe(
        Toolset.guard(() => "allow"),
        Toolset.masked
      )
      const { results, seen } = yield* running(tools, [
        search("mail"),
        search("secret"),
        ScriptedModel.calls({ read_secret: {} }),
        ScriptedModel.calls({ m_search_tools: { queries: ["mail"] } })
      ])
      assert.deepStrictEqual(seen.at(-1), ["search_tools", "m_search_tools", "read_secret", "m_send_mail"])
      assert.deepStrictEqual(results[0].tools, [])
      assert.strictEqual(results[2], "***")
    }).pipe(Effect.provide(Secrets.layer(Redacted.make("pw-91c3"))))
  )
})
