/** The most characters of a body that a message shows. */
const limit = 500

/** The beginning of a text that a model did not ask for, not cut through a character. */
export const shortened = (text: string): string => {
  const trimmed = text.trim().toWellFormed()
  if (trimmed.length <= limit) return trimmed
  const cut = trimmed.slice(0, limit)
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`
}
