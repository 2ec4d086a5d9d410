/** What becomes of the operations of a document: tools, or reasons why not. */
import { type JsonSchema, Result } from "effect"
import type { HttpClientRequest } from "effect/http"
import { isIdempotent, methodAnnotations } from "../rest/methods.ts"
import { truncatedSchema } from "../rest/truncated.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { lazy } from "../toolset/lazy.ts"
import { argumentsOf } from "./argumentsOf.ts"
import { bodyOf, isBodiless, type Success, successOf } from "./body.ts"
import type { Checks } from "./checked.ts"
import { namesInQuery } from "./chosenNames.ts"
import { type Configuration, configured, configuredValue } from "./configuration.ts"
import type { Json } from "./converted.ts"
import { descriptionOf, type Located, type Operation } from "./operations.ts"
import type { Options } from "./options.ts"
import type { ParametersOf } from "./parameters.ts"
import { below, type Document, type Fault, faultAt, type Fields, fieldsOf, type Place } from "./place.ts"
import { requesting } from "./request.ts"
import { type Schemas, withDefinitions } from "./schemas.ts"
import { type Scheme, type Schemes, type Secured, securedBy } from "./security.ts"
import type { Servers } from "./servers.ts"

/** What all operations of a document share. */
export interface Sharing {
  readonly document: Document
  readonly options: Options<any>
  readonly schemas: Schemas
  readonly servers: Servers
  readonly schemes: Schemes
  readonly parametersOf: ParametersOf
}

/** An operation that can be a tool. */
export interface Planned extends Checks {
  readonly operation: Operation
  /** Where it stands in the document. */
  readonly place: Place
  readonly definition: ToolDefinition
  readonly isJsonResult: boolean
  readonly isIdempotent: boolean
  readonly request: (args: Fields, key: string) => Result.Result<HttpClientRequest.HttpClientRequest, string>
  /** What is worth knowing, besides what reading its result schema tells. */
  readonly remarks: () => ReadonlyArray<Fault>
  readonly resultRemarks: () => ReadonlyArray<Fault>
}

export const planned = (located: Located, name: string, sharing: Sharing): Result.Result<Planned, Fault> =>
  Result.gen(function* () {
    const { document, options, schemas, schemes, servers } = sharing
    const { operation, place } = located
    if (operation.method === "TRACE") {
      return yield* Result.fail(faultAt(place, "clients do not send TRACE"))
    }
    const declared = yield* sharing.parametersOf(located)
    const configuration = yield* configured(document, declared, schemes, options)
    const body = yield* bodyOf(document, located)
    const success = yield* successOf(document, located)
    const url = yield* servers.urlOf(located)
    const args = yield* argumentsOf(configuration.visible, body, schemas)
    const isSentAnyway = (scheme: Scheme): boolean => configuredValue(scheme, options) !== undefined
    const secured = securedBy(document, place, schemes, options.security ?? {}, isSentAnyway)
    const isTrusted = servers.trusts(url)
    const result = lazy(() => resultOf(success, sharing))
    const definition: ToolDefinition = {
      name,
      description: descriptionOf(located),
      get parameters() {
        return args.parameters()
      },
      get returns() {
        return result().schema
      },
      kind: "function",
      sequential: false,
      maxRetries: options.maxRetries,
      metadata: { ...operation },
      annotations: methodAnnotations(operation.method)
    }
    return {
      operation,
      place,
      definition,
      arguments: args,
      parameters: configuration.visible,
      isJsonBody: body === undefined || body.kind === "json",
      encoding: body?.kind === "form" ? fieldsOf(below(body.place, "encoding").value) : undefined,
      queryNames: [
        ...declared.filter((parameter) => parameter.in === "query").map(({ name }) => name),
        ...[...schemes.values()].flatMap((scheme) => (scheme?.in === "query" ? scheme.name : [])),
        ...namesInQuery(operation.path.split("?").slice(1).join("?"))
      ],
      isJsonResult: success.isJson,
      isIdempotent: isIdempotent(operation.method) || configuration.idempotencyKey !== undefined,
      request: requesting({
        operation,
        url,
        isTrusted,
        configuration,
        secrets: secured.secrets,
        body,
        accept: success.accept
      }),
      remarks: lazy(() => [
        ...args.schemas().flatMap(({ remarks }) => remarks),
        ...remarksOf(located, url, isTrusted, configuration, secured)
      ]),
      resultRemarks: () => result().remarks
    }
  })

interface ResultSchema {
  readonly schema: ToolDefinition["returns"]
  readonly remarks: ReadonlyArray<Fault>
}

/** What the model is told of the result. It is not checked, so that a fault in it costs nothing else. */
const resultOf = (success: Success, { options, schemas }: Sharing): ResultSchema => {
  if (!success.isJson) {
    return { schema: success.accept.length === 0 ? undefined : { type: "string" }, remarks: [] }
  }
  const read = Result.gen(function* () {
    const refs: Array<string> = []
    const alternatives = new Map<string, Json>()
    for (const place of success.schemas) {
      const found = yield* schemas.convert(place, "response")
      refs.push(...found.refs)
      alternatives.set(JSON.stringify(found.schema), found.schema)
    }
    if (success.mayBeEmpty) alternatives.set("null", { type: "null" })
    const fault = schemas.faultIn(refs, "response")
    if (fault !== undefined) return yield* Result.fail(fault)
    const [only, ...more] = alternatives.values()
    const schema: JsonSchema.JsonSchema =
      more.length === 0 && typeof only === "object" ? only : { anyOf: [...alternatives.values()] }
    return withDefinitions(schema, schemas.reached(refs, "response"))
  })
  return Result.match(read, {
    onSuccess: (schema) => ({ schema: truncatedSchema(schema, options), remarks: [] }),
    onFailure: ({ pointer, reason }) => ({
      schema: undefined,
      remarks: [{ reason: `the result has no schema: ${reason}`, pointer }]
    })
  })
}

const remarksOf = (
  { operation, place }: Located,
  url: string,
  isTrusted: boolean,
  configuration: Configuration,
  { missing, secrets }: Secured
): ReadonlyArray<Fault> => {
  const remarks: Array<string> = []
  if (missing !== undefined) remarks.push(`it needs ${missing}, which \`security\` does not give`)
  const hasCredentials = [secrets, configuration.headers, configuration.cookies].some(
    (values) => values.length > 0
  )
  if (!isTrusted && hasCredentials) {
    remarks.push(`credentials do not go to ${new URL(url).origin}: name it in \`trustedHosts\` if they shall`)
  }
  if (isBodiless(operation.method) && below(place, "requestBody").value !== undefined) {
    remarks.push(`a body on ${operation.method} is not sent`)
  }
  return remarks.map((reason) => faultAt(place, reason))
}
