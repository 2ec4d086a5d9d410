/** Bodies as text, and those that are none. */
import { Effect } from "effect"
import type { HttpClientResponse } from "effect/http"

type Response = HttpClientResponse.HttpClientResponse

/**
 * The text of a body that was read as UTF-8, where whatever is none has become U+FFFD: read again in the charset that it
 * comes with, or what is wrong with it.
 */
export const textIn = (response: Response, text: string): Effect.Effect<string, string> => {
  if (!text.includes("\ufffd")) return Effect.succeed(text)
  const charset = charsetOf(response) ?? "utf-8"
  return response.arrayBuffer.pipe(
    Effect.flatMap((bytes) => Effect.try(() => new TextDecoder(charset, { fatal: true }).decode(bytes))),
    Effect.mapError(() => `a body that is not text in ${charset}`)
  )
}

const charsetOf = ({ headers }: Response): string | undefined =>
  /;\s*charset="?([\w.:+-]+)/i.exec(headers["content-type"] ?? "")?.[1]?.toLowerCase()
