/** Texts that come in pieces, as the lines that they are. */

/** The lines that a piece completes, after the rest of those before; to be given to `Stream.mapAccum`. */
export const intoLines = (rest: string, chunk: string): readonly [string, ReadonlyArray<string>] => {
  const isMore = !chunk.includes("\n")
  // A line that never ends is for whoever reads it to refuse.
  if (isMore && rest.length + chunk.length > longestMessage) return ["", [rest + chunk]]
  if (isMore) return [rest + chunk, []]
  const lines = (rest + chunk).split("\n")
  return [lines.at(-1)!, lines.slice(0, -1)]
}

/** What effect's transports take at most. */
export const longestMessage = 16 * 1024 * 1024
