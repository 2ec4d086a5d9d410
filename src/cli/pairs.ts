/** A flag of pairs, `NEW=OLD`, that may be given several times. */
import { Option } from "effect"
import { Flag } from "effect/cli"

export interface PairsOptions {
  readonly metavar: string
  readonly description: string
  /** What can stand before the first `=`. Default: anything. */
  readonly isKey?: (key: string) => boolean
  /** What two keys have in common that are one. Default: all. */
  readonly same?: (key: string) => string
}

/** What is wrong is told without the value, which may be a secret. A key that is given twice has no value. */
export const pairs = (
  name: string,
  { description, isKey = () => true, metavar, same = (key) => key }: PairsOptions
): Flag.Flag<Readonly<Record<string, string>>> => {
  const pairIn = (text: string): readonly [string, string] | undefined => {
    const at = text.indexOf("=")
    const key = text.slice(0, at)
    return at > 0 && at < text.length - 1 && isKey(key) ? [key, text.slice(at + 1)] : undefined
  }
  return Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.atLeast(0),
    Flag.filterMap(
      (texts) => {
        const found = texts.flatMap((text) => {
          const pair = pairIn(text)
          return pair === undefined ? [] : [pair]
        })
        const keys = new Set(found.map(([key]) => same(key)))
        return keys.size === texts.length ? Option.some(Object.fromEntries(found)) : Option.none()
      },
      (texts) =>
        texts.every((text) => pairIn(text) !== undefined) ? `each ${metavar.split("=")[0]} once` : metavar
    )
  )
}
