/** A tool of an API, but for the client that it calls with: made once, for all runs. */
import { Context, Effect, Predicate, Result, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { methodAnnotations } from "../rest/methods.ts"
import { type Slashes, valueProblem } from "../rest/path.ts"
import { truncatedSchema, type Truncation } from "../rest/truncated.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { failureText } from "../toolset/failure.ts"
import { invalidArguments } from "../toolset/invalidArguments.ts"
import type { Args } from "../toolset/model.ts"
import { type Codec, effectCodec } from "../toolset/parameters.ts"
import { type Answers, answersOf } from "./answers.ts"
import { flat } from "./flat.ts"
import { endpointName, withoutPatterns } from "./naming.ts"
import type { Options } from "./options.ts"
import { nested, type Parts, partsOf } from "./parts.ts"
import type { AnyApi, Reflected } from "./reflected.ts"

export interface Compiled {
  readonly endpoint: Reflected
  readonly definition: ToolDefinition
  readonly parameters: Codec
  /** Headers that the model is not asked for. */
  readonly given: Parts["given"]
  readonly answers: Answers
  readonly truncation: Truncation
}

/** Why an endpoint is no tool; names that clash are a mistake, and not the endpoint's. */
export type Obstacle = { readonly reason: string } | { readonly clashing: ReadonlyArray<string> }

export const compiled = (
  api: AnyApi,
  endpoint: Reflected,
  options: Options
): Result.Result<Compiled, Obstacle> =>
  Result.gen(function* () {
    const { annotations, declaration, group, meta = {}, method, path } = endpoint
    if (withoutPatterns(path).includes("*")) {
      return yield* Result.fail({ reason: "its path has a wildcard, which a client cannot fill in" })
    }
    const parts = yield* left(partsOf(endpoint, options))
    const answers = yield* left(answersOf(api, endpoint))
    const whole = yield* left(
      Result.try({
        try: () => effectCodec(nested(parts.asked)),
        catch: (cause) => `its arguments cannot be printed as JSON Schema: ${failureText(cause)}`
      })
    )
    const codec =
      options.flat === true
        ? yield* Result.mapError(flat(parts.asked, whole), (clashing) => ({ clashing }))
        : whole
    const truncation: Truncation = {
      maxItems: meta.maxItems ?? options.maxItems,
      onTruncate: meta.onTruncate ?? options.onTruncate
    }
    const { jsonSchema } = answers
    return {
      endpoint,
      definition: {
        name: meta.name ?? endpointName(endpoint, endpoint),
        description: meta.description ?? description(endpoint),
        parameters: codec.jsonSchema,
        returns: jsonSchema === undefined ? undefined : truncatedSchema(jsonSchema, truncation),
        kind: "function",
        sequential: false,
        maxRetries: options.maxRetries,
        metadata: { method, path, group, endpoint: endpoint.endpoint, ...meta.metadata },
        annotations: Context.merge(methodAnnotations(method), annotations)
      },
      parameters:
        declaration.params === undefined
          ? codec
          : checkingPath(codec, declaration.params, options.slashes ?? "refuse"),
      given: parts.given,
      answers,
      truncation
    }
  })

const left = <A>(result: Result.Result<A, string>): Result.Result<A, Obstacle> =>
  Result.mapError(result, (reason) => ({ reason }))

const description = ({ declaration, group, method, path }: Reflected): string =>
  Context.getOrUndefined(declaration.annotations, OpenApi.Description) ??
  Context.getOrUndefined(declaration.annotations, OpenApi.Summary) ??
  `${method} ${path} on the '${group}' resource`

/** Refuses values that would reach another path; looks at them as they go on the wire. */
const checkingPath = (codec: Codec, params: Schema.Top, slashes: Slashes): Codec => {
  // `any`: what the schema needs is in the `R` of the toolset.
  const encode: (params: unknown) => Effect.Effect<unknown, Schema.SchemaError, any> =
    Schema.encodeUnknownEffect(params)
  return {
    ...codec,
    decode: (raw) =>
      Effect.tap(codec.decode(raw), ({ path_params }: Args) =>
        Effect.gen(function* () {
          const encoded = yield* Effect.mapError(encode(path_params), ({ message }) =>
            invalidArguments(message)
          )
          const problems = Object.entries(Predicate.isObject(encoded) ? encoded : {}).flatMap(
            ([name, value]) => {
              const problem = value === undefined ? undefined : valueProblem(String(value), slashes)
              return problem === undefined ? [] : [`${name} ${problem}`]
            }
          )
          if (problems.length > 0) return yield* invalidArguments(problems.join("\n"))
        })
      )
  }
}
