import { Effect, Option, Predicate, Schema, Stream, type Tracer } from "effect"
import { type AiError, Tool, type Toolkit } from "effect/ai"
import type { RunContext } from "../RunContext.ts"
import { ToolCall } from "../ToolCall.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { ToolReturn } from "../ToolReturn.ts"
import { ToolFailed } from "../ToolSignal.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import { asking, whenApproved } from "../toolset/gate.ts"
import { answered, whileCalling } from "../toolset/environment.ts"
import { failureText } from "../toolset/failure.ts"
import { satisfying } from "../toolset/jsonArguments.ts"
import { fixed } from "../toolset/listing.ts"
import { memoized } from "../toolset/memoized.ts"
import type { Args, CallServices, CallSignals, Tool as ListedTool, Toolset } from "../toolset/model.ts"
import { leaf } from "../toolset/model.ts"
import { decoding, effectCodec, frozen, objectRoot, rootFlaw, toJsonSchema } from "../toolset/parameters.ts"
import { anyResult } from "../toolset/result.ts"

/**
 * The tools of an `effect/ai` toolkit. A `Toolkit` is itself an Effect of its handlers, so it is passed as it is.
 *
 * Keeps names, descriptions, annotations, progress, `needsApproval`, `failureMode` and `toModelOutput`: what a tool
 * returns as a failure is a `ToolFailed`, what it fails with is in `E`. A tool that the provider runs is a
 * `ToolsetDefinitionError`: it cannot run here; so is one whose parameters are no object.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Tool, Toolkit } from "effect/ai"
 * import { Toolset } from "effect-toolset"
 *
 * const kit = Toolkit.make(Tool.make("double", { parameters: Schema.Struct({ n: Schema.Finite }), success: Schema.Finite }))
 * const tools = Toolset.fromToolkit(kit).pipe(
 *   Toolset.provide(kit.toLayer({ double: ({ n }) => Effect.succeed(n * 2) })),
 *   Toolset.prefixed("math")
 * )
 * console.log(Effect.runSync(Toolset.call(tools, "math_double", { n: 21 })))
 * //> 42
 * ```
 */
export const fromToolkit = <Tools extends Record<string, Tool.Any>, E = never, R = never>(
  toolkit: Toolkit.WithHandler<Tools> | Effect.Effect<Toolkit.WithHandler<Tools>, E, R>
): Toolset<
  E | AiError.AiError | Exclude<Tool.HandlerError<Tools[keyof Tools]>, CallSignals>,
  Exclude<R | Tool.HandlerServices<Tools[keyof Tools]> | ParametersEncoding<Tools[keyof Tools]>, CallServices>
> =>
  // `any`: effect/ai keeps the types of its tools in a record; what they fail with and need is said in the result.
  leaf<any, any>("toolkit", () =>
    Effect.gen(function* () {
      const handlers: Toolkit.WithHandler<any> = Effect.isEffect(toolkit) ? yield* toolkit : toolkit
      const tools: ReadonlyArray<Tool.Any> = Object.values(handlers.tools)
      return fixed(yield* Effect.forEach(tools, (tool) => listed(tool, handlers)))
    })
  )

type ParametersEncoding<T> =
  T extends Tool.Tool<infer _Name, infer Config, infer _Requirements>
    ? Config["parameters"]["EncodingServices"]
    : never

/** What is made of a tool once, for all toolkits that it is in and all runs. */
const compiled = memoized((tool: Tool.Any) => {
  const schema = effectCodec(tool.parametersSchema)
  // One that says nothing of what it takes is sent an object, as every other.
  const saysNothing = Object.keys(schema.jsonSchema).length === 0
  const own = Tool.isDynamic(tool) ? tool.jsonSchema : undefined
  const raw = own ?? (saysNothing ? { type: "object" } : undefined)
  const definition: ToolDefinition = {
    name: tool.name,
    description: Tool.getDescription(tool),
    parameters: frozen(objectRoot(raw ?? schema.jsonSchema)),
    returns: frozen(toJsonSchema(tool.successSchema)),
    kind: tool.needsApproval === true ? "unapproved" : "function",
    sequential: false,
    metadata: {},
    annotations: tool.annotations
  }
  return raw === undefined
    ? { definition, ...handing(tool.parametersSchema, decoding(schema)) }
    : { definition, decode: satisfying(definition.parameters), encode: Effect.succeed<Args> }
})

