/** What endpoints answer: decoded by the API's own schemas, and encoded again for the model. */
import { Effect, type JsonSchema, Predicate, Result, Schema, SchemaAST } from "effect"
import { HttpClientError, type HttpClientResponse } from "effect/http"
import { HttpApiClient, HttpApiSchema } from "effect/http-api"
import { failureText } from "../toolset/failure.ts"
import { toJsonSchema } from "../toolset/parameters.ts"
import type { AnyApi, Reflected, SchemasByStatus } from "./reflected.ts"

type Response = HttpClientResponse.HttpClientResponse

/** `any`: what the schemas need is in the `R` of the toolset. */
export interface Answers {
  /** Of a success; nothing, where there is none to show. */
  readonly jsonSchema: JsonSchema.JsonSchema | undefined
  readonly isSuccess: (status: number) => boolean
  /** Reads a success, or says what is wrong with it. */
  readonly read: (response: Response) => Effect.Effect<Schema.Json, string, any>
  /** An error that the endpoint declares, encoded. */
  readonly declared: (response: Response) => Effect.Effect<Schema.Json | undefined, never, any>
}

/** How to read the answers of an endpoint, or why no model can. */
export const answersOf = (api: AnyApi, endpoint: Reflected): Result.Result<Answers, string> =>
  Result.gen(function* () {
    const { declaration, errors, successes } = endpoint
    const schemas = [...successes.values()].flat()
    // What is declared and not among the schemas by status.
    if (declaration.success.size > schemas.length) {
      return yield* Result.fail("it answers with a stream or an upgrade")
    }
    if (schemas.some(isBinary)) return yield* Result.fail("it answers with binary data")
    const shown = schemas.filter((schema) => !HttpApiSchema.isNoContent(bodyOf(schema).ast))
    const jsonSchema = yield* Result.try({
      try: () => (shown.length === 0 ? undefined : toJsonSchema(union(schemas))),
      catch: (cause) => `its result cannot be printed as JSON Schema: ${failureText(cause)}`
    })
    const encodeSuccess = encoders(successes)
    const encodeError = encoders(errors)
    let decoder: ((response: Response) => Effect.Effect<unknown, unknown, any>) | undefined
    const decode = (response: Response) => {
      // It walks the API: not before somebody calls.
      decoder ??= HttpApiClient.decodeResponse(api, {
        group: endpoint.group as never,
        endpoint: endpoint.endpoint
      })
      return decoder(response)
    }
    return {
      jsonSchema,
      isSuccess: (status) => successes.has(status) || (status >= 200 && status < 300),
      read: (response) =>
        decode(response).pipe(
          Effect.flatMap((value) => encodeSuccess(response.status, value)),
          Effect.mapError(problemText)
        ),
      declared: (response) =>
        errors.has(response.status)
          ? decode(response).pipe(
              Effect.flip,
              Effect.flatMap((error) => encodeError(response.status, error)),
              Effect.orElseSucceed(() => undefined)
            )
          : Effect.undefined
    }
  })

/** The schema of the body, without the headers that come with it. */
const bodyOf = (schema: Schema.Top): Schema.Top =>
  HttpApiSchema.isWithHeaders(schema) ? schema.schema : schema

/** Text of any kind decodes from text or JSON, which no declaration stands for. */
const isBinary = (schema: Schema.Top): boolean =>
  SchemaAST.isDeclaration(SchemaAST.toEncoded(bodyOf(schema).ast))

/** The decoded side of all of them. */
const union = (schemas: ReadonlyArray<Schema.Top>): Schema.Top => {
  const types = schemas.map((schema) => Schema.toType(bodyOf(schema)))
  return types.length === 1 ? types[0]! : Schema.Union(types)
}

/** Encodes what was decoded from a response, by its status. */
const encoders = (schemas: SchemasByStatus) => {
  const byStatus = new Map<number, (value: unknown) => Effect.Effect<unknown, Schema.SchemaError, any>>()
  return (status: number, value: unknown): Effect.Effect<Schema.Json, Schema.SchemaError, any> => {
    const known = byStatus.get(status)
    const encode = known ?? Schema.encodeUnknownEffect(Schema.toCodecJson(union(schemas.get(status) ?? [])))
    if (known === undefined) byStatus.set(status, encode)
    const hasHeaders = Predicate.hasProperty(value, HttpApiSchema.WithHeadersValueTypeId)
    const body = hasHeaders && "body" in value ? value.body : value
    // The JSON codec of a schema gives JSON.
    return Effect.map(encode(body), (json) => (json ?? null) as Schema.Json)
  }
}

/** What is wrong with a body, without the request that asked for it. */
const problemText = (error: unknown): string =>
  HttpClientError.isHttpClientError(error)
    ? ("description" in error.reason && error.reason.description) || "the body cannot be read"
    : failureText(error)
