/** Credentials of one connection: hidden in whatever comes back over it, in every form that `Toolset.masked` knows. */
import { Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"
import { known } from "./known.ts"
import { type Mask, maskOf } from "./mask.ts"
import { shortest } from "./text.ts"

/** Hides these values; shorter ones are found in any text. */
export const hiding = (secrets: Iterable<string>): Mask => {
  const all = known()
  for (const secret of secrets) if (secret.trim().length >= shortest) all.add(secret)
  return all.isEmpty() ? (((value: unknown) => value) as Mask) : maskOf(all.finders())
}

/** A header that is secret, and what of it is: `Token token="abc"` hides `abc`, too, and `Basic` a password. */
export const secretsIn = (header: string): ReadonlyArray<string> => {
  const [, scheme, rest] = /^([\w-]+)\s+(.+)$/s.exec(header) ?? []
  const pairs = (rest ?? header)
    .split(/[\s;,]+/)
    .map((part) => /^[^="]+=(?=[^=])"?(.*?)"?$/s.exec(part)?.[1] ?? part)
  const basic = scheme?.toLowerCase() === "basic" && rest !== undefined ? decoded(rest) : ""
  const password = basic.slice(basic.indexOf(":") + 1)
  return [header, ...(rest === undefined ? [] : [rest]), ...pairs, basic, password]
}

/** What of these values is secret: what is `Redacted`. */
export const secretsGiven = (
  values: ReadonlyArray<string | Redacted.Redacted | undefined>
): ReadonlyArray<string> =>
  values.flatMap((value) => (Redacted.isRedacted(value) ? secretsIn(Redacted.value(value)) : []))

const decoded = (base64: string): string => Result.getOrElse(Base64.decodeString(base64.trim()), () => "")
