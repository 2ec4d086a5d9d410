/** Finds secrets in texts. */
import type { Form } from "./forms.ts"

export interface Place {
  readonly start: number
  readonly end: number
}

/** Every place at which one stands, also inside of another one. */
export type Finder = (text: string) => ReadonlyArray<Place>

export const finderOf = (forms: ReadonlyArray<Form>): Finder => {
  // Of two that begin at one place the longer one is found.
  const longestFirst = forms.toSorted((a, b) => b.length - a.length)
  const starts = longestFirst.map(({ parts }) => parts[0]!)
  /** Finding out that there is none takes less than finding where each is. */
  const any = new RegExp(starts.join("|"))
  const each = new RegExp(`(?=${starts.map((start) => `(${start})`).join("|")})`, "g")
  const rests = longestFirst.map(({ parts }) => parts.slice(1).map(sticky))

  const endOf = (text: string, { index, ...match }: RegExpExecArray): number => {
    const which = longestFirst.findIndex((_, i) => match[i + 1] !== undefined)
    let end = index + match[which + 1]!.length
    for (const part of rests[which]!) {
      const next = part(text, end)
      // As much of it as there is.
      if (next === undefined) return end
      end = next
    }
    return end
  }

  return (text) =>
    any.test(text)
      ? Array.from(text.matchAll(each), (match) => ({ start: match.index, end: endOf(text, match) }))
      : []
}

/** Where what matches there ends. Made when it is first asked for. */
const sticky = (source: string): ((text: string, at: number) => number | undefined) => {
  let made: RegExp | undefined
  return (text, at) => {
    made ??= new RegExp(source, "y")
    made.lastIndex = at
    return made.test(text) ? made.lastIndex : undefined
  }
}
