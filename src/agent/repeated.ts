/** What there is more than once, each once. */
export const repeated = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  new Set(ids).size === ids.length ? [] : Array.from(new Set(ids.filter((id, i) => ids.indexOf(id) !== i)))
