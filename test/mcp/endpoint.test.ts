/** Where a server over HTTP is said to be, before anything is asked of it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { flaw } from "../toolset/asking.ts"

describe("the URL of an MCP server", () => {
  for (const url of [
    "nope",
    "",
    "/mcp",
    "ftp://example.com/mcp",
    Redacted.make("example.com/mcp?key=hunter2")
  ]) {
    it.effect(`is a whole one, and not '${String(url)}'`, () =>
      Effect.gen(function* () {
        const { hint, problem } = yield* flaw(Toolset.list(McpToolset.http({ url })))
        assert.strictEqual(problem, "Its `url` is not a whole one, of http or https.")
        assert.include(hint, "https://example.com/mcp")
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  }
})
