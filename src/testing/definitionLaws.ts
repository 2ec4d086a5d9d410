/** The laws of what a toolset lists at one step. */
import { Effect, Exit, Result } from "effect"
import { JsonSchemaValidator } from "../JsonSchemaValidator.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { toJson } from "../toolset/json.ts"
import type { Tool } from "../toolset/model.ts"
import { retriesFlaw } from "../toolset/withMaxRetries.ts"
import { exitText, type ToolsetLawBroken, uphold } from "./law.ts"

export const upholdDefinitions = Effect.fnUntraced(function* (
  tools: ReadonlyArray<Tool<unknown>>
): Effect.fn.Return<void, ToolsetLawBroken> {
  const seen = new Set<string>()
  for (const { definition } of tools) {
    const { name, parameters } = definition
    yield* uphold(
      "The names of a step are unique.",
      seen.has(name) ? `'${name}' is listed twice.` : undefined
    )
    seen.add(name)
    yield* uphold(
      "A name is 1 to 64 of a-z, A-Z, 0-9, _ and -.",
      /^[a-zA-Z0-9_-]{1,64}$/.test(name) ? undefined : `'${name}' is not.`
    )
    yield* uphold("What a model or a front end sees of a tool is JSON.", notJson(definition))
    yield* uphold(
      "Parameters are the JSON Schema of an object.",
      parameters.type === "object" ? undefined : `Those of '${name}' are ${JSON.stringify(parameters)}.`
    )
    yield* uphold("Any arguments can be checked against the parameters.", yield* unchecked(definition))
  }
})

/** Metadata and annotations are the application's, and may be anything. */
const notJson = (tool: ToolDefinition): string | undefined => {
  const { description, kind, maxRetries, name, parameters, returns, sequential } = tool
  const json = toJson({ description, parameters, returns, kind, sequential, maxRetries })
  if (Result.isFailure(json)) {
    return `The ${json.failure.path.join(".")} of '${name}': ${json.failure.problem}`
  }
  return maxRetries === undefined ? undefined : retriesFlaw(maxRetries)?.problem
}

/** The validator may take whatever it cannot read, but it has to answer. */
const unchecked = Effect.fnUntraced(function* ({ name, parameters }: ToolDefinition) {
  const compile = yield* JsonSchemaValidator
  const exit = yield* Effect.exit(Effect.suspend(() => compile(parameters)({})))
  return Exit.isSuccess(exit) ? undefined : `Checking those of '${name}' ${exitText(exit)}`
})
