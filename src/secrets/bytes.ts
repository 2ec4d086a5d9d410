/** Bytes as texts, in which each is the character of its number. */
export const fromBytes = (bytes: Uint8Array): string => {
  let text = ""
  for (let start = 0; start < bytes.length; start += atOnce) {
    text += String.fromCharCode(...bytes.subarray(start, start + atOnce))
  }
  return text
}

/** As many as a function takes. */
const atOnce = 8192

export const toBytes = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0))
