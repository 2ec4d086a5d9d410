import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Logger, Redacted, References, Schedule } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { notebook, offering, onNode, raw, sdk1 } from "./serving.ts"

/** The processes whose command line has a word in it. */
const running = Effect.fnUntraced(function* (word: string) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const lines = yield* spawner.lines(ChildProcess.make("ps", ["-eo", "pid,args"]))
  return lines.filter((line) => line.includes(word) && !line.includes("ps -eo"))
})

/** A server behind a shell, so that there are two processes, both with the word in their command lines. */
const behindShell = (word: string) => {
  const { args, command } = offering["sdk 1"]
  return McpToolset.stdio({
    command: "sh",
    args: ["-c", `${command} ${args.join(" ")} ${word}; true`]
  })
}

describe("the environment of a server", { timeout: 60_000 }, () => {
  it.live("is what programs need, and what was named, and nothing else", () =>
    onNode(
      Effect.gen(function* () {
        process.env.SOME_SECRET = "of the parent"
        const given = { TOKEN: Redacted.make("token"), MODE: "test", HOME: "/elsewhere", TERM: undefined }
        const environment = (yield* Toolset.call(sdk1(given), "environment", {})) as Record<string, string>
        delete process.env.SOME_SECRET
        const inherited = ["LOGNAME", "PATH", "SHELL", "USER"].filter(
          (name) => process.env[name] !== undefined
        )
        assert.sameMembers(Object.keys(environment), [...inherited, "TOKEN", "MODE", "HOME"])
        assert.strictEqual(environment.TOKEN, "token")
        assert.strictEqual(environment.HOME, "/elsewhere")
        assert.strictEqual(environment.PATH, process.env.PATH)
      })
    )
  )
})

describe("the output of a server", { timeout: 60_000 }, () => {
  it.live("may have other lines in it, which are logged", () =>
    onNode(
      Effect.gen(function* () {
        const lines: Array<unknown> = []
        const listening = Logger.make(({ message }) => lines.push(message))
        const call = Toolset.call(McpToolset.stdio(raw("banner")), "ping", {}).pipe(
          Effect.provide(Logger.layer([listening])),
          Effect.provideService(References.MinimumLogLevel, "Debug")
        )
        assert.strictEqual(yield* call, "pong")
        const text = JSON.stringify(lines)
        assert.include(text, "Server is running")
        assert.include(text, "ready")
        assert.include(text, "handling tools/call")
      })
    )
  )
})

describe("no process is left", { timeout: 60_000 }, () => {
  it.live("after the toolset is closed", () =>
    onNode(
      Effect.gen(function* () {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const session = yield* Toolset.open(behindShell("left-after-close"))
            assert.strictEqual(yield* session.call("add", { a: 1, b: 2 }), "3")
            assert.lengthOf(yield* running("left-after-close"), 2)
          })
        )
        assert.deepStrictEqual(yield* running("left-after-close"), [])
      })
    )
  )

  it.live("after a run is interrupted", () =>
    onNode(
      Effect.gen(function* () {
        const { lines, path } = yield* notebook
        const { args, command } = offering["sdk 1"]
        const script = `${command} ${args.join(" ")} left-after-interruption; true`
        const toolset = McpToolset.stdio({ command: "sh", args: ["-c", script], env: { CALLS: path } })
        const run = yield* Effect.forkChild(Toolset.call(toolset, "never", {}))
        yield* Effect.repeat(lines, {
          until: (lines) => lines.includes("waiting"),
          schedule: Schedule.spaced("20 millis")
        })
        yield* Fiber.interrupt(run)
        assert.deepStrictEqual(yield* running("left-after-interruption"), [])
      })
    )
  )

  it.live("after starting is interrupted", () =>
    onNode(
      Effect.gen(function* () {
        const starting = yield* Effect.forkChild(
          Toolset.list(McpToolset.stdio(raw("mute", "left-after-start")))
        )
        yield* Effect.repeat(running("left-after-start"), {
          until: (processes) => processes.length > 0,
          schedule: Schedule.spaced("20 millis")
        })
        yield* Fiber.interrupt(starting)
        assert.deepStrictEqual(yield* running("left-after-start"), [])
      })
    )
  )

  it.live("after a server failed to start, and after it died", () =>
    onNode(
      Effect.gen(function* () {
        const refused = yield* Effect.exit(
          Toolset.list(McpToolset.stdio(raw("answer=1999-01-01", "left-after-failure")))
        )
        assert.isTrue(Exit.isFailure(refused))
        assert.deepStrictEqual(yield* running("left-after-failure"), [])
        yield* Effect.flip(Toolset.call(behindShell("left-after-death"), "dies", {}))
        assert.deepStrictEqual(yield* running("left-after-death"), [])
      })
    )
  )

  it.live("of one that survives the end of its input", () =>
    onNode(
      Effect.gen(function* () {
        assert.strictEqual(
          yield* Toolset.call(McpToolset.stdio(raw("stubborn", "left-stubborn")), "ping", {}),
          "pong"
        )
        assert.deepStrictEqual(yield* running("left-stubborn"), [])
      })
    )
  )
})
