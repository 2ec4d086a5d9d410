/** Texts of a configuration, in which `${VAR}` and `${VAR:-default}` stand for variables. */
import { Config, Effect, Option, Redacted } from "effect"

/** What a text says, and whether any of it came from outside: then it may be a secret. */
export interface Expanded {
  readonly text: string
  readonly isSecret: boolean
}

/** Fails with the name of a variable that is not there and has no default. As in a shell, an empty one has the default. */
export const expanded = Effect.fnUntraced(function* (
  text: string
): Effect.fn.Return<Expanded, Config.ConfigError | string> {
  const parts: Array<string> = []
  let end = 0
  for (const match of text.matchAll(variable)) {
    const [whole, name, otherwise] = match
    const value = Option.getOrUndefined(yield* Config.option(Config.String(name!)))
    const found = value === undefined || value === "" ? (otherwise ?? value) : value
    if (found === undefined) return yield* Effect.fail(name!)
    parts.push(text.slice(end, match.index), found)
    end = match.index + whole.length
  }
  return { text: [...parts, text.slice(end)].join(""), isSecret: end > 0 }
})

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/** As it is given on: hidden wherever it would be shown. */
export const asGiven = ({ isSecret, text }: Expanded): string | Redacted.Redacted =>
  isSecret ? Redacted.make(text) : text
