import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { McpClient } from "effect/ai"
import { ChildProcess } from "effect/process"
import { ModelRetry, Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { negotiated, newest } from "../../src/mcp/revision.ts"
import { everything, filesystem, memory, offering, onNode, raw } from "./serving.ts"

const clientInfo = { name: "test", version: "1.0.0" }

/** What is agreed on with a server; nothing, where it speaks only the revision without a handshake. */
const agreed = Effect.fnUntraced(function* ({ args, command }: ReturnType<typeof raw>) {
  const transport = yield* McpClient.stdio({ command: ChildProcess.make(command, args), protocol: newest })
  return (yield* negotiated(transport, clientInfo))?.protocol.protocolVersion as string | undefined
})

const expected: Readonly<Record<string, string | undefined>> = {
  "sdk 1.0": "2024-11-05",
  "sdk 1.11": "2025-03-26",
  "sdk 1.17": "2025-06-18",
  "sdk 1": "2025-11-25",
  "sdk 2": "2025-11-25",
  "sdk 2, nothing older": undefined
}

describe("the revision of MCP", { timeout: 60_000 }, () => {
  for (const [name, server] of Object.entries(offering)) {
    it.live(`with ${name} is ${expected[name] ?? "2026-07-28"}, and there tools are listed and called`, () =>
      onNode(
        Effect.gen(function* () {
          assert.strictEqual(yield* agreed(server), expected[name])
          const session = yield* Toolset.open(McpToolset.stdio(server))
          assert.strictEqual(yield* session.call("add", { a: 1, b: 2 }), "3")
          assert.deepStrictEqual(yield* session.call("structured", {}), { city: "Rome" })
          const retry = yield* Effect.flip(session.call("fails", {}))
          assert.deepStrictEqual(retry, new ModelRetry({ message: "No such city.", reason: "body" }))
        })
      )
    )
  }

  it.live("is the newest one with the official servers", () =>
    onNode(
      Effect.gen(function* () {
        for (const server of [everything, filesystem("/tmp"), memory]) {
          assert.strictEqual(yield* agreed(server), "2025-11-25")
        }
      })
    )
  )

  it.live("is that of a server that refuses all others", () =>
    onNode(
      Effect.gen(function* () {
        assert.strictEqual(yield* agreed(raw("only=2025-06-18")), "2025-06-18")
        const [tool] = yield* Toolset.list(McpToolset.stdio(raw("only=2025-06-18")))
        assert.strictEqual(tool?.name, "ping")
      })
    )
  )

  for (const revision of ["2024-10-07", "2099-01-01"]) {
    it.live(`is none with a server that answers ${revision}, and the error names those there are`, () =>
      onNode(
        Effect.gen(function* () {
          const error = yield* Effect.flip(
            Toolset.list(McpToolset.stdio({ ...raw(`answer=${revision}`), id: "odd" }))
          )
          assert.instanceOf(error, McpToolset.McpConnectionError)
          assert.strictEqual(
            error.message,
            `The MCP server 'odd' cannot be used: the server chose revision '${revision}'; spoken here are ` +
              "2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05."
          )
        })
      )
    )
  }

  it.live("is asked for in one process and one handshake", () =>
    onNode(
      Effect.gen(function* () {
        const session = yield* Toolset.open(McpToolset.stdio(raw()))
        assert.deepStrictEqual(yield* session.call("heard", {}), [
          "initialize 2025-11-25",
          "notifications/initialized",
          "tools/list",
          "tools/call"
        ])
      })
    )
  )

  for (const protocol of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const) {
    it.live(`is ${protocol} where that is asked for`, () =>
      onNode(
        Effect.gen(function* () {
          const session = yield* Toolset.open(McpToolset.stdio({ ...offering["sdk 2"], protocol }))
          assert.strictEqual(yield* session.call("add", { a: 1, b: 2 }), "3")
          const refused = yield* Effect.exit(
            Toolset.list(McpToolset.stdio({ ...offering["sdk 2, nothing older"], protocol }))
          )
          assert.strictEqual(refused._tag, protocol === "2026-07-28" ? "Success" : "Failure")
        })
      )
    )
  }
})
