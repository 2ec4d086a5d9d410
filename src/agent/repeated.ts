/** What there is more than once, each once. */
export const repeated = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(new Set(ids.filter((id, i) => ids.indexOf(id) !== i)))
