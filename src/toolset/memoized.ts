/** A function of an object that gives the same result for the same object; results live as long as their objects. */
export const memoized = <A extends object, B>(f: (a: A) => B): ((a: A) => B) => {
  const known = new WeakMap<A, { readonly value: B }>()
  return (a) => {
    let found = known.get(a)
    if (found === undefined) known.set(a, (found = { value: f(a) }))
    return found.value
  }
}
