import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { ModelRetry, Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { call, clients, listed, listening, official, presented, refusal, text } from "./officially.ts"
import { tools as offer } from "./served/tools.ts"
import { watchedCall } from "./serving.ts"

describe("a toolset as an MCP server", { timeout: 60_000 }, () => {
  for (const [name, connect] of Object.entries(clients)) {
    it.live(`is listed and called by ${name}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const client = yield* connect(yield* listening(McpToolset.serveHttp(offer, presented)))
          assert.strictEqual(client.getServerVersion()?.name, "served")
          assert.strictEqual(client.getInstructions(), "Be kind.")
          const tools = yield* listed(client)
          const byName = new Map(tools.map((tool) => [tool.name, tool]))
          const expected = "weather list hello picture logs breaks dies hangs counts slow pay exchange one"
          assert.strictEqual(Array.from(byName.keys()).join(" "), expected)
          const weather = byName.get("weather")!
          assert.strictEqual(weather.title, "Weather")
          assert.deepStrictEqual(weather.inputSchema.required, ["city"])
          assert.deepInclude(weather.annotations, {
            readOnlyHint: true,
            destructiveHint: true,
            idempotentHint: false
          })
          // Only results that are objects have a schema that is told.
          assert.deepStrictEqual(
            tools.filter((tool) => tool.outputSchema !== undefined).map((tool) => tool.name),
            ["weather"]
          )

          const rome = yield* call(client, "weather", { city: "Rome" })
          assert.deepStrictEqual(rome.structuredContent, { name: "Rome", degrees: 20 })
          assert.deepStrictEqual(rome.content, text('{"name":"Rome","degrees":20}'))
          const list = yield* call(client, "list")
          assert.deepStrictEqual([list.content, list.structuredContent], [text("[1,2]"), undefined])
          const image = { type: "image", data: "AQID", mimeType: "image/png" }
          assert.deepStrictEqual((yield* call(client, "picture")).content, [...text("Look:"), image])
          assert.deepStrictEqual((yield* call(client, "logs")).content, text("logged"))
        })
      )
    )

    it.live(`keeps the outcomes apart, for ${name}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const client = yield* connect(yield* listening(McpToolset.serveHttp(offer, presented)))
          const retry = yield* call(client, "weather", { city: "Atlantis" })
          assert.deepInclude(retry, {
            isError: true,
            content: text("There is no such city.\n\nFix the errors and try again.")
          })
          const failed = yield* call(client, "weather", { city: "Oz" })
          assert.deepInclude(failed, { isError: true, content: text("Oz is closed.") })
          const invalid = yield* call(client, "weather", { city: 1 })
          assert.isTrue(invalid.isError)
          assert.include(JSON.stringify(invalid.content), "Expected string")
          for (const fatal of ["breaks", "dies"]) {
            const [code, message] = yield* refusal(client, fatal)
            assert.strictEqual(code, -32603)
            assert.match(String(message), /Internal error$/)
          }
          assert.deepStrictEqual((yield* call(client, "hello")).content, text("hello"))
          for (const none of ["elsewhere", "nothing"]) {
            const [code, message] = yield* refusal(client, none)
            assert.strictEqual(code, -32602)
            assert.match(String(message), new RegExp(`Tool '${none}' not found`))
          }
        })
      )
    )

    it.live(`exchanges tools, and says so, for ${name}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const client = yield* connect(yield* listening(McpToolset.serveHttp(offer, presented)))
          assert.strictEqual((yield* refusal(client, "two"))[0], -32602)
          yield* call(client, "exchange")
          assert.strictEqual((yield* refusal(client, "one"))[0], -32602)
          assert.deepStrictEqual((yield* call(client, "two")).content, text("two"))
          const tools = yield* listed(client)
          const names = tools.map((tool) => tool.name)
          assert.include(names, "two")
          assert.notInclude(names, "one")
        })
      )
    )
  }

  for (const protocol of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const) {
    it.live(`and back again is the toolset that it was, in revision ${protocol}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const url = yield* listening(McpToolset.serveHttp(offer, presented))
          const session = yield* Toolset.open(McpToolset.http({ url, protocol }))
          assert.deepStrictEqual(yield* session.call("weather", { city: "Rome" }), {
            name: "Rome",
            degrees: 20
          })
          assert.deepStrictEqual(yield* session.call("list", {}), [1, 2])
          assert.instanceOf(yield* Effect.flip(session.call("weather", { city: "Atlantis" })), ModelRetry)
          const { provided, seen } = watchedCall()
          assert.strictEqual(yield* session.call("counts", {}).pipe(provided), "counted")
          assert.deepStrictEqual(seen, [
            { progress: 1, total: 2 },
            { progress: 2, total: 2 }
          ])
          const asked = yield* Effect.flip(session.call("pay", { amount: 50 }))
          assert.strictEqual(
            (asked as ModelRetry).message,
            "The call waits for an approval. Nobody can be asked here."
          )
        })
      ).pipe(Effect.provide(FetchHttpClient.layer))
    )
  }

  for (const mode of ["legacy", "auto"] as const) {
    it.live(`asks whoever sits before the client for approval (${mode})`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const questions: Array<string> = []
          const answers = [
            { action: "accept", content: { approve: true } },
            { action: "accept", content: { approve: false } },
            { action: "decline" },
            { action: "cancel" }
          ] as const
          const url = yield* listening(McpToolset.serveHttp(offer, presented))
          const client = yield* official(mode, { capabilities: { elicitation: {} } })(url)
          client.setRequestHandler("elicitation/create", async ({ params }) => {
            questions.push(params.message)
            return answers[questions.length - 1]!
          })
          assert.deepStrictEqual((yield* call(client, "pay", { amount: 5 })).content, text("paid 5"))
          assert.lengthOf(questions, 0)
          assert.deepStrictEqual((yield* call(client, "pay", { amount: 50 })).content, text("paid 50"))
          for (let i = 1; i < answers.length; i++) {
            const refused = yield* call(client, "pay", { amount: 50 })
            assert.deepInclude(refused, { isError: true, content: text("The call was not approved.") })
          }
          assert.lengthOf(questions, 4)
          assert.strictEqual(questions[0], `May the tool 'pay' be called with this?\n{\n  "amount": 50\n}`)
        })
      )
    )
  }
})
