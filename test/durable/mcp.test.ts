/** Durable runs with an MCP server, in a process of its own, that is another one or down when they go on. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import { Agent, Toolset } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import * as McpToolset from "effect-toolset/McpToolset"
import { ScriptedModel } from "effect-toolset/testing"
import { listening } from "../mcp/listening.ts"
import { notebook, onNode } from "../mcp/serving.ts"
import { doing, killing } from "./attempts.ts"
import { asked, scripted } from "./models.ts"

const { calls, text } = ScriptedModel
const sdk = "@modelcontextprotocol/sdk"

/** A server, and attempts at a run that reads there, charges, and dies once while it ships. */
const started = Effect.fnUntraced(function* <E>(
  tools: (url: string) => Toolset.Toolset<E, HttpClient.HttpClient>
) {
  const { lines, path } = yield* notebook
  const first = yield* listening(sdk, { env: { CALLS: path } })
  const { does, done } = doing()
  const dies = killing(1)
  const shop = Toolset.combined(
    Toolset.tool("charge", { handler: () => does("charge", 1) }),
    Toolset.tool("ship", { handler: () => Effect.andThen(dies, does("ship", 1)) })
  )
  const agent = Agent.make({ toolsets: [tools(first.url), Toolset.withId(shop, "shop")] })
  const attempt = Agent.run(agent, { prompt: "Go.", durable: { runId: "run-1" } })
  assert.strictEqual((yield* Effect.exit(attempt))._tag, "Failure")
  assert.deepStrictEqual([yield* lines, done], [["files.read"], ["charge"]])
  yield* first.stop
  const again = listening(sdk, { port: first.port, env: { CALLS: path, ADDER: "Adds other numbers." } })
  const goesOn = Effect.gen(function* () {
    const { output, replayed } = yield* attempt
    assert.deepStrictEqual([output, replayed.requests, yield* asked], ["Done.", 3, 4])
    assert.deepStrictEqual([yield* lines, done], [["files.read"], ["charge", "ship"]])
  })
  return { again, attempt, goesOn }
})

const provided = Effect.provide([
  Layer.fresh(Durable.layerMemory),
  FetchHttpClient.layer,
  scripted([calls({ files_read: {} }), calls({ charge: {} }), calls({ ship: {} }), text("Done.")])
])

describe("a durable run, with an MCP server", { timeout: 60_000 }, () => {
  const server = (url: string) => McpToolset.http({ url, id: "offer" })

  it.live("that says other things of its tools by now, does nothing again", () =>
    onNode(
      Effect.gen(function* () {
        const { again, goesOn } = yield* started(server)
        yield* again
        yield* goesOn
      }).pipe(provided)
    )
  )

  const policies: Record<string, (url: string) => Toolset.Toolset<unknown, HttpClient.HttpClient>> = {
    catchTags: (url) => server(url).pipe(Toolset.catchTags({ McpConnectionError: "recover" })),
    orElse: (url) => server(url).pipe(Toolset.orElse(Toolset.empty))
  }
  for (const [name, left] of Object.entries(policies))
    it.live(`that is down and left out (${name}), does nothing again`, () =>
      onNode(
        Effect.gen(function* () {
          const { goesOn } = yield* started(left)
          yield* goesOn
        }).pipe(provided)
      )
    )

  it.live("that is down and not left out, fails as it does when it begins; once it is back it goes on", () =>
    onNode(
      Effect.gen(function* () {
        const { again, attempt, goesOn } = yield* started(server)
        const error = yield* Effect.flip(attempt)
        assert.instanceOf(error, McpToolset.McpConnectionError)
        yield* again
        yield* goesOn
      }).pipe(provided)
    )
  )
})
