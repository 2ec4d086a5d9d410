/** Remembering, for as long as what it is remembered of lives. */

/** A function of an object that gives the same result for the same object. */
export const memoized = <A extends object, B>(f: (a: A) => B): ((a: A) => B) => {
  const known = new WeakMap<A, { readonly value: B }>()
  return (a) => {
    let found = known.get(a)
    if (found === undefined) known.set(a, (found = { value: f(a) }))
    return found.value
  }
}

/** A function of a list of objects that gives the same result for the same ones. */
export const memoizedByItems = <A extends object, B>(
  f: (items: ReadonlyArray<A>) => B
): ((items: ReadonlyArray<A>) => B) => {
  interface Known {
    readonly next: (item: A) => Known
    value?: { readonly of: B }
  }
  const known = (): Known => ({ next: memoized(known) })
  const root = known()
  return (items) => (items.reduce((at, item) => at.next(item), root).value ??= { of: f(items) }).of
}

/** Gives the list that it gave before, where nothing changed, so that whoever comes after can tell. */
export const stable = <A>(): ((next: ReadonlyArray<A>) => ReadonlyArray<A>) => {
  let last: ReadonlyArray<A> | undefined
  return (next) => (last !== undefined && isSame(last, next) ? last : (last = next))
}

const isSame = <A>(one: ReadonlyArray<A>, other: ReadonlyArray<A>): boolean =>
  one.length === other.length && one.every((item, i) => item === other[i])
