import { Predicate, Result } from "effect"
import { toJson } from "../toolset/json.ts"

/** How far a call is, as MCP says it. */
export interface Reported {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** Progress of whatever form: what says no number is counted, and what cannot be said does not end its call. */
export const reported = (value: unknown, count: number): Reported => {
  if (isNumber(value)) return { progress: value }
  if (Predicate.isReadonlyObject(value) && isNumber(value.progress)) {
    return {
      progress: value.progress,
      ...(isNumber(value.total) ? { total: value.total } : {}),
      ...(Predicate.isString(value.message) ? { message: value.message } : {})
    }
  }
  const message = Predicate.isString(value) ? value : value === undefined ? undefined : inJson(value)
  return { progress: count, ...(message === undefined ? {} : { message }) }
}

const inJson = (value: unknown): string | undefined =>
  Result.getOrUndefined(Result.map(toJson(value), (json) => JSON.stringify(json)))

const isNumber = (value: unknown): value is number => Predicate.isNumber(value) && Number.isFinite(value)
