import {
  Client,
  type ClientOptions,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport
} from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { McpClient, McpClientError, McpProtocol } from "effect/ai"
import { FetchHttpClient } from "effect/http"
import { ChildProcess } from "effect/process"
import { ModelRetry, Toolset } from "effect-toolset"
import * as McpSdk from "effect-toolset/McpSdk"
import * as McpToolset from "effect-toolset/McpToolset"
import { listening } from "./listening.ts"
import { everything, notebook, offering, onNode, raw, watchedCall } from "./serving.ts"

const { args, command } = offering["sdk 1"]

/** effect's own client. */
const connect = (env: Record<string, string> = {}) =>
  McpClient.make({ name: "test", version: "1" }).pipe(
    Effect.provideServiceEffect(
      McpClient.Transport,
      McpClient.stdio({
        command: ChildProcess.make(command, args, { env, extendEnv: true }),
        protocol: McpProtocol.v2025_11_25
      })
    )
  )

/** The official client over any transport. */
const connected = (
  transport: () => Transport,
  prepare: (client: Client) => void = () => {},
  options: ClientOptions = {}
) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "1" }, options)
      prepare(client)
      await client.connect(transport())
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

/** The official one. */
const official = (env: Record<string, string> = {}) =>
  connected(() => new StdioClientTransport({ command, args: [...args], stderr: "ignore", env }))

const offer = [
  ["effect's client", (env?: Record<string, string>) => McpToolset.fromClient(connect(env), { id: "offer" })],
  ["the official client", (env?: Record<string, string>) => McpSdk.fromClient(official(env), { id: "offer" })]
] as const

