/**
 * The secrets that there are, in groups: a regular expression of all of them would be made anew for each that is added,
 * and at some size none can be made at all. A group is compiled when it is first looked for.
 */
import { type Pattern, patternOf } from "./pattern.ts"

export interface Known {
  /** A secret counts as often as it is added. */
  readonly add: (secret: string) => void
  readonly remove: (secret: string) => void
  readonly isEmpty: () => boolean
  readonly patterns: () => ReadonlyArray<Pattern>
}

interface Group {
  readonly pieces: ReadonlyArray<string>
  pattern?: Pattern
}

export const known = (): Known => {
  const counts = new Map<string, number>()
  let groups: ReadonlyArray<Group> = []
  return {
    add: (secret) => {
      for (const piece of piecesOf(secret)) {
        const count = counts.get(piece) ?? 0
        counts.set(piece, count + 1)
        if (count === 0) groups = withPiece(groups, piece)
      }
    },
    remove: (secret) => {
      for (const piece of piecesOf(secret)) {
        const count = counts.get(piece) ?? 0
        if (count > 1) counts.set(piece, count - 1)
        else if (counts.delete(piece)) groups = withoutPiece(groups, piece)
      }
    },
    isEmpty: () => counts.size === 0,
    patterns: () => groups.map((group) => (group.pattern ??= patternOf(group.pieces)))
  }
}

/** A group holds so many pieces, and so many characters. */
const most = { pieces: 32, characters: 1000 }

const withPiece = (groups: ReadonlyArray<Group>, piece: string): ReadonlyArray<Group> => {
  const last = groups.at(-1)
  const isFull =
    last === undefined ||
    last.pieces.length === most.pieces ||
    last.pieces.reduce((sum, { length }) => sum + length, piece.length) > most.characters
  return isFull
    ? [...groups, { pieces: [piece] }]
    : [...groups.slice(0, -1), { pieces: [...last.pieces, piece] }]
}

const withoutPiece = (groups: ReadonlyArray<Group>, piece: string): ReadonlyArray<Group> =>
  groups.flatMap((group) => {
    if (!group.pieces.includes(piece)) return [group]
    const pieces = group.pieces.filter((other) => other !== piece)
    return pieces.length === 0 ? [] : [{ pieces }]
  })

/** A key file is found piece by piece: one after the other they are all of it. */
const piecesOf = (secret: string): ReadonlyArray<string> => {
  const characters = Array.from(secret)
  const count = Math.max(1, Math.floor(characters.length / pieceLength))
  return Array.from({ length: count }, (_, i) =>
    characters.slice(i * pieceLength, i === count - 1 ? undefined : (i + 1) * pieceLength).join("")
  )
}

const pieceLength = 100
