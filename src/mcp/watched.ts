/** A server's process, watched: what it writes where, and how it ends. */
import { Deferred, Effect, Option, PlatformError, Predicate, Result, Stream } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { failureText } from "../toolset/failure.ts"
import { intoLines, longestMessage } from "./lines.ts"

type Spawner = ChildProcessSpawner.ChildProcessSpawner["Service"]
type Handle = ChildProcessSpawner.ChildProcessHandle

/** What is known of a process that is of no more use. */
export interface Remains {
  readonly ending?: string | undefined
  readonly exitCode?: number | undefined
  readonly stderr?: string | undefined
}

export interface Watched {
  /** Starts one process, watched. */
  readonly spawner: Spawner
  /** Whether it says nothing any more. */
  readonly isSilent: () => boolean
  /** What there is to say of it; waits a moment for one that is ending. */
  readonly remains: Effect.Effect<Remains>
  /** Ends it without further ado. */
  readonly discard: Effect.Effect<void>
}

/**
 * Watches what a spawner starts. Of its output only messages pass: many servers, and what they are started with, also
 * print other lines there, which are logged.
 */
export const watched = (spawner: Spawner, take: (message: unknown) => Effect.Effect<void>): Watched => {
  const stderrEnded = Deferred.makeUnsafe<void>()
  const decoder = new TextDecoder()
  let handle: Handle | undefined
  let stderr = ""
  let isSilent = false

  const watch = (started: Handle): Handle => {
    handle = started
    return ChildProcessSpawner.makeHandle({
      ...started,
      stderr: started.stderr.pipe(
        Stream.tap((bytes) =>
          Effect.sync(() => {
            stderr = (stderr + decoder.decode(bytes, { stream: true })).slice(-longestTail)
          })
        ),
        Stream.ensuring(Deferred.succeed(stderrEnded, undefined))
      ),
      stdout: started.stdout.pipe(
        Stream.decodeText(),
        Stream.mapAccum(() => "", intoLines),
        Stream.filterEffect((line) =>
          Result.match(messageIn(line), {
            onSuccess: (message) => Effect.as(take(message), true),
            onFailure: (isPassed) =>
              isPassed ? Effect.succeed(true) : Effect.as(Effect.logDebug("Not MCP, on stdout:", line), false)
          })
        ),
        Stream.map((line) => `${line}\n`),
        Stream.encodeText,
        Stream.ensuring(Effect.sync(() => (isSilent = true)))
      )
    })
  }

  const remains = Effect.gen(function* () {
    const exit = yield* Effect.timeoutOption(ended, isSilent ? "2 seconds" : "300 millis")
    const tail = stderr.trim()
    return { ...Option.getOrUndefined(exit), ...(tail === "" ? {} : { stderr: tail }) }
  })

  const ended = Effect.gen(function* () {
    if (handle === undefined) return {}
    const exit = yield* Effect.result(handle.exitCode)
    yield* Deferred.await(stderrEnded)
    // A process that a signal ended has no exit code.
    return Result.match(exit, {
      onSuccess: (exitCode): Remains => ({ exitCode, ending: `it ended with exit code ${exitCode}` }),
      onFailure: (error): Remains => ({ ending: signalIn(error) })
    })
  })

  return {
    spawner: ChildProcessSpawner.make((command) => Effect.map(started(spawner, command), watch)),
    isSilent: () => isSilent,
    remains,
    discard: Effect.suspend(() => handle?.kill({ forceKillAfter: "1 second" }) ?? Effect.void).pipe(
      Effect.ignore
    )
  }
}

/** Node throws for commands that it cannot even try: an empty one, one with a zero character. */
const started = (spawner: Spawner, command: Parameters<Spawner["spawn"]>[0]): ReturnType<Spawner["spawn"]> =>
  Effect.catchDefect(spawner.spawn(command), (cause) =>
    Effect.fail(
      PlatformError.badArgument({
        module: "ChildProcess",
        method: "spawn",
        description: failureText(cause),
        cause
      })
    )
  )

/** Of stderr as much is kept as somebody reads. */
const longestTail = 2000

/** The message that a line is; fails with whether the line passes all the same. */
const messageIn = (line: string): Result.Result<unknown, boolean> =>
  line.length > longestMessage
    ? Result.fail(true)
    : Result.try({ try: (): unknown => JSON.parse(line), catch: () => false }).pipe(
        Result.filterOrFail(
          (json) => Predicate.isReadonlyObject(json) && json.jsonrpc === "2.0",
          () => false
        )
      )

const signalIn = (error: unknown): string | undefined => {
  const signal = /SIG[A-Z]+/.exec(Predicate.hasProperty(error, "message") ? String(error.message) : "")
  const cause = Predicate.hasProperty(error, "cause") ? /SIG[A-Z]+/.exec(String(error.cause)) : null
  const name = signal?.[0] ?? cause?.[0]
  return name === undefined ? undefined : `it was ended by ${name}`
}
