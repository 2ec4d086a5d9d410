/** The arguments of an operation: what the model is told, and how what it sends is checked. */
import { type JsonSchema, Predicate, Result } from "effect"
import { lazy } from "../toolset/lazy.ts"
import type { Body } from "./body.ts"
import type { Direction, Json } from "./converted.ts"
import type { Parameter } from "./parameters.ts"
import { below, type Fault, type Place } from "./place.ts"
import type { Schemas } from "./schemas.ts"

export interface Arguments {
  readonly parameters: () => JsonSchema.JsonSchema
  /** Everything but what is in the body: a body that the validator cannot read leaves the rest checked. */
  readonly outside: () => JsonSchema.JsonSchema
  readonly body: (() => JsonSchema.JsonSchema) | undefined
  readonly remarks: ReadonlyArray<Fault>
}

/** The groups of arguments, and the parameters in each. */
export const groups = { path: "path_params", query: "query", header: "headers" } as const
type Group = keyof typeof groups

/** Fails where a schema, or one that it refers to, is none. */
export const argumentsOf = (
  parameters: ReadonlyArray<Parameter>,
  body: Body | undefined,
  schemas: Schemas
): Result.Result<Arguments, Fault> =>
  Result.gen(function* () {
    const refs = new Set<string>()
    const remarks: Array<Fault> = []
    const convert = (place: Place, into: Set<string>): Result.Result<Json, Fault> =>
      Result.map(schemas.convert(place, "request"), (found) => {
        for (const ref of found.refs) into.add(ref)
        remarks.push(...found.remarks)
        return found.schema
      })
    const properties: Record<string, Json> = {}
    const required: Array<string> = []
    for (const place of Object.keys(groups) as ReadonlyArray<Group>) {
      const own = parameters.filter((parameter) => parameter.in === place)
      if (own.length === 0) continue
      const fields: Array<readonly [string, Json]> = []
      for (const parameter of own) {
        fields.push([
          parameter.name,
          described(yield* convert(parameter.schema, refs), parameter.description)
        ])
      }
      const needed = own.filter((parameter) => parameter.required).map(({ name }) => name)
      properties[groups[place]] = closed(Object.fromEntries(fields), needed)
      if (needed.length > 0) required.push(groups[place])
    }
    const bodyRefs = new Set<string>()
    const bodySchema =
      body === undefined
        ? undefined
        : described(yield* convert(below(body.place, "schema"), bodyRefs), body.description)
    if (body?.required === true) required.push("request_body")
    // What is referred to is looked at now, so that a broken schema is known before the tool is offered.
    for (const reached of [refs, bodyRefs])
      remarks.push(...(yield* schemas.definitions(reached, "request")).remarks)

    const complete = (
      fields: Record<string, Json>,
      needed: ReadonlyArray<string>,
      reached: Iterable<string>
    ) => lazy(() => withDefinitions(closed(fields, needed), schemas, reached, "request"))
    const withBody = (schema: Json): Record<string, Json> => ({ ...properties, request_body: schema })
    return {
      parameters: complete(bodySchema === undefined ? properties : withBody(bodySchema), required, [
        ...refs,
        ...bodyRefs
      ]),
      outside: complete(bodySchema === undefined ? properties : withBody({}), required, refs),
      body: bodySchema === undefined ? undefined : complete({ request_body: bodySchema }, [], bodyRefs),
      remarks
    }
  })

const closed = (
  properties: Readonly<Record<string, Json>>,
  required: ReadonlyArray<string>
): JsonSchema.JsonSchema => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false
})

/** What a parameter or a body says of itself is nearer than what its schema says. */
const described = (schema: Json, description: string | undefined): Json => {
  if (description === undefined) return schema
  return Predicate.isBoolean(schema) ? (schema ? { description } : schema) : { ...schema, description }
}

/** A schema that can be read alone. */
export const withDefinitions = (
  schema: JsonSchema.JsonSchema,
  schemas: Schemas,
  refs: Iterable<string>,
  direction: Direction
): JsonSchema.JsonSchema => {
  const found = Result.getOrUndefined(schemas.definitions(refs, direction))
  return found === undefined || Object.keys(found.$defs).length === 0
    ? schema
    : { ...schema, $defs: found.$defs }
}
