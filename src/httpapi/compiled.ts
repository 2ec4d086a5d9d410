/** A tool of an API, but for the client that it calls with: made once, for all runs. */
import { Context, Result } from "effect"
import { OpenApi } from "effect/http-api"
import { methodAnnotations } from "../rest/methods.ts"
import { truncatedSchema, type Truncation } from "../rest/truncated.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { failureText } from "../toolset/failure.ts"
import { type Answers, answersOf } from "./answers.ts"
import { type Arguments, nested, withSafeRequest } from "./arguments.ts"
import { flat } from "./flat.ts"
import { endpointName } from "./naming.ts"
import type { Options } from "./options.ts"
import { type Parts, partsOf } from "./parts.ts"
import { pathFlaw, pathParameters } from "./pathParameters.ts"
import type { AnyApi, Reflected } from "./reflected.ts"

export interface Compiled {
  readonly endpoint: Reflected
  readonly definition: ToolDefinition
  readonly args: Arguments
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
    const flaw = pathFlaw(endpoint)
    if (flaw !== undefined) return yield* Result.fail({ reason: flaw })
    const parts = yield* left(partsOf(endpoint, options))
    const answers = yield* left(answersOf(api, endpoint))
    const whole = yield* left(
      Result.try({
        try: () => nested(parts.asked),
        catch: (cause) => `its arguments cannot be printed as JSON Schema: ${failureText(cause)}`
      })
    )
    const args =
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
        parameters: args.codec.jsonSchema,
        returns: jsonSchema === undefined ? undefined : truncatedSchema(jsonSchema, truncation),
        kind: "function",
        sequential: false,
        maxRetries: options.maxRetries,
        metadata: { method, path, group, endpoint: endpoint.endpoint, ...meta.metadata },
        annotations: Context.merge(methodAnnotations(method), annotations)
      },
      args: withSafeRequest(args, {
        params: declaration.params,
        required: pathParameters(endpoint).flatMap(({ isOptional, name }) => (isOptional ? [] : [name])),
        headers: parts.asked.some(({ name }) => name === "headers") ? declaration.headers : undefined,
        given: parts.given,
        slashes: options.slashes ?? "refuse"
      }),
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