describe("a toolset over a client", { timeout: 60_000 }, () => {
  for (const [name, make] of offer) {
    it.live(`of its own lists and calls, and maps results and failures, with ${name}`, () =>
      onNode(
        Effect.gen(function* () {
          const session = yield* Toolset.open(make())
          assert.strictEqual(yield* session.call("add", { a: 1, b: 2 }), "3")
          assert.deepStrictEqual(yield* session.call("structured", {}), { city: "Rome" })
          assert.deepStrictEqual(yield* session.call("wrapped", {}), [1, 2])
          const image = { type: "image", mimeType: "image/png", bytes: 8 }
          assert.deepStrictEqual(yield* session.call("picture", {}), ["Look:", image])
          const fails = yield* Effect.flip(session.call("fails", {}))
          assert.deepStrictEqual(fails, new ModelRetry({ message: "No such city.", reason: "body" }))
          const throws = yield* Effect.flip(session.call("throws", {}))
          assert.instanceOf(throws, ModelRetry)
          assert.include(throws.message, "lookup of undefined failed")
          assert.notInclude(throws.message, "at lookup")
        })
      )
    )

    it.live(`of its own connects again where the connection was lost, with ${name}`, () =>
      onNode(
        Effect.gen(function* () {
          const { lines, path } = yield* notebook
          const session = yield* Toolset.open(make({ CALLS: path, MARK: `${path}.mark` }))
          assert.strictEqual(yield* session.call("dies_once", {}), "back again")
          assert.instanceOf(yield* Effect.flip(session.call("dies", {})), McpToolset.McpOutcomeUnknown)
          assert.deepStrictEqual(yield* lines, ["dies_once", "dies_once", "dies"])
        })
      )
    )

    it.live(`tells the server when a call is interrupted, with ${name}`, () =>
      onNode(
        Effect.gen(function* () {
          const { lines, path } = yield* notebook
          const until = (word: string) =>
            Effect.repeat(lines, {
              until: (lines) => lines.includes(word),
              schedule: Schedule.spaced("20 millis")
            })
          const session = yield* Toolset.open(make({ CALLS: path }))
          const call = yield* Effect.forkChild(session.call("never", {}))
          yield* until("waiting")
          yield* Fiber.interrupt(call)
          yield* until("aborted")
        })
      )
    )
  }

  it.live("that somebody else holds leaves it open", () =>
    onNode(
      Effect.gen(function* () {
        const client = yield* connect()
        const toolset = McpToolset.fromClient(client)
        assert.strictEqual(yield* Toolset.call(toolset, "add", { a: 1, b: 2 }), "3")
        assert.strictEqual(yield* Toolset.call(toolset, "add", { a: 2, b: 2 }), "4")
        const sdk = yield* official()
        assert.strictEqual(yield* Toolset.call(McpSdk.fromClient(sdk), "add", { a: 1, b: 2 }), "3")
        assert.strictEqual(yield* Toolset.call(McpSdk.fromClient(sdk), "add", { a: 2, b: 2 }), "4")
      })
    )
  )

  it.live("that somebody else holds, and that is lost, fails typed", () =>
    onNode(
      Effect.gen(function* () {
        for (const toolset of [
          McpToolset.fromClient(yield* connect()),
          McpSdk.fromClient(yield* official())
        ]) {
          const session = yield* Toolset.open(toolset)
          assert.instanceOf(yield* Effect.flip(session.call("dies", {})), McpToolset.McpOutcomeUnknown)
          const error = yield* Effect.flip(session.call("add", { a: 1, b: 2 }))
          assert.instanceOf(error, McpToolset.McpCallError)
        }
      })
    )
  )

  it.live("fails with the failure of connecting, as it is", () =>
    onNode(
      Effect.gen(function* () {
        const refusing = McpClient.make({ name: "test", version: "1" }).pipe(
          Effect.provideServiceEffect(
            McpClient.Transport,
            McpClient.stdio({
              command: ChildProcess.make(command, raw("answer=1999-01-01").args),
              protocol: McpProtocol.v2025_11_25
            })
          )
        )
        const error = yield* Effect.flip(Toolset.list(McpToolset.fromClient(refusing)))
        assert.instanceOf(error, McpClientError.McpClientError)
      })
    )
  )

  it.live("reports progress, with the official client", () =>
    onNode(
      Effect.gen(function* () {
        const { provided, seen } = watchedCall()
        const session = yield* Toolset.open(McpSdk.fromClient(official()))
        const slow = session.call("slow", { parts: 2 }).pipe(provided)
        assert.strictEqual(yield* slow, "done")
        assert.deepStrictEqual(seen, [
          { progress: 1, total: 2 },
          { progress: 2, total: 2 }
        ])
      })
    )
  )

  it.live("speaks over HTTP with the official client too, and a lost session is connected anew", () =>
    onNode(
      Effect.gen(function* () {
        const first = yield* listening("@modelcontextprotocol/sdk")
        const connecting = connected(() => new StreamableHTTPClientTransport(new URL(first.url)))
        const session = yield* Toolset.open(McpSdk.fromClient(connecting))
        assert.strictEqual(yield* session.call("files_read", {}), "files.read was called")
        yield* first.stop
        yield* listening("@modelcontextprotocol/sdk", { port: first.port })
        assert.strictEqual(yield* session.call("files_read", {}), "files.read was called")
      })
    )
  )

  it.live("speaks over the older transport with the official client, which ours says", () =>
    onNode(
      Effect.gen(function* () {
        const { url } = yield* listening("sse")
        const connecting = connected(() => new SSEClientTransport(new URL(url)))
        assert.strictEqual(yield* Toolset.call(McpSdk.fromClient(connecting), "add", { a: 1, b: 2 }), "3")
        const error = yield* Effect.flip(Toolset.list(McpToolset.http({ url })))
        assert.match(String(error), /McpSdk\.fromClient/)
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  )

  it.live("lets a server ask the user, with the official client", () =>
    onNode(
      Effect.gen(function* () {
        const connecting = connected(
          () => new StdioClientTransport({ ...everything, args: [...everything.args], stderr: "ignore" }),
          (client) => client.setRequestHandler("elicitation/create", async () => ({ action: "decline" })),
          { capabilities: { elicitation: {} } }
        )
        const answer = yield* Toolset.call(McpSdk.fromClient(connecting), "trigger-elicitation-request", {})
        assert.include(JSON.stringify(answer), "declined")
      })
    )
  )
})
