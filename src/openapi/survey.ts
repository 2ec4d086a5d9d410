/** A document as a whole: what is selected of it, what becomes tools, and what does not. */
import { Effect, Predicate, Result } from "effect"
import { baseUrlFlaw, secretHeaders } from "../rest/client.ts"
import { mayBeAsked } from "../rest/headers.ts"
import type { Hidden } from "../rest/connect.ts"
import { selected } from "../rest/selection.ts"
import { toolName } from "../rest/toolName.ts"
import { truncationFlaw } from "../rest/truncated.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import type { Flaw } from "../toolset/flawed.ts"
import { retriesFlaw } from "../toolset/withMaxRetries.ts"
import { namesOf } from "./names.ts"
import type { OpenApiError } from "./OpenApiError.ts"
import { type Located, type Operation, operationsOf } from "./operations.ts"
import type { Options } from "./options.ts"
import { parametersIn } from "./parameters.ts"
import { below, type Document, documentOf, type Fault } from "./place.ts"
import { type Planned, planned } from "./plan.ts"
import { read } from "./read.ts"
import * as Schemas from "./schemas.ts"
import { type Schemes, schemesOf, secretsOf } from "./security.ts"
import { serversOf, variablesOf } from "./servers.ts"

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

/** What is wrong with the options, as far as one document can tell. */
const optionsFlaw = (
  document: Document,
  located: ReadonlyArray<Located>,
  options: Options<any>
): Flaw | undefined => {
  const { baseUrl, headerParams, maxRetries, security = {}, serverVariables = {} } = options
  const schemes = schemesOf(document)
  const scheme = Object.keys(security).find((name) => schemes.get(name) === undefined)
  if (scheme !== undefined) {
    return unknownName(
      "security",
      scheme,
      [...schemes].flatMap(([name, known]) => (known === undefined ? [] : name))
    )
  }
  const variables = variablesOf(document, located)
  for (const [name, value] of Object.entries(serverVariables)) {
    const found = variables.filter((variable) => variable.name === name)
    if (found.length === 0)
      return unknownName("serverVariables", name, [...new Set(variables.map(({ name }) => name))])
    const allowed = found.map(({ values }) => values)
    if (!allowed.some((values) => values === undefined || values.includes(value))) {
      return {
        problem: `Its \`serverVariables\` give '${name}' the value '${value}', which its servers do not have.`,
        hint: listOf([...new Set(allowed.flatMap((values) => values ?? []))])
      }
    }
  }
  const asked = (Array.isArray(headerParams) ? headerParams : []).find(
    (name: string) => !mayBeAsked(name.toLowerCase()) || isSchemeHeader(schemes, name)
  )
  if (asked !== undefined) {
    return {
      problem: `Its \`headerParams\` names '${asked}', which no model may fill in.`,
      hint: "It says who asks, or what becomes of the request: give it in `headers`, if it is to be sent."
    }
  }
  return (
    (baseUrl === undefined ? undefined : baseUrlFlaw(baseUrl)) ??
    (maxRetries === undefined ? undefined : retriesFlaw(maxRetries)) ??
    truncationFlaw(options)
  )
}

const isSchemeHeader = (schemes: Schemes, name: string): boolean =>
  [...schemes.values()].some(
    (scheme) => scheme?.in === "header" && scheme.name.toLowerCase() === name.toLowerCase()
  )

const unknownName = (option: string, name: string, names: ReadonlyArray<string>): Flaw => ({
  problem: `Its \`${option}\` names '${name}', which the document does not have.`,
  hint: listOf(names)
})

const listOf = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "There are none." : `There are: ${names.map((name) => `'${name}'`).join(", ")}.`
