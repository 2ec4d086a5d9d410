import { Context, Effect, type JsonSchema } from "effect"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { CallDeferred } from "../ToolSignal.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import { satisfying } from "./jsonArguments.ts"
import { fixed } from "./listing.ts"
import { lightLeaf, type Tool, type Toolset } from "./model.ts"

/**
 * Tools that run somewhere else: a front end, another service. Arguments are checked against their JSON Schema, then the
 * call is deferred.
 *
 * `parameters` default to an object without properties. A root that is no object is a `ToolsetDefinitionError`.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const browser = Toolset.external([{
 *   name: "get_language",
 *   parameters: { type: "object", properties: { fallback: { type: "string" } } }
 * }])
 * console.log(Effect.runSync(Effect.flip(Toolset.call(browser, "get_language", { fallback: 1 }))).message)
 * //> Invalid arguments: Expected string
 * //>   at ["fallback"]
 * console.log(Effect.runSync(Effect.flip(Toolset.call(browser, "get_language", { fallback: "en" })))._tag)
 * //> CallDeferred
 * ```
 */
export const external = (definitions: ReadonlyArray<ToolDefinition.External>): Toolset => {
  const tools = definitions.map(externalTool)
  const rootless = tools.find((tool) => tool.definition.parameters.type !== "object")
  return lightLeaf(
    "external",
    rootless === undefined
      ? Effect.succeed(fixed(tools))
      : Effect.fail(
          new ToolsetDefinitionError({
            source: `external(${rootless.definition.name})`,
            problem: `The root of its parameters is ${JSON.stringify(rootless.definition.parameters)}.`,
            hint: `A model sends an object: the root says "type": "object".`
          })
        )
  )
}

const noProperties: JsonSchema.JsonSchema = { type: "object", properties: {}, additionalProperties: false }

const externalTool = (options: ToolDefinition.External): Tool => {
  const definition: ToolDefinition = {
    name: options.name,
    description: options.description,
    parameters: options.parameters ?? noProperties,
    returns: options.returns,
    kind: "external",
    sequential: false,
    metadata: options.metadata ?? {},
    annotations: Context.empty()
  }
  return {
    definition,
    source: `external(${options.name})`,
    origin: [options.name],
    timed: false,
    decode: satisfying(definition.parameters),
    validate: () => Effect.void,
    call: () => Effect.fail(new CallDeferred({}))
  }
}
