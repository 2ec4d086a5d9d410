/**
 * The secrets that there are, in groups: a regular expression of all of them would be made anew for each that is added,
 * and at some size none can be made at all. A group is made when it is first looked for.
 */
import { type Finder, finderOf } from "./finder.ts"
import { inBytes, inText, partLength } from "./forms.ts"

export interface Known {
  /** A secret counts as often as it is added. */
  readonly add: (secret: string) => void
  readonly remove: (secret: string) => void
  readonly isEmpty: () => boolean
  readonly finders: () => ReadonlyArray<Finders>
}

export interface Finders {
  readonly text: Finder
  /** In bytes, each of which is a character. */
  readonly bytes: Finder
}

interface Group {
  readonly secrets: ReadonlyArray<string>
  finders?: Finders
}

export const known = (): Known => {
  const counts = new Map<string, number>()
  let groups: ReadonlyArray<Group> = []
  return {
    add: (secret) => {
      const count = counts.get(secret) ?? 0
      counts.set(secret, count + 1)
      if (count === 0) groups = having(groups, secret)
    },
    remove: (secret) => {
      const count = counts.get(secret) ?? 0
      if (count > 1) counts.set(secret, count - 1)
      else if (counts.delete(secret)) groups = lacking(groups, secret)
    },
    isEmpty: () => counts.size === 0,
    finders: () => groups.map((group) => (group.finders ??= findersOf(group)))
  }
}

const findersOf = ({ secrets }: Group): Finders => ({
  text: once(() => finderOf(secrets.flatMap(inText))),
  bytes: once(() => finderOf(secrets.flatMap(inBytes)))
})

const once = (make: () => Finder): Finder => {
  let made: Finder | undefined
  return (text) => (made ??= make())(text)
}

/** A group holds so many, and so many characters that are looked for at once. */
const most = { secrets: 32, characters: 1000 }

const having = (groups: ReadonlyArray<Group>, secret: string): ReadonlyArray<Group> => {
  const last = groups.at(-1)
  return last === undefined || isFull([...last.secrets, secret])
    ? [...groups, { secrets: [secret] }]
    : [...groups.slice(0, -1), { secrets: [...last.secrets, secret] }]
}

const isFull = (secrets: ReadonlyArray<string>): boolean =>
  secrets.length > most.secrets ||
  secrets.reduce((sum, { length }) => sum + Math.min(length, partLength), 0) > most.characters

const lacking = (groups: ReadonlyArray<Group>, secret: string): ReadonlyArray<Group> =>
  groups.flatMap((group) => {
    if (!group.secrets.includes(secret)) return [group]
    const secrets = group.secrets.filter((other) => other !== secret)
    return secrets.length === 0 ? [] : [{ secrets }]
  })
