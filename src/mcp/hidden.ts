/** Texts of servers, as they may be shown: without secrets, and to a model also without stacks and in bounds. */
import { Redacted } from "effect"
import { readable } from "../interop/readable.ts"

export type Hide = (text: string) => string

/** Hides what is redacted among the values, in any text. */
export const hiding = (values: Iterable<unknown>): Hide => {
  const secrets = Array.from(values)
    .filter(Redacted.isRedacted)
    .map((value) => String(Redacted.value(value)))
    // `Bearer abc` is a secret, and so is `abc`.
    .flatMap((secret) => [secret, secret.slice(secret.lastIndexOf(" ") + 1)])
    .filter((secret) => secret.length >= shortest)
    .toSorted((a, b) => b.length - a.length)
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "<redacted>"), text)
}

/** What is shorter is found everywhere. */
const shortest = 4

/** What a model may read of a failure. */
export const forModel = (text: string, hide: Hide): string => readable(hide(text))
