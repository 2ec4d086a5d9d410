import { Effect, Result } from "effect"
import { JsonSchemaValidator } from "../JsonSchemaValidator.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import type { ToolsetDefinitionError } from "../ToolsetError.ts"
import { failureText } from "../toolset/failure.ts"
import { decoderOf, imported } from "../toolset/importedSchema.ts"
import { memoized } from "../toolset/memoized.ts"
import type { OpenApiError } from "./OpenApiError.ts"
import type { Converted } from "./converted.ts"
import type { Operation } from "./operations.ts"
import type { Options } from "./options.ts"
import { type Fault, faultAt } from "./place.ts"
import type { Planned } from "./plan.ts"
import { survey } from "./survey.ts"

/** An operation, what is to be said of it, and the place in the document that it is said of. */
export interface Remark extends Operation {
  readonly reason: string
  readonly pointer: string
}

/** `skipped`: what is no tool, and why; `remarks`: what is worth knowing about the tools there are. */
export interface Report {
  readonly tools: ReadonlyArray<ToolDefinition>
  readonly skipped: ReadonlyArray<Remark>
  readonly remarks: ReadonlyArray<Remark>
}

/**
 * What `make` takes of a document with the same options, and what it leaves out, with reasons and JSON pointers.
 *
 * Remarks say which credentials are missing or held back, which arguments and patterns the validator does not check, which
 * subtypes the document does not name, and which definitions are larger than most models want to read.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
 *
 * const document = `
 * openapi: 3.0.3
 * servers: [{ url: https://files.example.com }]
 * paths:
 *   /files:
 *     get: { operationId: list }
 *     post: { operationId: upload, requestBody: { content: { multipart/form-data: {} } } }
 * `
 * const { skipped, tools } = await Effect.runPromise(OpenApiToolset.report(document))
 * console.log(tools.map((tool) => tool.name), skipped.map(({ method, path, reason }) => `${method} ${path}: ${reason}`))
 * //> [ 'list' ] [ 'POST /files: its request body is multipart/form-data' ]
 * ```
 */
export const report = (
  document: unknown,
  options: Options<any> = {}
): Effect.Effect<Report, OpenApiError | ToolsetDefinitionError> =>
  Effect.gen(function* () {
    const { planned, skipped } = yield* survey(document, options)
    const isDefault = (yield* JsonSchemaValidator) === imported
    const remark = (operation: Operation, fault: Fault): Remark => ({ ...operation, ...fault })
    return {
      tools: planned.map(({ definition }) => definition),
      skipped: skipped.map(([operation, fault]) => remark(operation, fault)),
      remarks: planned.flatMap((plan) => {
        const faults = [
          ...plan.remarks(),
          ...plan.resultRemarks(),
          ...(isDefault ? [...unchecked(plan), ...patterns(plan)] : []),
          ...tooLarge(plan)
        ]
        return faults.map((fault) => remark(plan.operation, fault))
      })
    }
  })

const unchecked = ({ arguments: { parts }, place }: Planned): ReadonlyArray<Fault> =>
  parts().flatMap((part) => {
    const decoder = decoderOf(part.schema)
    const reason = Result.isFailure(decoder) && failureText(decoder.failure)
    return reason === false
      ? []
      : faultAt(part.place ?? place, `${part.called} is not checked before it is sent: ${reason}`)
  })

/** The default validator lets no regular expression in that comes from elsewhere. */
const patterns = ({ arguments: { schemas } }: Planned): ReadonlyArray<Fault> => {
  const [first, ...more] = schemas().flatMap(({ patterns }) => patterns)
  if (first === undefined) return []
  const which = more.length === 0 ? "its pattern is" : `its ${more.length + 1} patterns are`
  return [faultAt(first, `${which} left to the server: a \`JsonSchemaValidator\` of your own checks them`)]
}

/** Of all definitions in public documents, one in a hundred is longer. */
const manyCharacters = 32_000

const tooLarge = ({ arguments: { schemas }, place }: Planned): ReadonlyArray<Fault> => {
  const length = schemas().reduce((sum, schema) => sum + lengthOf(schema), 0)
  const kilobytes = Math.round(length / 1000)
  return length <= manyCharacters
    ? []
    : [faultAt(place, `its parameters have ${kilobytes} kB, more than most models read well`)]
}

const lengthOf = memoized(({ schema }: Converted): number => JSON.stringify(schema).length)
