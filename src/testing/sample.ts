/** A value for a JSON Schema: the plainest one that satisfies it, the same one every time. */
import { type JsonSchema, Option } from "effect"
import { checker } from "./checker.ts"
import { plain } from "./plain.ts"

/** A value that satisfies the schema, or none where no such value was found. A schema that cannot be read is not checked. */
export const sample = (schema: JsonSchema.JsonSchema, seed: number): Option.Option<unknown> => {
  const made = plain(schema, seed)
  const check = checker(schema)
  if (check === undefined) return made
  return Option.orElse(Option.filter(made, check.accepts), () =>
    Option.filter(check.generate(seed), check.accepts)
  )
}
