/** A tool of LangChain.js as a tool of a toolset. */
import { toJsonSchema } from "@langchain/core/utils/json_schema"
import { Context, Effect, type JsonSchema, Predicate, Result } from "effect"
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "effect/StandardSchema"
import { inCurrentDraft } from "../interop/inCurrentDraft.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { CallDeferred } from "../ToolSignal.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import { whileCalling } from "../toolset/environment.ts"
import type { OnError } from "../toolset/failure.ts"
import { satisfying } from "../toolset/jsonArguments.ts"
import type { Tool } from "../toolset/model.ts"
import { frozen, objectRoot, rootFlaw, validatedBy } from "../toolset/parameters.ts"
import { printable } from "../toolset/tool.ts"
import { validName } from "../toolset/validName.ts"
import { invoked } from "./invocation.ts"
import type { LangChainToolError } from "./LangChainToolError.ts"
import type { LangChainConfig, LangChainTool } from "./LangChainTool.ts"

export const listed = (
  tool: LangChainTool,
  config: LangChainConfig,
  onError: OnError
): Result.Result<Tool<LangChainToolError>, ToolsetDefinitionError> =>
  Result.gen(function* () {
    const parameters = yield* printable("schema", () => parametersOf(tool.schema))
    const flaw = rootFlaw(parameters)
    if (flaw !== undefined) return yield* Result.fail(flaw)
    const { description, invoke, name } = tool
    const definition: ToolDefinition = {
      name: validName(name),
      description,
      parameters,
      kind: invoke === undefined ? "external" : "function",
      sequential: false,
      metadata: metadataOf(tool),
      annotations: Context.empty()
    }
    const call: Tool<LangChainToolError>["call"] =
      invoke === undefined
        ? () => Effect.fail(new CallDeferred({}))
        : ({ value }) => whileCalling(invoked(tool, invoke, config, onError, value))
    return {
      definition,
      source: `langchain(${name})`,
      origin: [name],
      timed: false,
      decode: decodeOf(tool.schema, parameters),
      validate: () => Effect.void,
      call
    }
  }).pipe(
    Result.mapError((flaw) => new ToolsetDefinitionError({ source: `langchain(${tool.name})`, ...flaw }))
  )

/** What the schema takes, before its defaults and transforms. */
const parametersOf = (schema: unknown): JsonSchema.JsonSchema => {
  const json = isPrintable(schema)
    ? schema["~standard"].jsonSchema.input({ target: "draft-2020-12" })
    : toJsonSchema(schema as Parameters<typeof toJsonSchema>[0])
  return frozen(objectRoot(inCurrentDraft(json as JsonSchema.JsonSchema)))
}

/** By the schema's own validator, where it has one. The tool decodes: it is given arguments as they were sent. */
const decodeOf = (schema: unknown, parameters: JsonSchema.JsonSchema): Tool["decode"] => {
  if (!isStandard(schema)) return satisfying(parameters)
  const validate = validatedBy(schema)
  return (args) =>
    // What it decodes to is an object: its root is one.
    Effect.as(whileCalling(validate(args)), {
      value: args as Readonly<Record<string, unknown>>,
      raw: args,
      encoded: () => Effect.succeed(args)
    })
}

const isStandard = (schema: unknown): schema is StandardSchemaV1 => Predicate.hasProperty(schema, "~standard")

/** zod has it since 4.2. */
const isPrintable = (schema: unknown): schema is StandardJSONSchemaV1 =>
  isStandard(schema) && Predicate.hasProperty(schema["~standard"], "jsonSchema")

/** What the tool says of itself, and under `langchain` what only LangChain knows. */
const metadataOf = ({ extras, metadata, name, returnDirect, tags }: LangChainTool) => ({
  ...metadata,
  langchain: {
    name,
    ...(returnDirect === true ? { returnDirect } : {}),
    ...(tags === undefined || tags.length === 0 ? {} : { tags }),
    ...(extras === undefined ? {} : { extras })
  }
})
