/**
 * Schemas of a document as draft 2020-12. References are kept, as references to `$defs`; each schema is converted once per
 * direction, when it is first needed, and shared by all tools that use it.
 */
import { Result } from "effect"
import { type Converted, converted, type Direction, type Json } from "./converted.ts"
import { type Document, type Fault, memoizedByValue, type Place, tokens } from "./place.ts"

export interface Schemas {
  readonly convert: (place: Place, direction: Direction) => Result.Result<Converted, Fault>
  /** The definitions of all that `refs` reach, or what is wrong with one of them. */
  readonly definitions: (refs: Iterable<string>, direction: Direction) => Result.Result<Definitions, Fault>
}

export interface Definitions {
  readonly $defs: Readonly<Record<string, Json>>
  readonly remarks: ReadonlyArray<Fault>
}

/** The schemas of a document. */
export const make = (document: Document): Schemas => {
  const nameOf = naming()
  // A failure is remembered too: whoever needs the schema next fails for the same reason.
  const convertTo = (direction: Direction) =>
    memoizedByValue((place) => converted(place, { direction, nameOf, lookUp: document.schemaTarget }))
  const converting = { request: convertTo("request"), response: convertTo("response") }
  const convert: Schemas["convert"] = (place, direction) => converting[direction](place)
  const definitions: Schemas["definitions"] = (refs, direction) =>
    Result.gen(function* () {
      const entries = new Map<string, Json>()
      const remarks: Array<Fault> = []
      const seen = new Set(refs)
      const todo = [...seen]
      for (let ref = todo.pop(); ref !== undefined; ref = todo.pop()) {
        const found = yield* Result.flatMap(document.schemaTarget(ref, document.root), converting[direction])
        entries.set(nameOf(ref), found.schema)
        remarks.push(...found.remarks)
        for (const next of found.refs) {
          if (!seen.has(next)) todo.push(next)
          seen.add(next)
        }
      }
      return { $defs: Object.fromEntries(entries), remarks }
    })
  return { convert, definitions }
}

/** A name of its own in `$defs` for every place. */
const naming = (): ((ref: string) => string) => {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  return (ref) => {
    const known = names.get(ref)
    if (known !== undefined) return known
    const path = tokens(ref)
    const place = path[0] === "components" ? path.slice(path[1] === "schemas" ? 2 : 1) : path
    const base =
      place
        .join("_")
        .replaceAll(/[^A-Za-z0-9._-]/g, "_")
        .slice(-60) || "schema"
    let name = base
    for (let i = 2; taken.has(name); i++) name = `${base}_${i}`
    names.set(ref, name)
    taken.add(name)
    return name
  }
}
