import { Hash } from "effect"

/**
 * A name from elsewhere as one that model providers accept: other characters become `_`, and what is too long is cut and
 * told apart by a hash. Two that become the same are found where names are checked.
 */
export const validName = (name: string): string => {
  const valid = name === "" ? "_" : name.replace(/[^a-zA-Z0-9_-]/gu, "_")
  if (valid.length <= longest) return valid
  const hash = (Hash.string(name) >>> 0).toString(16).padStart(8, "0")
  return `${valid.slice(0, longest - 1 - hash.length)}_${hash}`
}

const longest = 64
