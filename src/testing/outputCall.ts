/** Output tools and the values that they take, as far as its schema says so at a glance. */
import { Predicate } from "effect"
import { type OfferedTool, wrapped } from "./recording.ts"

export interface OutputCall {
  readonly tool: OfferedTool
  readonly args: unknown
}

/** The arguments that stand for an output: it itself, or what has it inside, unless that is what it is already. */
export const outputArgs = (tool: OfferedTool, value: unknown): unknown => {
  if (!wrapped.has(tool)) return value
  const args = { response: value }
  return !isTaken({ tool, args }) && isTaken({ tool, args: value }) ? value : args
}

/** The first that takes it. */
export const outputCall = (tools: ReadonlyArray<OfferedTool>, value: unknown): OutputCall | undefined =>
  tools.map((tool) => ({ tool, args: outputArgs(tool, value) })).find(isTaken)

const isTaken = ({ args, tool: { parameters } }: OutputCall): boolean => {
  if (!Predicate.isObject(args)) return false
  const properties = Predicate.isObject(parameters.properties) ? parameters.properties : {}
  const required = Array.isArray(parameters.required) ? parameters.required : []
  return (
    required.every((name) => Object.hasOwn(args, name)) &&
    Object.entries(args).every(([name, value]) =>
      Object.hasOwn(properties, name)
        ? isOfType((properties as Record<string, unknown>)[name], value)
        : parameters.additionalProperties !== false
    )
  )
}

const isOfType = (schema: unknown, value: unknown): boolean => {
  if (!Predicate.isObject(schema)) return true
  const branches = "anyOf" in schema ? schema.anyOf : "oneOf" in schema ? schema.oneOf : undefined
  if (Array.isArray(branches)) return branches.some((branch) => isOfType(branch, value))
  if (!("type" in schema)) return true
  switch (schema.type) {
    case "object":
      return Predicate.isObject(value)
    case "array":
      return Array.isArray(value)
    case "integer":
    case "number":
      return Predicate.isNumber(value)
    case "null":
      return value === null
    default:
      return typeof value === schema.type
  }
}
