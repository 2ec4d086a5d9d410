/** Parameters that were changed are checked, or refused. */
import { Effect, Equal } from "effect"
import { JsonSchemaValidator } from "../JsonSchemaValidator.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import { constraintsOf, patternsIn } from "./constraints.ts"
import { imported, unreadable } from "./importedSchema.ts"
import { memoized } from "./memoized.ts"
import type { Any, Tool } from "./model.ts"

interface Pair {
  readonly tool: Tool<unknown>
  readonly definition: ToolDefinition
}

/** Fails where a definition demands what nobody would check. */
export const enforceable = (
  self: Any,
  pairs: ReadonlyArray<Pair>
): Effect.Effect<void, ToolsetDefinitionError> => {
  const demanding = pairs.filter(({ definition, tool }) => demandsOther(definition, tool.definition))
  if (demanding.length === 0) return Effect.void
  return Effect.gen(function* () {
    const compile = yield* JsonSchemaValidator
    for (const { definition, tool } of demanding) {
      const { name, parameters } = definition
      const known = patternsIn(tool.definition.parameters)
      const pattern = patternsIn(parameters).find((pattern) => !known.includes(pattern))
      const problem =
        unreadable(compile, parameters) ??
        (compile === imported && pattern !== undefined ? `It reads no pattern (${pattern}).` : undefined)
      if (problem !== undefined) {
        return yield* new ToolsetDefinitionError({
          source: `prepared(${self.label}) '${name}'`,
          problem: `The JsonSchemaValidator cannot check the changed parameters. ${problem}`,
          hint: "Leave out what it does not read, or provide a JsonSchemaValidator that does."
        })
      }
    }
  })
}

/** Whether it demands something else, and not only says it otherwise. */
export const demandsOther = (definition: ToolDefinition, original: ToolDefinition): boolean =>
  definition.parameters !== original.parameters &&
  !Equal.equals(demanded(definition.parameters), demanded(original.parameters))

const demanded = memoized(constraintsOf)
