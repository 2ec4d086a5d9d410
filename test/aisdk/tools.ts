/** Tools of the AI SDK, of which a test says only what it is about. */
import { jsonSchema, type ToolSet } from "ai"
import { Toolset } from "effect-toolset"
import * as AiSdk from "effect-toolset/AiSdk"

/** Takes any object. */
export const object = jsonSchema({ type: "object" })

/** One tool, `t`. */
export const tools = <Mode extends Toolset.OnError | undefined = "retry">(
  fields: object,
  options?: AiSdk.FromToolsOptions<Mode>
) => AiSdk.fromTools({ t: { inputSchema: object, ...fields } } as unknown as ToolSet, options)

export const call = (fields: object, args: unknown = {}) => Toolset.call(tools(fields), "t", args)
