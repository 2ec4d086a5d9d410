/** Names that models accept, out of names that come from elsewhere. */

const longest = 64

/** Other characters become `_`; a name that is too long ends in a hash of the whole. */
export const toolName = (text: string): string => {
  const name = text.replace(/[^a-zA-Z0-9_-]+/g, "_").replace(/^_+|_+$/g, "")
  return name.length <= longest ? name : `${name.slice(0, longest - 9)}_${hash(text)}`
}

/** 32 bits as 8 hexadecimal digits (FNV-1a), the same everywhere and in every version. */
export const hash = (text: string): string => {
  let bits = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) bits = Math.imul(bits ^ byte, 0x01000193)
  return (bits >>> 0).toString(16).padStart(8, "0")
}
