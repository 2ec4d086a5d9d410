import type { Context, JsonSchema } from "effect"

/**
 * What a tool looks like from outside.
 *
 * - `parameters`: JSON Schema, draft 2020-12, with an object as root, derived from the schema that validates.
 * - `returns`: JSON Schema of the result, where the tool has one.
 * - `kind`: `external` tools run somewhere else, `unapproved` ones wait for a yes, `output` ones end the run.
 * - `sequential`: a barrier; the tool runs alone in its step.
 * - `maxRetries`: the tool's own budget; without one the run's holds.
 * - `metadata`: for the application; never sent to the model.
 * - `annotations`: those of `effect/ai` tools: `Tool.Strict`, `Tool.Readonly`, `Tool.Destructive`, …
 *
 * Every optional field also takes `undefined`, so that `{ ...tool, description: maybe }` is a definition.
 */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string | undefined
  readonly parameters: JsonSchema.JsonSchema
  readonly returns?: JsonSchema.JsonSchema | undefined
  readonly kind: "function" | "external" | "unapproved" | "output"
  readonly sequential: boolean
  readonly maxRetries?: number | undefined
  readonly metadata: Readonly<Record<string, unknown>>
  readonly annotations: Context.Context<never>
}

export declare namespace ToolDefinition {
  /** A tool that runs somewhere else, as `Toolset.external` takes it: JSON all the way down. */
  export interface External {
    readonly name: string
    readonly description?: string | undefined
    readonly parameters?: JsonSchema.JsonSchema | undefined
    readonly returns?: JsonSchema.JsonSchema | undefined
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
  }
}
