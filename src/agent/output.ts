/** What a run ends with: text, the arguments of an output tool, or what it waits for. */
import { Context, Effect, Result, type Schema, Schema as S, SchemaAST } from "effect"
import { identity } from "effect/Function"
import { DeferredToolRequests } from "../Deferred.ts"
import { WrappedOutput } from "../interop/aiTool.ts"
import { ToolReturn } from "../ToolReturn.ts"
import { isToolSignal, ModelRetry } from "../ToolSignal.ts"
import { whileCalling } from "../toolset/environment.ts"
import type { Flaw } from "../toolset/flawed.ts"
import { memoized } from "../toolset/memoized.ts"
import type { Decoded, Tool } from "../toolset/model.ts"
import { type Codec, decoding, effectCodec } from "../toolset/parameters.ts"
import { printable } from "../toolset/tool.ts"
import { finalResultProcessed } from "./texts.ts"

/** One schema, or several. `Schema.String` itself is text; every other schema is an output tool. */
export type Output = Schema.Constraint | ReadonlyArray<Schema.Constraint>
/** The type of the answer that an output gives; of several, that of any of them. */
export type OutputType<O> =
  O extends ReadonlyArray<Schema.Constraint>
    ? O[number]["Type"]
    : O extends Schema.Constraint
      ? O["Type"]
      : never
/** What decoding an output needs, and encoding it for a run outside. */
export type OutputServices<O> =
  O extends ReadonlyArray<Schema.Constraint>
    ? O[number]["DecodingServices" | "EncodingServices"]
    : O extends Schema.Constraint
      ? O["DecodingServices" | "EncodingServices"]
      : never

/** What an output gives where there may be none: that of `A` then. */
export type OutputOr<O, A> = O extends Output ? OutputType<O> : A
/** What an output needs where there may be none: nothing then. */
export type OutputServicesOr<O> = O extends Output ? OutputServices<O> : never

/** How the tool is called and described with which a model gives its answer. */
export interface OutputToolOptions {
  /** Default: `final_result`; of several, with the identifier of its schema or its number behind it. */
  readonly name?: string | undefined
  /** Default: that of the schema, if it has one, else one that says what the tool is for. */
  readonly description?: string | undefined
}

/** Says whether an answer will do; may ask for another one with `ModelRetry`. `any`: what it needs is in `R`. */
export type Validate<E> = (output: any) => Effect.Effect<void, E, any>

/** The ways in which a run may end. */
export interface Outputs<out E> {
  readonly allowsText: boolean
  readonly allowsDeferral: boolean
  readonly tools: ReadonlyArray<OutputTool<E>>
  /** The output tools before others; the same list gives the same list. */
  readonly beside: <E2>(tools: ReadonlyArray<Tool<E2>>) => ReadonlyArray<Tool<E | E2>>
  /** Asks about a text. */
  readonly validateText: (text: string) => Effect.Effect<void, E | ModelRetry, any>
  /** Of whatever it may end with. */
  readonly schema: Schema.Constraint
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
  validate: Validate<E> = () => Effect.void
): Outputs<E> | Flaw => {
  const schemas =
    output === undefined ? [S.String] : Array.isArray(output) ? output : [output as Schema.Constraint]
  const structured = schemas.filter((schema) => schema !== S.String && schema !== DeferredToolRequests)
  const allowsText = schemas.includes(S.String)
  if (structured.length === 0 && !allowsText) return noAnswer(schemas)
  const ask = asking(validate)
  const names = namesOf(structured, options.name ?? "final_result")
  const printed = printable("output", () =>
    structured.map((schema, i) => outputTool(schema, names[i]!, options.description, ask))
  )
  if (Result.isFailure(printed)) return printed.failure
  const tools = printed.success
  const schema = S.Union(schemas)
  return {
    allowsText,
    allowsDeferral: schemas.includes(DeferredToolRequests),
    tools,
    beside:
      tools.length === 0 ? identity : memoized((others: ReadonlyArray<Tool<any>>) => [...tools, ...others]),
    validateText: (text) => Effect.scoped(ask(text)),
    schema,
    encode: S.encodeUnknownEffect(S.toCodecJson(schema))
  }
}

const noAnswer = (schemas: ReadonlyArray<Schema.Constraint>): Flaw => ({
  problem: schemas.length === 0 ? "There is no output." : "DeferredToolRequests is the only output.",
  hint: "List what the agent answers with: Schema.String for text, or a schema."
})

/** Whatever signal it gives, it asks for another answer: nobody approves an output, and nobody gives it later. */
const asking =
  <E>(validate: Validate<E>) =>
  (output: unknown): Effect.Effect<void, E | ModelRetry, any> =>
    Effect.mapError(
      Effect.suspend(() => validate(output)),
      (error): E | ModelRetry =>
        isToolSignal(error) ? new ModelRetry({ message: error.message, reason: "body" }) : error
    )

const outputTool = <E>(
  schema: Schema.Constraint,
  name: string,
  description: string | undefined,
  ask: ReturnType<typeof asking<E>>
): OutputTool<E> => {
  const { codec, description: own, isWrapped, read } = objectRooted(schema)
  return {
    definition: {
      name,
      description: description ?? own ?? "The final answer, which ends the run.",
      parameters: codec.jsonSchema,
      kind: "output",
      sequential: false,
      metadata: {},
      annotations: isWrapped ? inside : Context.empty()
    },
    source: "the agent's outputTool",
    origin: [name],
    timed: true,
    decode: decoding(codec),
    validate: () => Effect.void,
    call: (args) =>
      Effect.as(whileCalling(ask(read(args))), new ToolReturn({ value: finalResultProcessed })) as ReturnType<
        Tool<E>["call"]
      >,
    read
  }
}

const inside = Context.make(WrappedOutput, true) as Context.Context<never>

interface ObjectRooted {
  readonly codec: Codec
  readonly isWrapped: boolean
  readonly description: string | undefined
  readonly read: OutputTool<never>["read"]
}

/** What is no object, or one of several, is asked for inside one: providers want one object at the root. */
const objectRooted = (schema: Schema.Constraint): ObjectRooted => {
  const codec = effectCodec(schema)
  const { anyOf, description: given, oneOf, type } = codec.jsonSchema
  const description = typeof given === "string" ? given : undefined
  return type === "object" && anyOf === undefined && oneOf === undefined
    ? { codec, description, isWrapped: false, read: (args) => args.value }
    : {
        codec: effectCodec(S.Struct({ response: schema })),
        description,
        isWrapped: true,
        read: (args) => args.value.response
      }
}

/** Of several, each has the identifier of its schema behind it, or its number. */
const namesOf = (schemas: ReadonlyArray<Schema.Constraint>, name: string): ReadonlyArray<string> => {
  if (schemas.length === 1) return [name]
  const identifiers = schemas.map(identifier)
  const isOnly = (given: string) => identifiers.filter((one) => one === given).length === 1
  return identifiers.map((given, i) => `${name}_${given !== undefined && isOnly(given) ? given : i + 1}`)
}

/** The identifier of a schema, as far as it can be part of a name and is no number. */
const identifier = (schema: Schema.Constraint): string | undefined => {
  const name = SchemaAST.resolveIdentifier(schema.ast)
  return name !== undefined && /^[a-zA-Z_][a-zA-Z0-9_-]{0,39}$/.test(name) ? name : undefined
}
