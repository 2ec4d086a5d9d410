/** Arguments that do not satisfy a tool's parameters. */
import { Effect, Option, Predicate } from "effect"
import { JsonSchemaValidator } from "../JsonSchemaValidator.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { sample } from "./sample.ts"

/**
 * A list in the place of the object; right ones without a property that is required; right ones with a property of
 * another type. Of these, those that the validator refuses: some schemas take anything.
 */
export const wrongArguments = Effect.fnUntraced(function* ({ parameters }: ToolDefinition) {
  const validate = (yield* JsonSchemaValidator)(parameters)
  const isWrong = (args: unknown) => Effect.map(validate(args), (problem) => problem !== undefined)
  const sampled = Option.getOrUndefined(sample(parameters, 0))
  const right = Predicate.isObject(sampled) ? Object.entries(sampled) : []
  const properties = Predicate.isObject(parameters.properties) ? Object.keys(parameters.properties) : []
  const candidates: ReadonlyArray<ReadonlyArray<unknown>> = [
    [[]],
    ...right.map(([key]) => [Object.fromEntries(right.filter(([name]) => name !== key))]),
    ...properties.map((key) => oneOfEachType.map((value) => ({ ...Object.fromEntries(right), [key]: value })))
  ]
  const found = yield* Effect.forEach(candidates, (some) => Effect.findFirst(some, isWrong))
  return found.flatMap(Option.toArray)
})

const oneOfEachType: ReadonlyArray<unknown> = [{ no: "such" }, "no such", 0.5, true, [], null]
