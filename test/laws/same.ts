/** Whether two observations are the same, and if not, where they part. */
import { assert } from "@effect/vitest"

export const assertSame = (actual: unknown, expected: unknown): void => {
  const found = difference(actual, expected, "")
  if (found !== undefined) assert.fail(found)
}

const difference = (a: unknown, b: unknown, path: string): string | undefined => {
  if (Object.is(a, b)) return undefined
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) {
    return `${path === "" ? "." : path}: ${shown(a)} is not ${shown(b)}`
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = difference(a[key], b[key], `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const shown = (value: unknown): string => JSON.stringify(value) ?? String(value)
