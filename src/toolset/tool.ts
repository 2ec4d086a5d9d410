import { Context, type Duration, Effect, Predicate, Result, Schema } from "effect"
import type { ToolDefinition } from "../ToolDefinition.ts"
import type { ToolReturn } from "../ToolReturn.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import { asking, whenApproved } from "./gate.ts"
import { answered, whileCalling } from "./environment.ts"
import { failureText, type OnError, policy } from "./failure.ts"
import type { Flaw } from "./flawed.ts"
import { fixed } from "./listing.ts"
import {
  type CallServices,
  type CallSignals,
  lightLeaf,
  type Listing,
  type OrEffect,
  type Run,
  type Tool,
  type Toolset
} from "./model.ts"
import {
  type Codec,
  codec,
  decoding,
  type EmptyParams,
  frozen,
  type Parameters,
  type ParametersServices,
  type ParametersType
} from "./parameters.ts"
import {
  type ResultCodec,
  resultCodec,
  type Success,
  type SuccessServices,
  type SuccessType
} from "./result.ts"
import { bounded, notPositive, positive } from "./bounded.ts"
import { retriesFlaw } from "./withMaxRetries.ts"

/**
 * A toolset of one tool.
 *
 * Arguments decode through `parameters` (defaults honoured, excess properties refused), results encode through
 * `success`; what the model is told is derived from the very same schemas. Without a `description` the tool has that of
 * its parameters. The handler's own failures are in `E`, unless `onError` says otherwise; signals never are.
 * Effect compiles the schemas when a value first goes through; where a platform forbids `new Function`, it interprets them.
 *
 * - `parameters`: default: an object without properties. A field that the model may leave out is `Schema.optionalKey`
 *   (`Schema.optional` may be null, too). Excess properties are an Effect schema's to refuse; of others, their library's.
 *   Effect shows a model a pattern only if it has the flag `u` (and not `i`, `m` or `s`): `Schema.isPattern(/^\d{3}$/u)`.
 * - `success`: default: any JSON value. Of another library's schema, what it makes of a result is the result.
 * - `onError`: `fail` (default), `recover` or `retry`; about the handler alone.
 * - `validateArgs`: after decoding, before any approval.
 * - `requiresApproval`: asks somebody first; `true` makes the tool one of kind `unapproved`.
 * - `maxRetries`: default: the nearest `withMaxRetries`, else the run's.
 * - `sequential`: the tool runs alone in its step. `timeout`: bounds the handler.
 *
 * What no tool can be (negative retries, a timeout of zero, parameters whose root is no object) is a
 * `ToolsetDefinitionError` when the toolset is opened.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const add = Toolset.tool("add", {
 *   description: "Adds two numbers.",
 *   parameters: Schema.Struct({ a: Schema.Int, b: Schema.Int }),
 *   success: Schema.Int,
 *   handler: ({ a, b }) => Effect.succeed(a + b)
 * })
 * console.log(Effect.runSync(Toolset.call(add, "add", { a: 1, b: 2 })))
 * //> 3
 * ```
 */
export const tool = <
  P extends Parameters | undefined = EmptyParams,
  S extends Success | undefined = Schema.Unknown,
  E = never,
  R = never,
  // Whole results, and not what they fail with: branches that fail with different things are a union of Effects.
  Validated extends Effect.Effect<void, unknown, unknown> = never,
  Asked extends OrEffect<boolean, unknown, unknown> = never,
  Mode extends OnError | undefined = "fail"
>(
  name: string,
  options: {
    readonly description?: string | undefined
    readonly parameters?: P | undefined
    readonly success?: S | undefined
    // The signals stand here so that a handler that fails with one and with something else is one of that.
    readonly handler: (
      args: ParametersType<P>
    ) => Effect.Effect<SuccessType<S> | ToolReturn<SuccessType<S>>, E | CallSignals, R>
    readonly onError?: Mode
    readonly validateArgs?: ((args: ParametersType<P>) => Validated) | undefined
    readonly requiresApproval?: boolean | ((args: ParametersType<P>, run: Run) => Asked) | undefined
    readonly maxRetries?: number | undefined
    readonly sequential?: boolean | undefined
    readonly timeout?: Duration.Input | undefined
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    readonly annotations?: Context.Context<never> | undefined
  }
): Toolset<
  | (Mode extends "fail" | undefined ? Exclude<E, CallSignals> : never)
  | Exclude<Effect.Error<Validated | Asked>, CallSignals>,
  Exclude<R | Effect.Services<Validated | Asked> | ParametersServices<P> | SuccessServices<S>, CallServices>
> => leafOf(name, options as Untyped)

/**
 * The options without their types. `any`: `tool` ties them together, and says in its result what they fail with and what
 * they need; between here and there nothing looks at them.
 */
