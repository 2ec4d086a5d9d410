/** One call of a tool of a server. */
import { Effect, type Schema } from "effect"
import type { McpSchema } from "effect/ai"
import { ModelRetry, ToolFailed } from "../ToolSignal.ts"
import { whileCalling } from "../toolset/environment.ts"
import { failureText, type OnError } from "../toolset/failure.ts"
import type { Args, Tool } from "../toolset/model.ts"
import type { Server } from "./connected.ts"
import type { Connection, Descriptor } from "./connection.ts"
import { isRepeatable } from "./described.ts"
import { forModel } from "./hidden.ts"
import type { Line } from "./line.ts"
import { McpCallError, McpOutcomeUnknown, McpToolError } from "./McpError.ts"
import { returned, saidBy } from "./returned.ts"
import { Trouble } from "./trouble.ts"
import { useless } from "./unusable.ts"

/**
 * Calls; where the connection is lost, connects again, once, and calls again, if the first call cannot have been carried
 * out or the server says that it does no harm.
 *
 * `any`: the failures of a tool are those of its toolset, which `connected` names.
 */
export const calling =
  (
    server: Server<unknown, unknown>,
    held: Line<unknown, unknown>,
    descriptor: Descriptor,
    onError: OnError
  ): Tool<any>["call"] =>
  ({ value }) =>
    whileCalling(
      Effect.gen(function* () {
        const connection = yield* held.current
        return yield* attempt(connection, descriptor, value).pipe(
          Effect.catchTag("Lost", (lost) => {
            const final = unanswered(server, descriptor, connection, lost)
            if (lost.sent && !isRepeatable(descriptor)) return final
            return Effect.flatMap(again(server, held, descriptor, connection), (next) =>
              attempt(next, descriptor, value).pipe(
                Effect.catchTag("Lost", (lost) => unanswered(server, descriptor, next, lost))
              )
            )
          }),
          Effect.catchTags({
            Declined: ({ code, details, message }) => {
              const problem = forModel(message, server.hide)
              switch (onError) {
                case "retry":
                  return new ModelRetry({ message: problem, reason: "body" })
                case "recover":
                  return new ToolFailed({ message: problem, details })
                case "fail":
                  return new McpToolError({ ...about(server, descriptor), problem, code, details })
              }
            },
            Hopeless: ({ message }) => {
              const problem = forModel(message, server.hide)
              return onError === "fail"
                ? new McpToolError({ ...about(server, descriptor), problem })
                : new ToolFailed({ message: problem })
            },
            Garbled: ({ cause, http, problem }) =>
              new McpCallError({
                ...about(server, descriptor),
                problem: `${server.hide(problem)}.`,
                http,
                cause
              })
          })
        )
      })
    )

/** A call on one connection. A tool that says that it failed declines. */
const attempt = (connection: Connection, descriptor: Descriptor, args: Args) =>
  Effect.flatMap(connection.call(descriptor, args), (result) =>
    result.isError === true ? Effect.fail(failed(result)) : Effect.succeed(returned(result))
  )

const failed = (result: McpSchema.CallToolResult): Trouble =>
  Trouble.Declined({
    message: saidBy(result),
    details: result.structuredContent as Schema.Json | undefined
  })

/** The connection after the one that was lost. */
const again = (
  server: Server<unknown, unknown>,
  held: Line<unknown, unknown>,
  descriptor: Descriptor,
  lost: Connection
) =>
  Effect.mapError(
    held.insteadOf(lost),
    (cause) =>
      new McpCallError({
        ...about(server, descriptor),
        problem: `it could not be connected again. ${server.hide(failureText(cause))}`,
        cause
      })
  )

const unanswered = (
  server: Server<unknown, unknown>,
  descriptor: Descriptor,
  connection: Connection,
  lost: Extract<Trouble, { _tag: "Lost" }>
) =>
  Effect.flatMap(useless(server, connection, lost), (cause) => {
    const fields = { ...about(server, descriptor), problem: cause.problem, cause }
    return Effect.fail(
      lost.sent && !isRepeatable(descriptor) ? new McpOutcomeUnknown(fields) : new McpCallError(fields)
    )
  })

const about = (server: Server<unknown, unknown>, { name }: Descriptor) => ({
  server: server.name,
  toolName: name
})
