import { Context } from "effect"
import { Tool } from "effect/ai"
import type { ToolDefinition } from "../ToolDefinition.ts"

/** Whether a tool says that it changes nothing: `effect/ai`'s annotation, which every source sets where it knows. */
export const isReadOnly = (tool: ToolDefinition): boolean => Context.get(tool.annotations, Tool.Readonly)
