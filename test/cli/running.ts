/** The command line in this process. */
import { NodeServices } from "@effect/platform-node"
import { ConfigProvider, Console, Deferred, Effect, Exit, Layer, Logger, Sink, Stdio, Stream } from "effect"
import { CliOutput, Command } from "effect/cli"
import { TestConsole } from "effect/testing"
import { command, version } from "../../src/cli/command.ts"
import { presenter } from "../../src/cli/presenter.ts"

type Environment = Readonly<Record<string, string>>

/** Runs it: whether it failed, and the lines that it printed on either side. */
export const ran = (args: ReadonlyArray<string>, env: Environment = {}) =>
  Effect.gen(function* () {
    const console = yield* TestConsole.make
    const exit = yield* Effect.exit(run(args, env)).pipe(Effect.provideService(Console.Console, console))
    const err = (yield* console.errorLines).map(String).join("\n").trim()
    return { failed: Exit.isFailure(exit), out: (yield* console.logLines).map(String).join("\n"), err }
  })

/** Speaks with the server that it is: says these messages, and waits for as many answers as there are questions. */
export const spoken = (args: ReadonlyArray<string>, messages: ReadonlyArray<object>, env: Environment = {}) =>
  Effect.gen(function* () {
    const console = yield* TestConsole.make
    const questions = messages.filter((message) => "id" in message)
    const done = yield* Deferred.make<void>()
    const lines = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    const stdin = Stream.encodeText(Stream.fromIterable(lines)).pipe(
      Stream.concat(Stream.drain(Stream.fromEffect(Deferred.await(done))))
    )
    let text = ""
    const stdout = Sink.forEach((chunk: string | Uint8Array) =>
      Effect.suspend(() => {
        text += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk)
        return text.split("\n").length > questions.length ? Deferred.succeed(done, undefined) : Effect.void
      })
    )
    const stdio = Stdio.layerTest({ stdin, stdout: () => stdout })
    yield* Effect.provideService(run(args, env, stdio), Console.Console, console)
    const answers = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: number; result: any })
    return {
      answers: new Map(answers.map(({ id, result }) => [id, result])),
      out: (yield* console.logLines).map(String),
      err: (yield* console.errorLines).map(String).join("\n")
    }
  })

/** What a client says first. */
export const greeting = (capabilities = {}) => [
  {
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "test", version: "1" } }
  },
  { method: "notifications/initialized" }
]

const run = (args: ReadonlyArray<string>, env: Environment, stdio = Stdio.layerTest({})) =>
  Command.runWith(command, { version })(args).pipe(
    // What is provided first holds.
    Effect.provide(stdio),
    Effect.provide(
      Layer.mergeAll(
        NodeServices.layer,
        CliOutput.layerPresenter(presenter),
        CliOutput.layer(CliOutput.defaultFormatter({ colors: false })),
        ConfigProvider.layer(ConfigProvider.fromUnknown(env))
      )
    ),
    Effect.provideService(Logger.LogToStderr, true)
  )
