/** An official server over HTTP, in a process of its own. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { ModelRetry, Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { createServer, type AddressInfo } from "node:net"
import { everything, onNode, watchedCall } from "./serving.ts"

/** A port that nobody listens on: this server does not say which it took. */
const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo
    server.close(() => resume(Effect.succeed(port)))
  })
})

const listening = Effect.gen(function* () {
  const port = yield* freePort
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const { args, command } = everything
  const handle = yield* spawner.spawn(
    ChildProcess.make(command, [...args, "streamableHttp"], { env: { PORT: String(port) }, extendEnv: true })
  )
  yield* handle.stderr.pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.filter((line) => line.includes("listening")),
    Stream.take(1),
    Stream.runDrain
  )
  return `http://127.0.0.1:${port}/mcp`
})

describe("the official server of everything, over HTTP", { timeout: 60_000 }, () => {
  it.live("is listed and called, and reports progress", () =>
    onNode(
      Effect.gen(function* () {
        const session = yield* Toolset.open(McpToolset.http({ url: yield* listening }))
        assert.strictEqual(yield* session.call("echo", { message: "hello" }), "Echo: hello")
        assert.strictEqual(yield* session.call("get-sum", { a: 1, b: 2 }), "The sum of 1 and 2 is 3.")
        assert.instanceOf(yield* Effect.flip(session.call("get-sum", { a: "one" })), ModelRetry)
        const { provided, seen } = watchedCall()
        yield* session.call("trigger-long-running-operation", { duration: 0.2, steps: 2 }).pipe(provided)
        assert.deepStrictEqual(seen, [
          { progress: 1, total: 2 },
          { progress: 2, total: 2 }
        ])
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  )
})
