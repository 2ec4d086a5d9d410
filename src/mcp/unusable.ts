import { Effect } from "effect"
import type { Connection } from "./connection.ts"
import type { Hide } from "./hidden.ts"
import { type Http, McpConnectionError } from "./McpError.ts"
import type { Trouble } from "./trouble.ts"
import type { Remains } from "./watched.ts"

/** What is wrong with a server, as an error that says all that is known. */
export const unusable = (
  server: { readonly name: string; readonly hide: Hide },
  wrong: { readonly problem: string; readonly http?: Http | undefined; readonly cause: unknown },
  { ending, exitCode, stderr }: Remains = {}
): McpConnectionError =>
  new McpConnectionError({
    server: server.name,
    problem: server.hide(`${wrong.problem}${ending === undefined ? "" : `; ${ending}`}.`),
    http: wrong.http,
    exitCode,
    stderr: stderr === undefined ? undefined : server.hide(stderr),
    cause: wrong.cause
  })

/** Trouble that leaves nothing to use. */
export const useless = (
  server: { readonly name: string; readonly hide: Hide },
  connection: Connection,
  trouble: Trouble
): Effect.Effect<McpConnectionError> =>
  Effect.map(connection.remains, (remains) =>
    unusable(
      server,
      trouble._tag === "Declined" || trouble._tag === "Hopeless"
        ? { problem: trouble.message, cause: undefined }
        : trouble,
      remains
    )
  )