/**
 * What `handle` takes is encoded by the tool's own schema, which is not always JSON. What only decodes is handed on as it was
 * sent; of other arguments, which a wrapper gave, nobody can say what was sent.
 */
const handing = (schema: Schema.Constraint, decode: ListedTool["decode"]) => {
  const sent = new WeakMap<Args, unknown>()
  const encoded = Schema.encodeUnknownEffect(schema)
  return {
    decode: (args: unknown) =>
      Effect.map(decode(args), (decoded) => {
        sent.set(decoded.value, args)
        return decoded
      }),
    encode: (args: Args) =>
      Effect.catch(encoded(args), (error) =>
        sent.has(args) ? Effect.succeed(sent.get(args)) : Effect.die(error)
      )
  }
}

/** `any`: the failures of a tool are those of its toolkit. */
const listed = (
  tool: Tool.Any,
  handlers: Toolkit.WithHandler<any>
): Effect.Effect<ListedTool<any>, ToolsetDefinitionError> => {
  const source = `toolkit(${tool.name})`
  if (Tool.isProviderDefined(tool)) return Effect.fail(runsElsewhere(source))
  const { needsApproval } = tool
  const { decode, definition, encode } = compiled(tool)
  const flaw = rootFlaw(definition.parameters)
  if (flaw !== undefined) return Effect.fail(new ToolsetDefinitionError({ source, ...flaw }))
  const call: ListedTool<any>["call"] = (args) =>
    whileCalling(Effect.flatMap(encode(args.value), (params) => handled(tool, handlers, params)))
  return Effect.succeed({
    definition,
    source,
    origin: [tool.name],
    timed: false,
    decode,
    validate: () => Effect.void,
    call:
      needsApproval === true
        ? whenApproved(call)
        : typeof needsApproval === "function"
          ? asking((args, run) => approval(needsApproval, args, run), call)
          : call
  })
}

const approval = (needsApproval: Tool.NeedsApprovalFunction<any>, args: Args, run: RunContext["Service"]) =>
  Effect.flatMap(ToolCall, ({ id }) =>
    answered(needsApproval(args, { toolCallId: id, messages: run.messages.content }))
  )

/** The last result of the stream that a toolkit's handler is; those before it are progress. */
const handled = Effect.fnUntraced(function* (
  tool: Tool.Any,
  handlers: Toolkit.WithHandler<any>,
  params: unknown
) {
  const { id, progress } = yield* ToolCall
  const stream = yield* withoutArguments(handlers.handle(tool.name, params, id))
  let last: Tool.HandlerResult<any> | undefined
  yield* Stream.runForEach(stream, (result) => {
    if (result.preliminary) return progress(result.encodedResult)
    last = result
    return Effect.void
  })
  if (last === undefined) return yield* new ToolFailed({ message: "The tool ended without a result." })
  const { value } = yield* anyResult.encode(last.encodedResult)
  if (last.isFailure)
    return yield* new ToolFailed({ message: failureText(last.result), details: value as Schema.Json })
  return new ToolReturn({ value, modelOutput: last.modelOutput })
})

/** `handle` writes the arguments of the call into the current span, whoever's it is; they stay out of it here. */
const withoutArguments = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.option(Effect.currentSpan), (span) =>
    Option.isNone(span)
      ? effect
      : Effect.withParentSpan(effect, new Proxy(span.value, { get: exceptArguments }))
  )

/** The span itself but for what would write the arguments; a span makes some of its fields when they are read. */
const exceptArguments = (span: Tracer.Span, field: keyof Tracer.Span): unknown => {
  const value: unknown = Reflect.get(span, field, span)
  if (!Predicate.isFunction(value)) return value
  return field === "attribute"
    ? (key: string, value: unknown) => (key === "parameters" ? undefined : span.attribute(key, value))
    : value.bind(span)
}

const runsElsewhere = (source: string): ToolsetDefinitionError =>
  new ToolsetDefinitionError({
    source,
    problem: "The tool is run by the model's provider.",
    hint: "Leave it out of the toolkit; give it to the model itself."
  })
