import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Fiber, Redacted } from "effect"
import { ModelRetry, ToolFailed, Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { node, notebook, offering, onNode, raw, sdk1 } from "./serving.ts"
import { isAlive, until } from "./until.ts"

const secret = "hunter2-hunter2"

describe("a tool that fails", { timeout: 60_000 }, () => {
  for (const [name, server] of Object.entries(offering)) {
    it.live(`asks for another try, on ${name}`, () =>
      onNode(
        Effect.gen(function* () {
          const env = { SECRET: Redacted.make(secret) }
          const session = yield* Toolset.open(McpToolset.stdio({ ...server, env }))
          const fails = yield* Effect.flip(session.call("fails", { text: "No such city." }))
          assert.deepStrictEqual(fails, new ModelRetry({ message: "No such city.", reason: "body" }))
          // What a handler throws is shown without the secret that the server was given, and without the stack.
          const throws = yield* Effect.flip(session.call("throws", {}))
          assert.deepStrictEqual(throws, new ModelRetry({ message: "lookup of *** failed", reason: "body" }))
        })
      )
    )
  }

  it.live("fails or ends the run where `onError` says so", () =>
    onNode(
      Effect.gen(function* () {
        const recovering = McpToolset.stdio({ ...offering["sdk 1"], onError: "recover" })
        const failed = yield* Effect.flip(Toolset.call(recovering, "fails", {}))
        assert.deepStrictEqual(failed, new ToolFailed({ message: "No such city." }))
        const failing = McpToolset.stdio({ ...offering["sdk 1"], id: "offer", onError: "fail" })
        const session = yield* Toolset.open(failing)
        const error = yield* Effect.flip(session.call("fails", {}))
        assert.instanceOf(error, McpToolset.McpToolError)
        assert.strictEqual(error.message, "The tool 'fails' of the MCP server 'offer' failed: No such city.")
        const thrown = yield* Effect.flip(session.call("throws", {}))
        assert.instanceOf(thrown, McpToolset.McpToolError)
        assert.strictEqual(thrown.code, -32603)
      })
    )
  )

  it.live("says at most so much", () =>
    onNode(
      Effect.gen(function* () {
        const error = yield* Effect.flip(Toolset.call(sdk1(), "fails", { text: "x".repeat(100_000) }))
        assert.isAtMost((error as ModelRetry).message.length, 4001)
      })
    )
  )
})

describe("a server that does not start", { timeout: 60_000 }, () => {
  const opening = (options: McpToolset.StdioOptions) =>
    onNode(Effect.flip(Toolset.open(McpToolset.stdio({ id: "odd", ...options }))))

  it.live("is told apart by how it ended and what it wrote", () =>
    Effect.gen(function* () {
      const error = yield* opening(raw("exit"))
      assert.instanceOf(error, McpToolset.McpConnectionError)
      assert.strictEqual(error.exitCode, 7)
      assert.strictEqual(error.stderr, "GITHUB_TOKEN is not set")
      assert.match(
        error.message,
        /^The MCP server 'odd' cannot be used: MCP .*; it ended with exit code 7\.\n/
      )
      assert.include(error.message, "Its stderr ends with:\nGITHUB_TOKEN is not set")
    })
  )

  it.live("is named where there is no such program", () =>
    Effect.gen(function* () {
      const error = yield* opening({ command: "no-such-program", args: ["x"] })
      assert.instanceOf(error, McpToolset.McpConnectionError)
      assert.match(error.message, /Cannot spawn MCP server: NotFound: .*no-such-program/)
    })
  )

  it.live("is given up after a while, and what it wrote is told", () =>
    Effect.gen(function* () {
      const error = yield* opening({ ...raw("mute"), connectTimeout: "2 seconds" })
      assert.instanceOf(error, McpToolset.McpConnectionError)
      assert.strictEqual(
        error.message,
        "The MCP server 'odd' cannot be used: it did not answer within 2s.\nIts stderr ends with:\nthinking…"
      )
    })
  )

  it.live("hides what it was given", () =>
    Effect.gen(function* () {
      const code = "console.error('bad key ' + process.env.KEY + ' and ' + process.argv[1]); process.exit(1)"
      const args = ["-e", code, Redacted.make("other-secret")]
      const error = yield* opening({ ...node(), args, env: { KEY: Redacted.make(secret) } })
      assert.instanceOf(error, McpToolset.McpConnectionError)
      assert.strictEqual(error.stderr, "bad key *** and ***")
      assert.notInclude(Cause.pretty(Cause.fail(error)), secret)
      assert.notInclude(JSON.stringify(error), secret)
    })
  )

  it.live("leaves a toolset without tools where its failures are recovered", () =>
    onNode(
      Effect.gen(function* () {
        const toolset = McpToolset.stdio(raw("exit")).pipe(
          Toolset.catchTags({ McpConnectionError: "recover" })
        )
        assert.deepStrictEqual(yield* Toolset.list(toolset), [])
      })
    )
  )
})

describe("a server that dies", { timeout: 60_000 }, () => {
  it.live("is started again, and the outcome of the call is unknown", () =>
    onNode(
      Effect.gen(function* () {
        const { lines, path } = yield* notebook
        const session = yield* Toolset.open(sdk1({ CALLS: path, SECRET: Redacted.make(secret) }))
        const error = yield* Effect.flip(session.call("dies", {}))
        assert.instanceOf(error, McpToolset.McpOutcomeUnknown)
        assert.strictEqual(
          error.message,
          "The connection to the MCP server 'offer' was lost during a call of 'dies', and it is unknown whether the " +
            "tool ran: MCP server closed stdout; it ended with exit code 3."
        )
        assert.instanceOf(error.cause, McpToolset.McpConnectionError)
        assert.include(error.cause.message, "fatal: the key *** was refused")
        assert.notInclude(error.cause.message, "at crash")
        assert.strictEqual(yield* session.call("add", { a: 1, b: 2 }), "3")
        assert.deepStrictEqual(yield* lines, ["dies", "add"])
      })
    )
  )

  it.live("by a signal is said to", () =>
    onNode(
      Effect.gen(function* () {
        const { lines, path } = yield* notebook
        const session = yield* Toolset.open(sdk1({ CALLS: path }))
        const { pid } = (yield* session.call("process", {})) as { pid: number }
        const waiting = yield* Effect.forkChild(Effect.flip(session.call("never", {})))
        yield* until(Effect.map(lines, (lines) => lines.includes("waiting")))
        yield* Effect.sync(() => process.kill(pid, "SIGKILL"))
        const error = yield* Fiber.join(waiting)
        assert.match(String(error), /MCP server closed stdout; it was ended by SIGKILL\.$/)
      })
    )
  )

  it.live("is asked again where that does no harm, once", () =>
    onNode(
      Effect.gen(function* () {
        const { lines, path } = yield* notebook
        const session = yield* Toolset.open(sdk1({ CALLS: path, MARK: `${path}.mark` }))
        assert.strictEqual(yield* session.call("dies_once", {}), "back again")
        assert.deepStrictEqual(yield* lines, ["dies_once", "dies_once"])
        const error = yield* Effect.flip(session.call("always_dies", {}))
        assert.instanceOf(error, McpToolset.McpCallError)
        assert.deepStrictEqual((yield* lines).slice(2), ["always_dies", "always_dies"])
      })
    )
  )

  it.live("is started again for the next call, where none was under way", () =>
    onNode(
      Effect.gen(function* () {
        const session = yield* Toolset.open(sdk1())
        const { pid } = (yield* session.call("process", {})) as { pid: number }
        assert.strictEqual(yield* session.call("leaves", {}), "bye")
        yield* until(Effect.sync(() => !isAlive(pid)))
        assert.strictEqual(yield* session.call("files_read", {}), "files.read was called")
        assert.notDeepEqual(yield* session.call("process", {}), { pid })
      })
    )
  )

  it.live("and does not come back makes every call fail, typed", () =>
    onNode(
      Effect.gen(function* () {
        const { path } = yield* notebook
        // Starts once: the second time the file is there.
        const script = `test -s ${path} && exit 9; echo started > ${path}; exec ${process.execPath} ${offering["sdk 1"].args.join(" ")}`
        const session = yield* Toolset.open(
          McpToolset.stdio({ id: "once", command: "sh", args: ["-c", script] })
        )
        assert.instanceOf(yield* Effect.flip(session.call("dies", {})), McpToolset.McpOutcomeUnknown)
        const error = yield* Effect.flip(session.call("add", { a: 1, b: 2 }))
        assert.instanceOf(error, McpToolset.McpCallError)
        assert.include(error.message, "it could not be connected again. The MCP server 'once' cannot be used")
        assert.strictEqual((error.cause as McpToolset.McpConnectionError).exitCode, 9)
      })
    )
  )

  it.live("is started again with what the toolset was provided with, also where runs share it", () =>
    Effect.gen(function* () {
      const provided = sdk1().pipe(Toolset.provide(NodeServices.layer))
      const session = yield* Toolset.open(yield* Toolset.shared(provided))
      assert.instanceOf(yield* Effect.flip(session.call("dies", {})), McpToolset.McpOutcomeUnknown)
      assert.strictEqual(yield* session.call("add", { a: 1, b: 2 }), "3")
    }).pipe(Effect.scoped)
  )

  it.live("takes all calls with it, and is started again once for those that are made next", () =>
    onNode(
      Effect.gen(function* () {
        const { lines, path } = yield* notebook
        const session = yield* Toolset.open(sdk1({ CALLS: path }))
        const waiting = yield* Effect.forkChild(Effect.flip(session.call("never", {})))
        yield* until(Effect.map(lines, (lines) => lines.includes("waiting")))
        assert.instanceOf(yield* Effect.flip(session.call("dies", {})), McpToolset.McpOutcomeUnknown)
        assert.instanceOf(yield* Fiber.join(waiting), McpToolset.McpOutcomeUnknown)
        const pids = yield* Effect.all([session.call("process", {}), session.call("process", {})], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(pids[0], pids[1])
      })
    )
  )
})
