/** Names of tools: what providers accept, one for each operation, whatever the order of the document. */
import { hash, toolName } from "../rest/toolName.ts"
import type { Operation } from "./operations.ts"

export const namesOf = (operations: ReadonlyArray<Operation>): ReadonlyMap<Operation, string> => {
  const names = new Map(operations.map((operation) => [operation, ownName(operation)]))
  const taken = new Set<string>()
  const shared = new Set<string>()
  for (const name of names.values()) (taken.has(name) ? shared : taken).add(name)
  // All that share a name get the hash of their place: which of them comes first says nothing.
  const sharing = operations.filter((operation) => shared.has(names.get(operation)!)).toSorted(byPlace)
  for (const operation of sharing) {
    const name = names.get(operation)!
    const place = placeOf(operation)
    let hashed = withHash(name, place)
    for (let i = 2; taken.has(hashed); i++) hashed = withHash(name, `${place} ${i}`)
    taken.add(hashed)
    names.set(operation, hashed)
  }
  return names
}

const placeOf = ({ method, path }: Operation): string => `${method} ${path}`

const byPlace = (a: Operation, b: Operation): number => (placeOf(a) < placeOf(b) ? -1 : 1)

/** A name that ends in a hash, to tell apart what would have one name. */
const withHash = (name: string, of: string): string => `${name.slice(0, 55)}_${hash(of)}`

/** The operation's id, where it has letters that a name can have, else its method and path. */
const ownName = (operation: Operation): string => {
  const { method, operationId, path } = operation
  if (operationId !== undefined && /[a-zA-Z0-9]/.test(operationId)) return toolName(operationId)
  const words = path.replaceAll(/[^a-zA-Z0-9_-]+/g, "_").replaceAll(/^_+|_+$/g, "")
  return toolName(`${method.toLowerCase()}_${words === "" ? "root" : words}`)
}
