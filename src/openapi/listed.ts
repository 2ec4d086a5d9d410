/** An operation as a tool of an opened toolset. */
import { Effect, Result, type Schema } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/http"
import type { Connection } from "../rest/connect.ts"
import { truncated } from "../rest/truncated.ts"
import { ToolCall } from "../ToolCall.ts"
import { memoized } from "../toolset/memoized.ts"
import { ToolReturn } from "../ToolReturn.ts"
import { invalidArguments } from "../toolset/invalidArguments.ts"
import type { Tool } from "../toolset/model.ts"
import { checking } from "./checked.ts"
import { isJsonType } from "./mediaTypes.ts"
import type { Options } from "./options.ts"
import type { Planned } from "./plan.ts"

export const listed = (
  plan: Planned,
  id: string,
  { client, exchange }: Connection,
  options: Options<any>
): Tool<HttpClientError.HttpClientError> => {
  const { definition, operation } = plan
  return {
    definition,
    source: `${id}(${operation.method} ${operation.path})`,
    origin: [id, definition.name],
    timed: false,
    decode: checking(plan, options.slashes ?? "encode"),
    validate: () => Effect.void,
    call: (args) =>
      Effect.gen(function* () {
        const key = keyOf(yield* ToolCall)
        const request = yield* Effect.mapError(
          Effect.fromResult(plan.request(args.value, key)),
          invalidArguments
        )
        const value = yield* exchange({
          endpoint: operation,
          isIdempotent: plan.isIdempotent,
          send: client.execute(request),
          read: (response, text) => Effect.fromResult(resultOf(response, text, plan.isJsonResult))
        })
        return new ToolReturn({ value: yield* truncated(value, options, operation) })
      })
  }
}

/**
 * By what a server knows the call again, on every attempt at it. A model's id will not do: those of another run, or of
 * another response, may be the same.
 */
const keyOf = memoized((call: ToolCall["Service"]): string => call.idempotencyKey ?? crypto.randomUUID())

/** The body of a success: JSON where it is, text otherwise, and nothing where it is empty. */
const resultOf = (
  response: HttpClientResponse.HttpClientResponse,
  text: string,
  isExpected: boolean
): Result.Result<Schema.Json, string> => {
  if (text === "") return Result.succeed(null)
  if (!isExpected && !isJsonType(response.headers["content-type"] ?? "")) return Result.succeed(text)
  return Result.try({
    try: (): Schema.Json => JSON.parse(text),
    catch: () => `a body that is not JSON: ${text}`
  })
}
