import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { logging } from "../operators/asking.ts"
import { onNode, raw } from "./serving.ts"

type Way = <R>(toolset: Toolset.Toolset<McpToolset.McpError, R>) => Toolset.Toolset<McpToolset.McpError, R>

const ways: Readonly<Record<string, Way>> = {
  "a policy": (toolset) => Toolset.catchTags(toolset, { McpConnectionError: "recover" }),
  "another toolset": (toolset) => Toolset.orElse(toolset, Toolset.empty)
}

describe("a configured server that is not there", { timeout: 60_000 }, () => {
  for (const [name, way] of Object.entries(ways)) {
    it.live(`is left out by ${name}, with a warning that names it`, () =>
      onNode(
        Effect.gen(function* () {
          const { layer, lines } = logging()
          const config = { mcpServers: { gone: raw("exit"), here: raw("tools=ping") } }
          const toolsets = yield* McpToolset.fromConfig(config)
          const there = Toolset.combined(...toolsets.map((toolset) => way(toolset)))
          const names = yield* Toolset.list(there).pipe(Effect.provide(layer))
          assert.deepStrictEqual(
            names.map((tool) => tool.name),
            ["here_ping"]
          )
          const warnings = lines.filter((line) => line.startsWith("Warn"))
          assert.lengthOf(warnings, 1)
          assert.include(warnings[0], "'gone'")
          assert.include(warnings[0], "it ended with exit code 7")
        }).pipe(Effect.provide(FetchHttpClient.layer))
      )
    )
  }
})
