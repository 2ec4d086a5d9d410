/** Looks for secrets in whatever can be seen of a value, in its own way and not in that of the library. */
import { inspect } from "node:util"

/** The texts in which a secret would be seen, or the places where it is. */
export const leaks = (seen: unknown, secrets: ReadonlyArray<string>): ReadonlyArray<string> => {
  const texts = Array.from(new Set(textsIn(seen)))
  return secrets.flatMap((secret) => texts.filter((text) => shows(text, secret)))
}

const shows = (text: string, secret: string): boolean =>
  showsPlainly(text, secret) || decoded(text).some((inside) => showsPlainly(inside, secret))

/** What base64 in a text stands for. */
const decoded = (text: string): ReadonlyArray<string> =>
  (text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? []).map((part) => Buffer.from(part, "base64").toString())

const showsPlainly = (text: string, secret: string): boolean => {
  const readings = [
    text,
    unescaped(text),
    unescaped(unescaped(text)),
    unquoted(text),
    unquoted(text.replaceAll("+", " "))
  ]
  if (readings.some((reading) => reading.includes(secret))) return true
  const alphabet = text.replaceAll("-", "+").replaceAll("_", "/")
  return [0, 1, 2].some((before) => {
    const whole = Buffer.from(`${"\0".repeat(before)}${secret}`)
      .toString("base64")
      .replaceAll("=", "")
    return alphabet.includes(
      whole.slice(before === 0 ? 0 : before + 1, -1 - ((before + Buffer.byteLength(secret)) % 3))
    )
  })
}

/** What the escapes of JSON stand for, wherever they are. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\(u[0-9a-fA-F]{4}|["\\/bfnrt])/g, (escape) => JSON.parse(`"${escape}"`) as string)

/** What the escapes of URLs stand for, wherever they are. */
const unquoted = (text: string): string =>
  text.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (escapes) =>
    Buffer.from(escapes.replaceAll("%", ""), "hex").toString()
  )

const textsIn = (root: unknown): ReadonlyArray<string> => {
  const texts: Array<string> = []
  const known = new Set<object>()
  const open: Array<unknown> = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === "string") texts.push(value)
    if (typeof value === "number" || typeof value === "bigint") texts.push(String(value))
    if (typeof value === "symbol") texts.push(value.description ?? "")
    if ((typeof value !== "object" && typeof value !== "function") || value === null || known.has(value))
      continue
    known.add(value)
    if (typeof value === "function") {
      texts.push(value.name)
      for (const key of Object.keys(value)) open.push(key, value[key as keyof typeof value])
      continue
    }
    if (ArrayBuffer.isView(value)) {
      texts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString())
      for (const key of Object.keys(value)) if (/\D/.test(key)) open.push(value[key as keyof typeof value])
      continue
    }
    if (value instanceof ArrayBuffer) {
      texts.push(Buffer.from(value).toString())
      continue
    }
    if (value instanceof Map) open.push(...value.keys(), ...value.values())
    if (value instanceof Set) open.push(...value)
    if (value instanceof WeakRef) open.push(value.deref())
    if (isSequence(value)) open.push(...value)
    for (const key of keysOf(value)) {
      open.push(key)
      try {
        open.push((value as Record<string | symbol, unknown>)[key])
      } catch {
        // What cannot be read is not seen.
      }
    }
    for (const say of [
      String,
      JSON.stringify,
      (of: object) => (typeof of.valueOf() === "string" ? (of.valueOf() as string) : ""),
      (of: object) => (of instanceof Error ? of.message : "")
    ]) {
      try {
        if (say !== JSON.stringify || Object.getPrototypeOf(value) !== Object.prototype)
          texts.push(say(value) ?? "")
      } catch {
        // What cannot be said is not seen.
      }
    }
    if (value instanceof Error) texts.push(value.stack ?? "", inspect(value))
  }
  return texts
}

/** Headers, forms, and what else only says what it holds when it is asked for it. */
const isSequence = (value: object): value is Iterable<unknown> =>
  Symbol.iterator in value && !Array.isArray(value) && !("next" in value) && !("pipe" in value)

/** Its own keys, and those of what its class computes. */
const keysOf = (value: object): ReadonlyArray<string | symbol> => {
  const keys = new Set<string | symbol>()
  for (
    let at: object | null = value;
    at !== null && at !== Object.prototype && at !== Error.prototype;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    for (const key of Reflect.ownKeys(at)) if (key !== "constructor") keys.add(key)
  }
  return Array.from(keys)
}
