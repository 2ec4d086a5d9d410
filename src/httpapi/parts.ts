/** What a tool asks for: the parts of a request, as the model fills them in. */
import { Exit, Predicate, Redacted, Result, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { mayBeAsked } from "../rest/headers.ts"
import { objectRoot, toJsonSchema } from "../toolset/parameters.ts"
import { failureText } from "../toolset/failure.ts"
import type { Options } from "./options.ts"
import type { Reflected } from "./reflected.ts"

export type PartName = "path_params" | "query" | "headers" | "request_body"

/** One part, with the schema of its decoded side: an `Int` in a path is an integer to the model. */
export interface Part {
  readonly name: PartName
  readonly schema: Schema.Top
  /** What it is where the model leaves it out: not allowed, an empty object, or nothing at all. */
  readonly absent: "refused" | "empty" | "nothing"
}

/** Decoded parts of one request. */
export type PartValues = { readonly [Name in PartName]?: unknown }

export interface Parts {
  readonly asked: ReadonlyArray<Part>
  /** Headers that the model is not asked for, as the endpoint takes them. */
  readonly given: Readonly<Record<string, unknown>> | undefined
}

/** The parts of a request, or why no model can fill them in. */
export const partsOf = (endpoint: Reflected, options: Options): Result.Result<Parts, string> =>
  Result.gen(function* () {
    const { params, query } = endpoint.declaration
    const headers = yield* headersOf(endpoint, options)
    const body = yield* bodyOf(endpoint)
    const asked: Array<Part> = []
    if (params !== undefined) asked.push(yield* part("path_params", params))
    if (query !== undefined) asked.push(yield* part("query", query))
    if (headers.asked !== undefined) asked.push(yield* part("headers", headers.asked))
    if (body !== undefined) {
      const filled = yield* part("request_body", body.schema)
      asked.push(body.isOptional ? { ...filled, absent: "nothing" } : filled)
    }
    return { asked, given: headers.given }
  })

const part = (name: PartName, declared: Schema.Top): Result.Result<Part, string> =>
  Result.try({
    try: (): Part => {
      const schema = Schema.toType(declared)
      const isObject = objectRoot(toJsonSchema(schema)).type === "object"
      return { name, schema, absent: isObject && mayBeEmpty(schema) ? "empty" : "refused" }
    },
    catch: (cause) => `its ${name} cannot be printed as JSON Schema: ${failureText(cause)}`
  })

/** Whether an empty object is one of it; one that needs services to be decoded is taken for one that is not. */
const mayBeEmpty = (schema: Schema.Top): boolean => {
  const json: Schema.Top = Schema.toCodecJson(schema)
  return Exit.isSuccess(
    Schema.decodeUnknownExit(json as Schema.Top & { readonly DecodingServices: never })({})
  )
}

interface Body {
  readonly schema: Schema.Top
  readonly isOptional: boolean
}

/** The body, of those of its types that a model can write. */
const bodyOf = ({ declaration }: Reflected): Result.Result<Body | undefined, string> => {
  const payloads = [...declaration.payload.values()]
  const writable = payloads.filter(({ encoding }) => isText(encoding._tag))
  if (payloads.length > 0 && writable.length === 0) {
    const types = payloads.map(({ encoding }) => encoding.contentType).join(" or ")
    return Result.fail(`its request body is ${types}`)
  }
  const all: ReadonlyArray<Schema.Top> = writable.flatMap(({ schemas }) => schemas)
  const schemas = all.filter(({ ast }) => !HttpApiSchema.isNoContent(ast))
  const [schema] = schemas
  if (schema === undefined) return Result.succeed(undefined)
  return Result.succeed({
    schema: schemas.length === 1 ? schema : Schema.Union(schemas.map((schema) => Schema.toType(schema))),
    isOptional: schemas.length < all.length
  })
}

const isText = (encoding: string): boolean => ["Json", "FormUrlEncoded", "Text"].includes(encoding)

interface HeaderParts {
  readonly asked: Schema.Top | undefined
  readonly given: Parts["given"]
}

/** Headers are configuration, but for those that the model is asked for; credentials, and what frames a request, it never is. */
const headersOf = (
  { declaration }: Reflected,
  { headerParams = false, headers = {} }: Options
): Result.Result<HeaderParts, string> => {
  const declared = declaration.headers
  if (declared === undefined) return Result.succeed({ asked: undefined, given: undefined })
  const configured = new Map(
    Object.entries(headers).map(([name, value]): [string, string] => [
      name.toLowerCase(),
      Redacted.isRedacted(value) ? Redacted.value(value) : value
    ])
  )
  const fields = fieldsOf(declared)
  if (fields === undefined) {
    return headerParams
      ? Result.succeed({ asked: declared, given: undefined })
      : given(declared, Object.fromEntries(configured), headerParams)
  }
  const [own, asked] = Object.entries(fields).reduce<[Schema.Struct.Fields, Schema.Struct.Fields]>(
    ([own, asked], [name, field]) =>
      !headerParams || configured.has(name.toLowerCase()) || !mayBeAsked(name.toLowerCase())
        ? [{ ...own, [name]: field }, asked]
        : [own, { ...asked, [name]: field }],
    [{}, {}]
  )
  const values = Object.keys(own).flatMap((name) => {
    const value = configured.get(name.toLowerCase())
    return value === undefined ? [] : [[name, value] as const]
  })
  return Result.map(
    given(Schema.toCodecStringTree(Schema.Struct(own)), Object.fromEntries(values), headerParams),
    (parts) => ({
      ...parts,
      asked: Object.keys(asked).length === 0 ? undefined : Schema.Struct(asked)
    })
  )
}

const given = (
  schema: Schema.Top,
  values: Readonly<Record<string, string>>,
  headerParams: boolean
): Result.Result<HeaderParts, string> => {
  // Headers that need services to be decoded are refused like those that do not decode.
  const decode = Schema.decodeUnknownExit(schema as Schema.Top & { readonly DecodingServices: never })
  const exit = decode(values)
  return Exit.isSuccess(exit)
    ? Result.succeed({ asked: undefined, given: exit.value as Parts["given"] })
    : Result.fail(
        headerParams
          ? "it needs headers that no model may fill in: give them with `headers`"
          : "it needs headers that nobody gives: give them with `headers`, or ask for them with `headerParams`"
      )
}

/** The fields that a schema was declared with, behind the codec that the endpoint has made of it. */
const fieldsOf = (schema: Schema.Top): Schema.Struct.Fields | undefined => {
  if (Predicate.hasProperty(schema, "fields")) return schema.fields as Schema.Struct.Fields
  return Predicate.hasProperty(schema, "schema") && Schema.isSchema(schema.schema)
    ? fieldsOf(schema.schema as Schema.Top)
    : undefined
}
