/** What a tree opens, in order, until something cannot be opened. */
import { before } from "./choices.ts"
import { type Sources, sourceAt, type Tree } from "./description.ts"
import { meaning } from "./meaning.ts"
import { isFailure } from "./meant.ts"

/** One context of services: what is open in it. */
interface Realm {
  readonly sources: Set<number>
  readonly layers: Set<string>
}

const newRealm = (): Realm => ({ sources: new Set(), layers: new Set() })

/** Nothing, where it depends on the step. */
export const opens = (sources: Sources, tree: Tree): ReadonlyArray<string> | undefined => {
  const opened: Array<string> = []
  let isDynamic = false

  /** Whether it can be opened. */
  const visit = (tree: Tree, realm: Realm): boolean => {
    switch (tree._tag) {
      case "Use":
        return visitSource(sourceAt(sources, tree.source), realm)
      case "Combined":
        return tree.of.every((child) => visit(child, realm))
      case "Over": {
        const { how } = tree
        if (how._tag !== "provide") return visit(tree.of, realm) && !isFailure(meaning(sources, tree).opening)
        if (!realm.layers.has(how.flavour)) opened.push(how.flavour)
        realm.layers.add(how.flavour)
        return visit(tree.of, newRealm())
      }
    }
  }

  const visitSource = (index: number, realm: Realm): boolean => {
    const source = sources[index]!
    if (source._tag === "Dynamic") isDynamic = true
    if (source._tag !== "Unwrap") return true
    if (!source.opens) return false
    if (realm.sources.has(index)) return true
    realm.sources.add(index)
    opened.push(`s${index}`)
    const other = before(index, source.of)
    return other === undefined || visitSource(other, realm)
  }

  visit(tree, newRealm())
  return isDynamic ? undefined : opened
}
