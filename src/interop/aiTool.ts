/** A definition as an `effect/ai` tool. */
import { Context, Schema } from "effect"
import { Tool } from "effect/ai"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { memoized } from "../toolset/memoized.ts"

export type OfferedTool = Tool.Dynamic<
  string,
  {
    readonly parameters: Schema.Unknown
    readonly success: Schema.Unknown
    readonly failure: Schema.Never
    readonly failureMode: "error"
  }
>

/**
 * The tool that is offered for a definition; the same definition gives the same tool, since effect/ai keeps what it makes
 * of a tool under its identity.
 *
 * Its JSON Schema is sent as it is. Providers also derive a codec from `parametersSchema`, which throws for
 * `Schema.Unknown`, what a dynamic tool has by itself: a schema of anything stands in its place. Strict mode rewrites
 * schemas, so it is off unless the definition asks for it.
 */
export const aiTool: (definition: ToolDefinition) => OfferedTool = memoized((definition) => {
  const tool = Tool.dynamic(definition.name, {
    description: definition.description,
    parameters: definition.parameters
  })
    .annotate(Tool.Strict, false)
    .annotateMerge(definition.annotations)
    .annotate(OutputTool, definition.kind === "output")
  // effect/ai copies tools in this way itself: the prototype tells the kinds apart.
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { parametersSchema: Anything })
})

/** Whether a call of the tool ends the run. */
export const OutputTool = Context.Reference<boolean>("effect-toolset/OutputTool", {
  defaultValue: () => false
})

/** Whether what an output tool is called with is inside of one object, since it is none itself. */
export const WrappedOutput = Context.Reference<boolean>("effect-toolset/WrappedOutput", {
  defaultValue: () => false
})

const Anything = Schema.Any.check(
  Schema.makeFilter(() => undefined, { toJsonSchema: () => ({ type: "object" }) })
)