interface Untyped {
  readonly description?: string | undefined
  readonly parameters?: Parameters | undefined
  readonly success?: Success | undefined
  readonly handler: (args: any) => Effect.Effect<any, any, any>
  readonly onError?: OnError | undefined
  readonly validateArgs?: ((args: any) => Effect.Effect<void, any, any>) | undefined
  readonly requiresApproval?: boolean | ((args: any, run: Run) => OrEffect<boolean, any, any>) | undefined
  readonly maxRetries?: number | undefined
  readonly sequential?: boolean | undefined
  readonly timeout?: Duration.Input | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly annotations?: Context.Context<never> | undefined
}

/** What is made of the options once, for all runs. */
interface Compiled {
  readonly definition: ToolDefinition
  readonly parameters: Codec
  readonly result: ResultCodec
  readonly limit: Duration.Duration | undefined
}

const leafOf = (name: string, options: Untyped): Toolset<any, any> => {
  const source = `tool(${name})`
  // Converting schemas takes a while: when the tool is first opened, not when the program starts.
  let compiled: Result.Result<Listing<any>, ToolsetDefinitionError> | undefined
  return lightLeaf(
    source,
    Effect.suspend(() => {
      compiled ??= Result.mapBoth(compile(name, options), {
        onSuccess: (parts) => fixed([listed(source, options, parts)]),
        onFailure: (flaw) => new ToolsetDefinitionError({ source, ...flaw })
      })
      return Effect.fromResult(compiled)
    })
  )
}

const compile = (name: string, options: Untyped): Result.Result<Compiled, Flaw> =>
  Result.gen(function* () {
    const limit = options.timeout === undefined ? undefined : positive(options.timeout)
    const flaw =
      (options.maxRetries === undefined ? undefined : retriesFlaw(options.maxRetries)) ??
      (options.timeout !== undefined && limit === undefined ? notPositive(options.timeout) : undefined)
    if (flaw !== undefined) return yield* Result.fail(flaw)
    const parameters = yield* described("parameters", options.parameters, codec)
    const result = yield* described("success", options.success, resultCodec)
    if (parameters.jsonSchema.type !== "object") return yield* Result.fail(rootless(parameters))
    const { description } = parameters.jsonSchema
    return {
      parameters,
      result,
      limit,
      definition: {
        name,
        description: options.description ?? (Predicate.isString(description) ? description : undefined),
        parameters: frozen(parameters.jsonSchema),
        returns: result.jsonSchema === undefined ? undefined : frozen(result.jsonSchema),
        kind: options.requiresApproval === true ? "unapproved" : "function",
        sequential: options.sequential ?? false,
        maxRetries: options.maxRetries,
        metadata: options.metadata ?? {},
        annotations: options.annotations ?? Context.empty()
      }
    }
  })

/** What is made of a schema, unless it is of a library that prints none, as its type would say. */
const described = <S, A>(option: string, schema: S, make: (schema: S) => A): Result.Result<A, Flaw> =>
  !Schema.isSchema(schema) &&
  Predicate.hasProperty(schema, "~standard") &&
  !Predicate.hasProperty(schema["~standard"], "jsonSchema")
    ? Result.fail({
        problem: `The schema library of its \`${option}\` cannot print JSON Schema.`,
        hint: "zod can since 4.2, ArkType since 2.1.28, valibot with toStandardJsonSchema of @valibot/to-json-schema."
      })
    : printable(option, () => make(schema))

/** What is made of a schema; the schema library throws where it cannot print one. */
export const printable = <A>(option: string, make: () => A): Result.Result<A, Flaw> =>
  Result.try({ try: make, catch: (cause) => unprintable(option, cause) })

/** What is wrong with a schema that its library cannot print. */
export const unprintable = (option: string, cause: unknown): Flaw => ({
  problem: `Its \`${option}\` cannot be printed as JSON Schema: ${failureText(cause).replace(/\.?$/, ".")}`,
  hint: "Use a schema that describes JSON, or one with a codec to it."
})

const rootless = (parameters: Codec): Flaw => ({
  problem: `The root of its \`parameters\` is no object: ${JSON.stringify(parameters.jsonSchema)}.`,
  hint: "A model sends an object: wrap the schema in a Schema.Struct."
})

const listed = (source: string, options: Untyped, compiled: Compiled): Tool<any> => {
  const { definition, limit, parameters, result } = compiled
  const { onError = "fail", requiresApproval, validateArgs } = options

  const handle: Tool<any>["call"] = (args) =>
    whileCalling(
      Effect.suspend(() => {
        const handling = options.handler(args.value)
        const inTime = limit === undefined ? handling : bounded(handling, limit)
        const mapped = onError === "fail" ? inTime : Effect.mapError(inTime, policy(onError))
        return Effect.flatMapEager(mapped, (returned) => result.encode(returned))
      })
    )

  return {
    definition,
    source,
    origin: [definition.name],
    timed: limit !== undefined,
    decode: decoding(parameters),
    validate: (args) =>
      validateArgs === undefined ? Effect.void : whileCalling(Effect.suspend(() => validateArgs(args.value))),
    call:
      requiresApproval === true
        ? whenApproved(handle)
        : typeof requiresApproval === "function"
          ? asking((args, run) => whileCalling(answered(requiresApproval(args, run))), handle)
          : handle
  }
}
