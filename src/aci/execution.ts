/** One call of a function of ACI.dev. */
import { Effect, Predicate, type Redacted, Schema } from "effect"
import { HttpBody, type HttpClientError, HttpClientRequest } from "effect/http"
import { readable } from "../interop/readable.ts"
import type { Connection } from "../rest/connect.ts"
import { hiding, secretsGiven } from "../secrets/hiding.ts"
import type { Endpoint } from "../rest/failure.ts"
import { ToolReturn } from "../ToolReturn.ts"
import { ModelRetry, ToolFailed } from "../ToolSignal.ts"
import type { OnError } from "../toolset/failure.ts"
import type { Args, CallSignals } from "../toolset/model.ts"
import { AciFunctionError } from "./AciError.ts"
import { pathOf } from "./definition.ts"

/** How functions are called. */
export interface Access extends Connection {
  readonly key: Redacted.Redacted
  readonly onError: OnError
}

export const executed = (
  functionName: string,
  owner: string,
  args: Args,
  { client, exchange, key, onError }: Access
): Effect.Effect<ToolReturn, CallSignals | AciFunctionError | HttpClientError.HttpClientError> =>
  Effect.gen(function* () {
    const endpoint: Endpoint = { method: "POST", path: pathOf(functionName, "execute") }
    const { data, error, success } = yield* exchange({
      endpoint,
      isIdempotent: false,
      send: client.execute(
        HttpClientRequest.post(endpoint.path, {
          acceptJson: true,
          body: HttpBody.jsonUnsafe({ function_input: args, linked_account_owner_id: owner })
        })
      ),
      read: (_, text) => Effect.mapError(decode(text), (error) => error.message)
    })
    if (success) return new ToolReturn({ value: data ?? null })
    const hide = hiding(secretsGiven([key]))
    const problem = readable(hide(textOf(error))) || "The function failed."
    const details = data === undefined || data === null ? undefined : (hide(data) as Schema.Json)
    switch (onError) {
      case "retry":
        return yield* new ModelRetry({ message: problem, reason: "body" })
      case "recover":
        return yield* new ToolFailed({ message: problem, details })
      case "fail":
        return yield* new AciFunctionError({ functionName, problem, details })
    }
  })

const textOf = (error: Schema.Json | undefined): string =>
  Predicate.isString(error) ? error : error === undefined || error === null ? "" : JSON.stringify(error)

const decode = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({
      success: Schema.Boolean,
      data: Schema.optional(Schema.Json),
      error: Schema.optional(Schema.Json)
    })
  )
)
