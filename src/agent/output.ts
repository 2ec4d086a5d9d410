/** What a run ends with: text, the arguments of an output tool, or what it waits for. */
import { Context, Effect, type Schema, Schema as S, SchemaAST } from "effect"
import { identity } from "effect/Function"
import { DeferredToolRequests } from "../Deferred.ts"
import { ToolReturn } from "../ToolReturn.ts"
import type { ModelRetry } from "../ToolSignal.ts"
import { whileCalling } from "../toolset/environment.ts"
import type { Flaw } from "../toolset/flawed.ts"
import { memoized } from "../toolset/memoized.ts"
import type { CallSignals, Decoded, Tool } from "../toolset/model.ts"
import { type Codec, decoding, effectCodec } from "../toolset/parameters.ts"
import { finalResultProcessed } from "./texts.ts"

/** One schema, or several. `Schema.String` itself is text; every other schema is an output tool. */
export type Output = Schema.Constraint | ReadonlyArray<Schema.Constraint>
export type OutputType<O> =
  O extends ReadonlyArray<Schema.Constraint>
    ? O[number]["Type"]
    : O extends Schema.Constraint
      ? O["Type"]
      : never
export type OutputServices<O> =
  O extends ReadonlyArray<Schema.Constraint>
    ? O[number]["DecodingServices"]
    : O extends Schema.Constraint
      ? O["DecodingServices"]
      : never

export interface OutputToolOptions {
  /** Default: `final_result`; of several, with the identifier of its schema or its number behind it. */
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/** Says whether an answer will do; may ask for another one with `ModelRetry`. `any`: what it needs is in `R`. */
export type Validate<E> = (output: any) => Effect.Effect<void, E | ModelRetry, any>

/** The ways in which a run may end. */
export interface Outputs<out E> {
  readonly allowsText: boolean
  readonly allowsDeferral: boolean
  readonly tools: ReadonlyArray<OutputTool<E>>
  /** The output tools before others; the same list gives the same list. */
  readonly beside: <E2>(tools: ReadonlyArray<Tool<E2>>) => ReadonlyArray<Tool<E | E2>>
  /** Asks about a text. */
  readonly validateText: (text: string) => Effect.Effect<void, E | CallSignals, any>
  /** An output as JSON, for a run inside a call. */
  readonly encode: (output: unknown) => Effect.Effect<unknown, unknown, any>
}

export interface OutputTool<out E> extends Tool<E> {
  /** The output that the arguments of its call stand for. */
  readonly read: (args: Decoded) => unknown
}

export const outputsOf = <E>(
  output: Output | undefined,
  options: OutputToolOptions,
  validate: Validate<E> | undefined
): Outputs<E> | Flaw => {
  const schemas =
    output === undefined ? [S.String] : Array.isArray(output) ? output : [output as Schema.Constraint]
  const structured = schemas.filter((schema) => schema !== S.String && schema !== DeferredToolRequests)
  const tools = structured.map((schema, i) =>
    outputTool(schema, structured.length === 1 ? undefined : i, options, validate)
  )
  const allowsText = schemas.includes(S.String)
  if (tools.length === 0 && !allowsText) return onlyDeferral
  return {
    allowsText,
    allowsDeferral: schemas.includes(DeferredToolRequests),
    tools,
    beside:
      tools.length === 0 ? identity : memoized((others: ReadonlyArray<Tool<any>>) => [...tools, ...others]),
    validateText: (text) => (validate === undefined ? Effect.void : whileCalling(validate(text))),
    encode: S.encodeUnknownEffect(S.toCodecJson(S.Union(schemas)))
  }
}

const onlyDeferral: Flaw = {
  problem: "DeferredToolRequests is the only output.",
  hint: "List what the agent answers with as well: Schema.String for text, or a schema."
}

const outputTool = <E>(
  schema: Schema.Constraint,
  index: number | undefined,
  options: OutputToolOptions,
  validate: Validate<E> | undefined
): OutputTool<E> => {
  const { codec, read } = objectRooted(schema)
  const name = options.name ?? "final_result"
  const { description } = codec.jsonSchema
  return {
    definition: {
      name: index === undefined ? name : `${name}_${identifier(schema) ?? index + 1}`,
      description:
        options.description ??
        (typeof description === "string" ? description : "The final answer, which ends the run."),
      parameters: codec.jsonSchema,
      kind: "output",
      sequential: false,
      metadata: {},
      annotations: Context.empty()
    },
    source: "the output of the agent",
    origin: [name],
    timed: true,
    decode: decoding(codec),
    validate: () => Effect.void,
    call: (args) =>
      Effect.as(
        validate === undefined ? Effect.void : whileCalling(validate(read(args))),
        new ToolReturn({ value: finalResultProcessed })
      ) as ReturnType<Tool<E>["call"]>,
    read
  }
}

/** What is no object is asked for inside one. */
const objectRooted = (
  schema: Schema.Constraint
): { readonly codec: Codec; readonly read: OutputTool<never>["read"] } => {
  const codec = effectCodec(schema)
  return codec.jsonSchema.type === "object"
    ? { codec, read: (args) => args.value }
    : { codec: effectCodec(S.Struct({ response: schema })), read: (args) => args.value.response }
}

/** The identifier of a schema, as far as it can be part of a name. */
const identifier = (schema: Schema.Constraint): string | undefined => {
  const name = SchemaAST.resolveIdentifier(schema.ast)
  return name !== undefined && /^[a-zA-Z0-9_-]{1,40}$/.test(name) ? name : undefined
}
