/** A tool of the AI SDK as a tool of a toolset. */
import { asSchema, type FlexibleSchema } from "ai"
import { Context, Effect, type JsonSchema, Predicate } from "effect"
import { Tool as AiTool } from "effect/ai"
import { inCurrentDraft } from "../interop/inCurrentDraft.ts"
import { saidBy, threw } from "../interop/threw.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { CallDeferred } from "../ToolSignal.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import { whileCalling } from "../toolset/environment.ts"
import type { OnError } from "../toolset/failure.ts"
import type { Flaw } from "../toolset/flawed.ts"
import { asking, whenApproved } from "../toolset/gate.ts"
import { invalidArguments } from "../toolset/invalidArguments.ts"
import { satisfying } from "../toolset/jsonArguments.ts"
import type { Tool } from "../toolset/model.ts"
import { decoding, frozen, objectRoot, rootFlaw, validatedBy } from "../toolset/parameters.ts"
import { unprintable } from "../toolset/tool.ts"
import { validName } from "../toolset/validName.ts"
import { AiSdkToolError } from "./AiSdkToolError.ts"
import { executed, isAsked } from "./execution.ts"
import type { Held, Sdk } from "./held.ts"

/** Reads its schemas, which the AI SDK may have to wait for. */
export const listed = (
  name: string,
  tool: Sdk,
  given: unknown,
  onError: OnError
): Effect.Effect<Tool<AiSdkToolError>, ToolsetDefinitionError> =>
  Effect.gen(function* () {
    if (tool.type === "provider") return yield* Effect.fail(ofProvider(tool.id))
    const parameters = yield* printed("inputSchema", tool.inputSchema)
    const flaw = rootFlaw(parameters)
    if (flaw !== undefined) return yield* Effect.fail(flaw)
    const context = yield* contextOf(tool, given)
    const definition: ToolDefinition = {
      name: validName(name),
      description: yield* descriptionOf(tool, context),
      parameters,
      returns: yield* returnsOf(tool),
      kind: tool.execute === undefined ? "external" : tool.needsApproval === true ? "unapproved" : "function",
      sequential: false,
      metadata: metadataOf(name, tool),
      annotations: annotationsOf(tool)
    }
    const failure = (cause: unknown) =>
      threw(onError, cause, (problem) => new AiSdkToolError({ toolName: name, problem, cause }))
    return {
      definition,
      source: `aiSdk(${name})`,
      origin: [name],
      timed: false,
      decode: decodeOf(tool.inputSchema, parameters),
      validate: () => Effect.void,
      call: calling({ name, tool, context, failure })
    }
  }).pipe(Effect.mapError((flaw) => new ToolsetDefinitionError({ source: `aiSdk(${name})`, ...flaw })))

/** What has no `execute` runs elsewhere, once somebody has said yes, where that is needed. */
const calling = (held: Held): Tool<AiSdkToolError>["call"] => {
  const { execute, needsApproval } = held.tool
  const call: Tool<AiSdkToolError>["call"] =
    execute === undefined
      ? () => Effect.fail(new CallDeferred({}))
      : ({ value }) => whileCalling(executed(held, execute, value))
  if (needsApproval === true) return whenApproved(call)
  return Predicate.isFunction(needsApproval)
    ? asking((args) => isAsked(held, needsApproval, args), call)
    : call
}

/** By the schema's own validator, where it has one. */
const decodeOf = (schema: FlexibleSchema<unknown>, parameters: JsonSchema.JsonSchema): Tool["decode"] => {
  if (Predicate.hasProperty(schema, "~standard")) {
    return decoding({ jsonSchema: parameters, decode: validatedBy(schema), encode: undefined })
  }
  const { validate } = asSchema(schema)
  if (validate === undefined) return satisfying(parameters)
  return decoding({
    jsonSchema: parameters,
    decode: (args) =>
      Effect.flatMap(
        Effect.promise(async () => validate(args)),
        (result) =>
          result.success
            ? Effect.succeed(result.value as Readonly<Record<string, unknown>>)
            : Effect.fail(invalidArguments(saidBy(result.error)))
      ),
    encode: undefined
  })
}

/** As the AI SDK shows it to a model, but in the draft of all definitions. */
const printed = (
  option: string,
  schema: FlexibleSchema<unknown> | undefined
): Effect.Effect<JsonSchema.JsonSchema, Flaw> =>
  Effect.tryPromise({
    try: async () => {
      const json = await asSchema(schema).jsonSchema
      return frozen(objectRoot(inCurrentDraft(json as JsonSchema.JsonSchema)))
    },
    catch: (cause) => unprintable(option, cause)
  })

/** That of what `execute` gives, where the model sees just that. */
const returnsOf = ({ outputSchema, toModelOutput }: Sdk) =>
  outputSchema === undefined || toModelOutput !== undefined
    ? Effect.undefined
    : Effect.orElseSucceed(printed("outputSchema", outputSchema), () => undefined)

const contextOf = ({ contextSchema }: Sdk, given: unknown): Effect.Effect<unknown, Flaw> =>
  contextSchema === undefined
    ? Effect.succeed(given)
    : Effect.gen(function* () {
        const { validate } = asSchema(contextSchema)
        if (validate === undefined) return given
        const result = yield* Effect.promise(async () => validate(given))
        if (result.success) return result.value
        return yield* Effect.fail({
          problem: "Its context does not fit its `contextSchema`.",
          hint: "Give one in `toolsContext`, under the name of the tool."
        })
      })

const descriptionOf = ({ description }: Sdk, context: unknown): Effect.Effect<string | undefined, Flaw> =>
  Predicate.isFunction(description)
    ? Effect.try({
        try: () => description({ context }),
        catch: (cause) => ({
          problem: `Its \`description\` cannot be asked: ${saidBy(cause)}`,
          hint: "It is a function of the context, which `toolsContext` holds."
        })
      })
    : Effect.succeed(description)

/** What the tool says of itself, and under `aiSdk` what only the AI SDK knows. */
const metadataOf = (name: string, tool: Sdk): ToolDefinition["metadata"] => {
  const { deferLoading, inputExamples, metadata, providerOptions } = tool
  const own = { name, deferLoading, inputExamples, providerOptions }
  const known = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  return { ...metadata, aiSdk: known }
}

const annotationsOf = ({ strict, title }: Sdk): Context.Context<never> =>
  Context.empty().pipe(
    strict === undefined ? (same) => same : Context.add(AiTool.Strict, strict),
    title === undefined ? (same) => same : Context.add(AiTool.Title, title)
    // Annotations say nothing of themselves in the type of a definition.
  ) as Context.Context<never>

const ofProvider = (id: string): Flaw => ({
  problem: `The tool is defined by the model's provider, as '${id}'.`,
  hint: "Leave it out; give it to the model itself."
})
