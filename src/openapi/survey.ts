/** A document as a whole: what is selected of it, what becomes tools, and what does not. */
import { Effect, Predicate, Result } from "effect"
import { secretHeaders } from "../rest/client.ts"
import type { Hidden } from "../rest/connect.ts"
import { selected } from "../rest/selection.ts"
import { toolName } from "../rest/toolName.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import type { Flaw } from "../toolset/flawed.ts"
import { namesOf } from "./names.ts"
import type { OpenApiError } from "./OpenApiError.ts"
import { type Operation, operationsOf } from "./operations.ts"
import type { Options } from "./options.ts"
import { optionsFlaw } from "./optionsFlaw.ts"
import { parametersIn } from "./parameters.ts"
import { below, type Document, documentOf, type Fault } from "./place.ts"
import { type Planned, planned } from "./plan.ts"
import { read } from "./read.ts"
import * as Schemas from "./schemas.ts"
import { schemesOf, secretsOf } from "./security.ts"
import { serversOf } from "./servers.ts"

export interface Survey {
  readonly id: string
  readonly planned: ReadonlyArray<Planned>
  readonly skipped: ReadonlyArray<readonly [Operation, Fault]>
  /** Where nothing that is selected has a server. */
  readonly unreachable: Fault | undefined
  /** What nobody may see. */
  readonly hidden: Hidden
}

export const survey = (
  given: unknown,
  options: Options<any>
): Effect.Effect<Survey, OpenApiError | ToolsetDefinitionError> =>
  Effect.gen(function* () {
    const document = documentOf(yield* read(given))
    const id = options.id ?? idOf(document)
    const definitionError = (flaw: Flaw) => new ToolsetDefinitionError({ source: id, ...flaw })
    const { broken, located } = operationsOf(document)
    const flaw = optionsFlaw(document, located, options)
    if (flaw !== undefined) return yield* definitionError(flaw)
    const operations = [
      ...located.map(({ operation }) => operation),
      ...broken.map(([operation]) => operation)
    ]
    const chosen = yield* Effect.mapError(
      Effect.fromResult(selected(operations, options.include, options.exclude)),
      definitionError
    )
    const isChosen = new Set(chosen)
    // Names are of the whole document: they do not depend on what is selected.
    const names = namesOf(located.map(({ operation }) => operation))
    const sharing = {
      document,
      options,
      schemas: Schemas.make(document),
      servers: serversOf(document, options),
      schemes: schemesOf(document),
      parametersOf: parametersIn(document)
    }
    const skipped = broken.filter(([operation]) => isChosen.has(operation))
    const tools: Array<Planned> = []
    for (const each of located) {
      if (!isChosen.has(each.operation)) continue
      const tool = planned(each, names.get(each.operation)!, sharing)
      if (Result.isSuccess(tool)) tools.push(tool.success)
      else skipped.push([each.operation, tool.failure])
    }
    const reached = located.filter(({ operation }) => isChosen.has(operation)).map(sharing.servers.urlOf)
    return {
      id,
      planned: tools,
      skipped,
      unreachable: reached.some(Result.isSuccess) ? undefined : reached.find(Result.isFailure)?.failure,
      hidden: {
        headers: [
          ...secretHeaders(options),
          ...[...sharing.schemes.values()].flatMap((scheme) => (scheme?.in === "header" ? scheme.name : []))
        ],
        secrets: secretsOf(options)
      }
    }
  })

const idOf = (document: Document): string => {
  const title = below(document.root, "info", "title").value
  const name = Predicate.isString(title) ? toolName(title).toLowerCase().replaceAll("_", "-") : ""
  return name === "" ? "openapi" : `openapi-${name}`
}
