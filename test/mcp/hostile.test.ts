import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import * as McpSdk from "effect-toolset/McpSdk"
import * as McpToolset from "effect-toolset/McpToolset"

/** The tools of a server that describes one so. */
const describing = (inputSchema: object) =>
  McpSdk.fromClient({
    getInstructions: () => undefined,
    listTools: () => Promise.resolve({ tools: [{ name: "a", inputSchema: inputSchema as any }] }),
    callTool: () => Promise.resolve({ content: [] })
  })

describe("a server that describes its tools as nobody can read", () => {
  it.effect("is a failure, and no defect", () =>
    Effect.gen(function* () {
      let nested: object = { type: "object" }
      for (let depth = 0; depth < 20_000; depth++) nested = { type: "object", properties: { a: nested } }
      const error = yield* Effect.flip(Toolset.list(describing(nested)))
      assert.instanceOf(error, McpToolset.McpConnectionError)
    })
  )

  it.effect("may refer to nothing", () =>
    Effect.gen(function* () {
      const schema = { type: "object", $ref: "#/$defs/%E0%A4%A", $defs: { A: { type: "string" } } }
      const [tool] = yield* Toolset.list(describing(schema))
      assert.strictEqual(tool?.parameters.type, "object")
    })
  )
})
