/**
 * The string of a seed: one character of `a-zA-Z0-9` and punctuation, then two of them: `aa`, `ab`, …
 *
 * No two seeds have the same.
 */
export const plainString = (seed: number): string => {
  const { length } = alphabet
  const last = alphabet[seed % length] ?? ""
  return seed < length ? last : plainString(Math.floor(seed / length) - 1) + last
}

export const alphabet =
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
