import { Context, Effect, type JsonSchema } from "effect"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { CallDeferred } from "../ToolSignal.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import { satisfying } from "./jsonArguments.ts"
import { fixed } from "./listing.ts"
import { frozen, rootFlaw } from "./parameters.ts"
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
  const flawed = tools.flatMap(({ definition, source }) => {
    const flaw = rootFlaw(definition.parameters)
    return flaw === undefined ? [] : [new ToolsetDefinitionError({ source, ...flaw })]
  })
  return lightLeaf(
    "external",
    flawed[0] === undefined ? Effect.succeed(fixed(tools)) : Effect.fail(flawed[0])
  )
}

const noProperties: JsonSchema.JsonSchema = { type: "object", properties: {}, additionalProperties: false }

const externalTool = (options: ToolDefinition.External): Tool => {
  const definition: ToolDefinition = {
    name: options.name,
    description: options.description,
    parameters: frozen(options.parameters ?? noProperties),
    returns: options.returns === undefined ? undefined : frozen(options.returns),
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
