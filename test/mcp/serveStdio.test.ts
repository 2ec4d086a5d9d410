import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { fileURLToPath } from "node:url"
import { node, onNode } from "./serving.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const served = {
  ...node("--import", "tsx", fileURLToPath(new URL("served/stdio.ts", import.meta.url))),
  cwd: root
}
const message = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`
const calling = (id: number, name: string) =>
  message({ id, method: "tools/call", params: { name, arguments: {} } })
const greeting = [
  message({
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" }
    }
  }),
  message({ method: "notifications/initialized" })
].join("")
const parameters = { ...served, args: [...served.args], stderr: "ignore" as const }

const clients = {
  "the official client 1": async () => {
    const client = new Client1({ name: "test", version: "1" })
    await client.connect(new Stdio1(parameters))
    return client
  },
  "the official client 2": async () => {
    const client = new Client({ name: "test", version: "1" })
    await client.connect(new StdioClientTransport(parameters))
    return client
  },
  "the official client 2, in the newest revision": async () => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } })
    await client.connect(new StdioClientTransport(parameters))
    return client
  }
}

describe("a toolset as an MCP server over stdio", { timeout: 120_000 }, () => {
  for (const [name, connect] of Object.entries(clients)) {
    it(`is listed and called by ${name}`, async () => {
      const client = await connect()
      try {
        assert.strictEqual(client.getInstructions(), "Be kind.")
        const { tools } = await client.listTools()
        assert.include(
          tools.map((tool) => tool.name),
          "weather"
        )
        const rome = await client.callTool({ name: "weather", arguments: { city: "Rome" } })
        assert.deepStrictEqual(rome.structuredContent, { name: "Rome", degrees: 20 })
        // What it logs does not get in the way.
        const logged = await client.callTool({ name: "logs", arguments: {} })
        assert.deepStrictEqual(logged.content, [{ type: "text", text: "logged" }])
      } finally {
        await client.close()
      }
    })
  }

  it.live("and back again is the toolset that it was", () =>
    onNode(
      Effect.gen(function* () {
        const session = yield* Toolset.open(McpToolset.stdio(served))
        assert.deepStrictEqual(yield* session.call("weather", { city: "Rome" }), {
          name: "Rome",
          degrees: 20
        })
        assert.deepStrictEqual(yield* session.call("list", {}), [1, 2])
      })
    )
  )

  it.live("ends well with its input, when all is answered", () =>
    onNode(
      Effect.gen(function* () {
        const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
        const command = ChildProcess.make(served.command, served.args, { cwd: root, stdin: Stream.empty })
        assert.strictEqual(yield* spawner.exitCode(command), 0)
      })
    )
  )

  it.live("ends with its input, also while a call hangs, and logs on stderr", () =>
    onNode(
      Effect.gen(function* () {
        const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
        const input = [greeting, calling(2, "logs"), calling(3, "hangs")].join("")
        const handle = yield* spawner.spawn(
          ChildProcess.make(served.command, served.args, {
            cwd: root,
            stdin: Stream.encodeText(Stream.make(input))
          })
        )
        const [stdout, stderr, exitCode] = yield* Effect.all(
          [
            Stream.mkString(Stream.decodeText(handle.stdout)),
            Stream.mkString(Stream.decodeText(handle.stderr)),
            handle.exitCode
          ],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(exitCode, 0)
        assert.include(stderr, "a log line")
        const lines = stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as { id?: number })
        assert.includeMembers(
          lines.map(({ id }) => id),
          [1, 2]
        )
        assert.notInclude(
          lines.map(({ id }) => id),
          3
        )
      })
    )
  )

  it.live("goes on after what it cannot read", () =>
    onNode(
      Effect.gen(function* () {
        const unreadable = [
          "Starting…\n",
          "  \n",
          'null\n5\n"ping"\n',
          message({ id: { a: 1 }, method: "ping" }),
          message({ id: null, method: "ping" }),
          // More than can be taken.
          calling(2, "x".repeat(17 * 1024 * 1024)),
          // The id of a call that is under way.
          calling(3, "logs")
        ]
        const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
        const isDone = yield* Deferred.make<void>()
        const pinged = unreadable.map((text, i) => text + message({ id: `after ${i}`, method: "ping" }))
        const input = Stream.make([greeting, calling(3, "hangs"), ...pinged].join("")).pipe(
          Stream.concat(Stream.drain(Stream.fromEffect(Deferred.await(isDone))))
        )
        const handle = yield* spawner.spawn(
          ChildProcess.make(served.command, served.args, { cwd: root, stdin: Stream.encodeText(input) })
        )
        const ids = yield* handle.stdout.pipe(
          Stream.decodeText(),
          Stream.splitLines,
          Stream.map((line) => (JSON.parse(line) as { id?: unknown }).id),
          Stream.take(1 + unreadable.length),
          Stream.runCollect
        )
        assert.sameDeepMembers([...ids], [1, ...unreadable.map((_, i) => `after ${i}`)])
        yield* Deferred.succeed(isDone, undefined)
        assert.strictEqual(yield* handle.exitCode, 0)
      })
    )
  )
})
