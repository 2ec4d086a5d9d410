/** The arguments of an operation: what the model is told, and how what it sends is checked. */
import { type JsonSchema, Predicate, Result } from "effect"
import { decoderOf } from "../toolset/importedSchema.ts"
import { lazy } from "../toolset/lazy.ts"
import type { Body } from "./body.ts"
import type { Converted, Json } from "./converted.ts"
import type { Parameter } from "./parameters.ts"
import { below, type Fault, type Fields, fieldsOf, type Place } from "./place.ts"
import { type Reached, type Schemas, withDefinitions } from "./schemas.ts"

export interface Arguments {
  readonly parameters: () => JsonSchema.JsonSchema
  /** What is checked, one after another: a part that the validator cannot read leaves the others checked. */
  readonly parts: () => ReadonlyArray<Part>
  /** The body alone. */
  readonly body: (() => JsonSchema.JsonSchema) | undefined
  /** All schemas in them. */
  readonly schemas: () => ReadonlyArray<Converted>
}

/** Some of the arguments. */
export interface Part {
  readonly called: string
  readonly place: Place | undefined
  readonly schema: JsonSchema.JsonSchema
  /** What of the arguments it is about; nothing, where that was not given. */
  readonly of: (args: unknown) => unknown
}

/** The groups of arguments, and the parameters in each. */
export const groups = { path: "path_params", query: "query", header: "headers" } as const
type Group = keyof typeof groups

const isIn =
  (group: Group) =>
  (parameter: Parameter): boolean =>
    parameter.in === group

/** Fails where a schema, or one that it refers to, is none. */
export const argumentsOf = (
  parameters: ReadonlyArray<Parameter>,
  body: Body | undefined,
  schemas: Schemas
): Result.Result<Arguments, Fault> =>
  Result.gen(function* () {
    const given = yield* Result.all(
      parameters.map((parameter) =>
        Result.map(schemas.convert(parameter.schema, "request"), (found): Given => ({
          ...found,
          schema: described(found.schema, parameter.description),
          parameter
        }))
      )
    )
    const givenBody =
      body === undefined
        ? undefined
        : yield* Result.map(schemas.convert(below(body.place, "schema"), "request"), (found): Converted => ({
            ...found,
            schema: described(found.schema, body.description)
          }))
    const outside = given.flatMap(({ refs }) => [...refs])
    const inBody = [...(givenBody?.refs ?? [])]
    // What is referred to is looked at now, so that a broken schema is known before the tool is offered.
    const fault = schemas.faultIn(outside, "request") ?? schemas.faultIn(inBody, "request")
    if (fault !== undefined) return yield* Result.fail(fault)

    const reached = (refs: ReadonlyArray<string>): ReadonlyArray<Reached> => schemas.reached(refs, "request")
    const whole = (schemaOf: (given: Given) => Json, bodySchema: Json | undefined) => {
      const used = Object.entries(groups)
        .map(
          ([group, name]) => [name, given.filter(({ parameter }) => isIn(group as Group)(parameter))] as const
        )
        .filter(([, own]) => own.length > 0)
      const required = used.filter(([, own]) => own.some(({ parameter }) => parameter.required))
      return closed(
        [
          ...used.map(([name, own]) => [name, fieldsSchema(own, schemaOf)] as const),
          ...(bodySchema === undefined ? [] : [["request_body", bodySchema] as const])
        ],
        [...required.map(([name]) => name), ...(body?.required === true ? ["request_body"] : [])]
      )
    }
    const own = (found: Given): Json => found.schema
    const bodyAlone =
      givenBody &&
      lazy(() => withDefinitions(closed([["request_body", givenBody.schema]], []), reached(inBody)))
    return {
      parameters: lazy(() =>
        withDefinitions(whole(own, givenBody?.schema), reached([...outside, ...inBody]))
      ),
      parts: lazy(() => {
        const anyBody = givenBody && {}
        const all: Part = {
          called: "the arguments",
          place: undefined,
          schema: withDefinitions(whole(own, anyBody), reached(outside)),
          of: (args) => args
        }
        const bodyPart =
          bodyAlone === undefined ? [] : [partOf("the body", undefined, bodyAlone(), ["request_body"])]
        if (isReadable(all.schema)) return [all, ...bodyPart]
        const alone = given.map((found) => ({ found, part: parameterPart(found, reached) }))
        const unreadable = alone.filter(({ part }) => !isReadable(part.schema))
        const isOdd = new Set(unreadable.map(({ found }) => found))
        const refs = given.flatMap((found) => (isOdd.has(found) ? [] : [...found.refs]))
        const others = whole((found) => (isOdd.has(found) ? {} : found.schema), anyBody)
        return [
          { ...all, schema: withDefinitions(others, reached(refs)) },
          ...unreadable.map(({ part }) => part),
          ...bodyPart
        ]
      }),
      body: bodyAlone,
      schemas: () => [
        ...given,
        ...(givenBody === undefined ? [] : [givenBody]),
        ...reached([...outside, ...inBody])
      ]
    }
  })

/** A parameter, with its schema. */
interface Given extends Converted {
  readonly parameter: Parameter
}

const isReadable = (schema: JsonSchema.JsonSchema): boolean => Result.isSuccess(decoderOf(schema))

const parameterPart = (
  found: Given,
  reached: (refs: ReadonlyArray<string>) => ReadonlyArray<Reached>
): Part => {
  const { parameter, refs, schema } = found
  const group = groups[parameter.in as Group]
  const alone = closed([[group, closed([[parameter.name, schema]], [])]], [])
  const whole = withDefinitions(alone, reached([...refs]))
  return partOf(`${group}.${parameter.name}`, parameter.place, whole, [group, parameter.name])
}

/** What stands at a path in the arguments, as arguments that have nothing else. */
const partOf = (
  called: string,
  place: Place | undefined,
  schema: JsonSchema.JsonSchema,
  path: ReadonlyArray<string>
): Part => ({
  called,
  place,
  schema,
  of: (args) => {
    const found = path.reduce<unknown>(
      (at, key) => (Object.hasOwn(fieldsOf(at), key) ? (at as Fields)[key] : undefined),
      args
    )
    return found === undefined
      ? undefined
      : path.reduceRight<unknown>((value, key) => Object.fromEntries([[key, value]]), found)
  }
})

const fieldsSchema = (own: ReadonlyArray<Given>, schemaOf: (given: Given) => Json): JsonSchema.JsonSchema =>
  closed(
    own.map((found) => [found.parameter.name, schemaOf(found)] as const),
    own.filter(({ parameter }) => parameter.required).map(({ parameter }) => parameter.name)
  )

const closed = (
  properties: ReadonlyArray<readonly [string, Json]>,
  required: ReadonlyArray<string>
): JsonSchema.JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(properties),
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false
})

/** What a parameter or a body says of itself is nearer than what its schema says. */
const described = (schema: Json, description: string | undefined): Json => {
  if (description === undefined) return schema
  return Predicate.isBoolean(schema) ? (schema ? { description } : schema) : { ...schema, description }
}
