/**
 * Schemas of a document as draft 2020-12. References are kept, as references to `$defs`; each schema is converted once per
 * direction, when it is first needed, and shared by all tools that use it.
 */
import { type JsonSchema, Result } from "effect"
import { type Converted, converted, type Direction, type Json } from "./converted.ts"
import { type Document, type Fault, memoizedByValue, type Place, tokens } from "./place.ts"

export interface Schemas {
  readonly convert: (place: Place, direction: Direction) => Result.Result<Converted, Fault>
  /** What is wrong with one of all that `refs` reach. */
  readonly faultIn: (refs: Iterable<string>, direction: Direction) => Fault | undefined
  /** All that `refs` reach, of which nothing is wrong. */
  readonly reached: (refs: Iterable<string>, direction: Direction) => ReadonlyArray<Reached>
}

/** A schema that others refer to. */
export interface Reached extends Converted {
  readonly name: string
}

/** The schemas of a document. */
export const make = (document: Document): Schemas => {
  const nameOf = naming()
  const made = (direction: Direction) => {
    // A failure is remembered too: whoever needs the schema next fails for the same reason.
    const convert = memoizedByValue((place) =>
      converted(place, { direction, nameOf, lookUp: document.schemaTarget })
    )
    const read = (ref: string) =>
      Result.map(Result.flatMap(document.schemaTarget(ref, document.root), convert), (found): Reached => ({
        ...found,
        name: nameOf(ref)
      }))
    return { convert, ...graph(read) }
  }
  const all = { request: made("request"), response: made("response") }
  return {
    convert: (place, direction) => all[direction].convert(place),
    faultIn: (refs, direction) => all[direction].faultIn(refs),
    reached: (refs, direction) => all[direction].reached(refs)
  }
}

/**
 * Schemas by the places that refer to them. Each is looked at once, however many reach it: what is wrong with one is told
 * to all that hold it, as soon as it is known.
 */
const graph = (read: (ref: string) => Result.Result<Reached, Fault>) => {
  const known = new Map<string, Reached>()
  const holders = new Map<string, Array<string>>()
  const faults = new Map<string, Fault>()

  const spoil = (ref: string, fault: Fault): void => {
    const todo = [ref]
    for (let spoiled = todo.pop(); spoiled !== undefined; spoiled = todo.pop()) {
      if (faults.has(spoiled)) continue
      faults.set(spoiled, fault)
      for (const holder of holders.get(spoiled) ?? []) todo.push(holder)
    }
  }

  const explore = (refs: Iterable<string>): void => {
    const todo = [...refs]
    for (let ref = todo.pop(); ref !== undefined; ref = todo.pop()) {
      if (known.has(ref) || faults.has(ref)) continue
      const found = read(ref)
      if (Result.isFailure(found)) {
        spoil(ref, found.failure)
        continue
      }
      known.set(ref, found.success)
      for (const next of found.success.refs) {
        const fault = faults.get(next)
        if (fault !== undefined) spoil(ref, fault)
        const before = holders.get(next)
        if (before === undefined) holders.set(next, [ref])
        else before.push(ref)
        todo.push(next)
      }
    }
  }

  return {
    faultIn: (refs: Iterable<string>): Fault | undefined => {
      explore(refs)
      for (const ref of refs) if (faults.has(ref)) return faults.get(ref)
      return undefined
    },
    reached: (refs: Iterable<string>): ReadonlyArray<Reached> => {
      explore(refs)
      const found = new Map<string, Reached>()
      const todo = [...refs]
      for (let ref = todo.pop(); ref !== undefined; ref = todo.pop()) {
        const schema = known.get(ref)
        if (schema === undefined || found.has(ref)) continue
        found.set(ref, schema)
        for (const next of schema.refs) todo.push(next)
      }
      return [...found.values()]
    }
  }
}

/** A schema that can be read alone. */
export const withDefinitions = (
  schema: JsonSchema.JsonSchema,
  reached: ReadonlyArray<Reached>
): JsonSchema.JsonSchema =>
  reached.length === 0
    ? schema
    : {
        ...schema,
        $defs: Object.fromEntries(reached.map(({ name, schema }): [string, Json] => [name, schema]))
      }

/** A name of its own in `$defs` for every place. */
const naming = (): ((ref: string) => string) => {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const counts = new Map<string, number>()
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
    let count = counts.get(base) ?? 1
    while (taken.has(name)) name = `${base}_${++count}`
    counts.set(base, count)
    names.set(ref, name)
    taken.add(name)
    return name
  }
}
