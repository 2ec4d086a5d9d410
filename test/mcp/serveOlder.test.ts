import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { fileURLToPath } from "node:url"
import { node, onNode } from "./serving.ts"
import { until } from "./until.ts"

const served = {
  ...node("--import", "tsx", fileURLToPath(new URL("served/stdio.ts", import.meta.url))),
  cwd: fileURLToPath(new URL("../..", import.meta.url))
}

/** What this client offers a server. */
interface Offer {
  readonly sdk: string
  readonly capabilities?: object
}

/** An older official client over stdio; its types are not those of today. */
const connected = ({ capabilities = {}, sdk }: Offer) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { Client } = await import(`${sdk}/client/index.js`)
      const { StdioClientTransport } = await import(`${sdk}/client/stdio.js`)
      const schemas = await import(`${sdk}/types.js`)
      const client = new Client({ name: "test", version: "1" }, { capabilities })
      const changes: Array<string> = []
      client.setNotificationHandler(
        schemas.ToolListChangedNotificationSchema,
        ({ method }: { method: string }) => void changes.push(method)
      )
      await client.connect(new StdioClientTransport({ ...served, args: [...served.args], stderr: "ignore" }))
      return { client, schemas, changes }
    }),
    ({ client }) => Effect.promise(() => client.close())
  )

const answer = (client: any, name: string, args: object = {}) =>
  Effect.promise(async () => (await client.callTool({ name, arguments: args })).content[0].text as string)

const revisions = { "2024-11-05": "sdk-1.0", "2025-03-26": "sdk-1.11", "2025-06-18": "sdk-1.17" } as const

describe("a toolset as an MCP server over stdio, in older revisions", { timeout: 120_000 }, () => {
  for (const [protocol, sdk] of Object.entries(revisions)) {
    it.live(`is called, and announces changes, in ${protocol}`, () =>
      onNode(
        Effect.gen(function* () {
          const { changes, client } = yield* connected({ sdk })
          assert.strictEqual(
            yield* answer(client, "weather", { city: "Rome" }),
            '{"name":"Rome","degrees":20}'
          )
          assert.deepStrictEqual(changes, [])
          yield* answer(client, "exchange")
          yield* until(Effect.sync(() => changes.length > 0))
          assert.strictEqual(yield* answer(client, "two"), "two")
          assert.include(yield* answer(client, "pay", { amount: 50 }), "Nobody can be asked here.")
        })
      )
    )

    it.live(`and back again is the toolset that it was, in ${protocol}`, () =>
      onNode(
        Effect.gen(function* () {
          const session = yield* Toolset.open(
            McpToolset.stdio({ ...served, protocol: protocol as keyof typeof revisions })
          )
          assert.deepStrictEqual(yield* session.call("weather", { city: "Rome" }), {
            name: "Rome",
            degrees: 20
          })
          assert.deepStrictEqual(yield* session.call("list", {}), [1, 2])
        })
      )
    )
  }

  it.live("asks whoever sits before the client in 2025-06-18", () =>
    onNode(
      Effect.gen(function* () {
        const { client, schemas } = yield* connected({ sdk: "sdk-1.17", capabilities: { elicitation: {} } })
        const questions: Array<string> = []
        const answers = [{ action: "accept", content: { approve: true } }, { action: "decline" }]
        client.setRequestHandler(
          schemas.ElicitRequestSchema,
          async ({ params }: { params: { message: string } }) => {
            questions.push(params.message)
            return answers[questions.length - 1]
          }
        )
        assert.strictEqual(yield* answer(client, "pay", { amount: 50 }), "paid 50")
        assert.strictEqual(yield* answer(client, "pay", { amount: 50 }), "The call was not approved.")
        assert.lengthOf(questions, 2)
        assert.strictEqual(questions[0], `May the tool 'pay' be called with this?\n{\n  "amount": 50\n}`)
      })
    )
  )
})
