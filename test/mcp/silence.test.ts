import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { ModelRetry, ToolFailed, Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { notebook, onNode, raw, sdk1 } from "./serving.ts"
import { until } from "./until.ts"

describe("a server that does not answer", { timeout: 60_000 }, () => {
  it.live("is told so when the time is up, and can be used further", () =>
    onNode(
      Effect.gen(function* () {
        const { lines, path } = yield* notebook
        const toolset = sdk1({ CALLS: path }).pipe(Toolset.timeout("300 millis"))
        const session = yield* Toolset.open(toolset)
        const error = yield* Effect.flip(session.call("never", {}))
        assert.deepStrictEqual(
          error,
          new ModelRetry({ message: "Timed out after 0.3 seconds.", reason: "timeout" })
        )
        yield* until(Effect.map(lines, (lines) => lines.includes("aborted")))
        assert.strictEqual(yield* session.call("files_read", {}), "files.read was called")
      })
    )
  )

  it.live("is told so when the call is interrupted", () =>
    onNode(
      Effect.gen(function* () {
        const { lines, path } = yield* notebook
        const session = yield* Toolset.open(sdk1({ CALLS: path }))
        const call = yield* Effect.forkChild(session.call("never", {}))
        yield* until(Effect.map(lines, (lines) => lines.includes("waiting")))
        yield* Fiber.interrupt(call)
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(call)))
        yield* until(Effect.map(lines, (lines) => lines.includes("aborted")))
      })
    )
  )
})

describe("a server that answers nonsense", { timeout: 60_000 }, () => {
  it.live("fails the call, typed", () =>
    onNode(
      Effect.gen(function* () {
        const session = yield* Toolset.open(McpToolset.stdio({ ...raw(), id: "odd" }))
        const error = yield* Effect.flip(session.call("nonsense", {}))
        assert.instanceOf(error, McpToolset.McpCallError)
        assert.strictEqual(
          error.message,
          "The tool 'nonsense' of the MCP server 'odd' gave no answer: Invalid MCP payload."
        )
        assert.strictEqual(yield* session.call("ping", {}), "pong")
      })
    )
  )

  it.live("or more than fits is told to the model, and the next call starts it again", () =>
    onNode(
      Effect.gen(function* () {
        const session = yield* Toolset.open(sdk1())
        const error = yield* Effect.flip(session.call("huge", { megabytes: 17 }))
        assert.instanceOf(error, ToolFailed)
        assert.match(error.message, /^The result is too large/)
        assert.strictEqual(yield* session.call("files_read", {}), "files.read was called")
      })
    )
  )
})
