import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
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
        const message = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`
        const clientInfo = { name: "t", version: "1" }
        const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }
        const input = [
          message({ id: 1, method: "initialize", params }),
          message({ method: "notifications/initialized" }),
          message({ id: 2, method: "tools/call", params: { name: "logs", arguments: {} } }),
          message({ id: 3, method: "tools/call", params: { name: "hangs", arguments: {} } })
        ].join("")
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
})
