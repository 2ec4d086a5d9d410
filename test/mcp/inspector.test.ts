import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as McpToolset from "effect-toolset/McpToolset"
import { fileURLToPath } from "node:url"
import { inspected } from "./inspecting.ts"
import { listening, presented, text } from "./officially.ts"
import { tools as offer } from "./served/tools.ts"

const served = [
  process.execPath,
  "--import",
  import.meta.resolve("tsx"),
  fileURLToPath(new URL("served/stdio.ts", import.meta.url))
]

/** Where it is served, as the inspector wants to be told. */
const places = {
  stdio: Effect.succeed(served),
  HTTP: Effect.map(listening(McpToolset.serveHttp(offer, presented)), (url) => [url])
}

describe("a toolset as an MCP server, for the inspector's command line", { timeout: 300_000 }, () => {
  for (const [name, place] of Object.entries(places)) {
    it.live(`is listed and called over ${name}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const target = yield* place
          const call = (tool: string, ...args: ReadonlyArray<string>) =>
            inspected(
              ...target,
              "--method",
              "tools/call",
              "--tool-name",
              tool,
              ...args.flatMap((arg) => ["--tool-arg", arg])
            )

          // In full, and with nothing to object to in the schemas.
          const { err, exitCode, json } = yield* inspected(...target, "--method", "tools/list", "--strict")
          assert.strictEqual(exitCode, 0, err)
          const names = json.tools.map((tool: { name: string }) => tool.name).join(" ")
          assert.strictEqual(
            names,
            "weather list hello picture logs breaks dies hangs counts slow pay exchange one"
          )

          const rome = yield* call("weather", "city=Rome")
          assert.strictEqual(rome.exitCode, 0, rome.err)
          assert.deepStrictEqual(rome.json.structuredContent, { name: "Rome", degrees: 20 })

          // A failed result is one: its exit code says so.
          const oz = yield* call("weather", "city=Oz")
          assert.strictEqual(oz.exitCode, 5)
          assert.deepInclude(oz.json, { isError: true, content: text("Oz is closed.") })
        })
      )
    )
  }
})
