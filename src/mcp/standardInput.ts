/** Standard input, as effect's server can read it. */
import { Array as Arr, type Cause, Effect, Predicate, Queue, Result, type Scope, Stream } from "effect"
import { intoLines, longestMessage } from "./lines.ts"

export interface StandardInput<E> {
  readonly stdin: Stream.Stream<Uint8Array, E>
  /** When all of it was read. */
  readonly ended: Effect.Effect<void>
}

/**
 * The messages of an input, each by itself: effect's server lets go of all that it holds where it cannot read one, and
 * begins anew with what comes next. What is no message is skipped, and logged.
 */
export const messagesOf = Effect.fnUntraced(function* <E>(
  input: Stream.Stream<Uint8Array, E>
): Effect.fn.Return<StandardInput<never>, never, Scope.Scope> {
  const lines = yield* Queue.bounded<string, Cause.Done>(16)
  yield* input.pipe(
    Stream.decodeText(),
    Stream.mapAccum(() => "", intoLines, { onHalt: (rest) => [rest] }),
    Stream.runForEach((line) => {
      if (isMessage(line)) return Queue.offer(lines, `${line}\n`)
      return line.trim() === "" ? Effect.void : Effect.logWarning("Not MCP, on stdin:", line.slice(0, shown))
    }),
    Effect.catch((error) => Effect.logError("Standard input cannot be read.", error)),
    Effect.andThen(Queue.end(lines)),
    Effect.forkScoped
  )
  return {
    // One at a time: where one is not read to its end, those that were taken with it are lost.
    stdin: Stream.encodeText(Stream.fromPull(Effect.succeed(Effect.map(Queue.take(lines), Arr.of)))),
    ended: Queue.await(lines)
  }
})

/** An answer to what has no proper `id` would be for nobody. Lists are for revisions that know them. */
const isMessage = (line: string): boolean =>
  line.length <= longestMessage &&
  Result.match(
    Result.try((): unknown => JSON.parse(line)),
    {
      onFailure: () => false,
      onSuccess: (json) =>
        Array.isArray(json) || (Predicate.isReadonlyObject(json) && (!("id" in json) || isId(json.id)))
    }
  )

const isId = (id: unknown): boolean => Predicate.isString(id) || Predicate.isNumber(id)

/** Of a line as much is logged as somebody reads. */
const shown = 200
