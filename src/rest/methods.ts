/** What a method of HTTP promises (RFC 9110, section 9.2). */
import { Context } from "effect"
import { Tool } from "effect/ai"

const safe: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"])

const isSafe = (method: string): boolean => safe.has(method.toUpperCase())

/** Whether a request that is sent twice does what it does when it is sent once. */
export const isIdempotent = (method: string): boolean =>
  isSafe(method) || ["PUT", "DELETE"].includes(method.toUpperCase())

/** The promises of a method as annotations of a tool. */
export const methodAnnotations = (method: string): Context.Context<never> =>
  // Annotations of a tool are held as `Context<never>`: nobody needs them.
  Context.make(Tool.Readonly, isSafe(method)).pipe(
    Context.add(Tool.Destructive, !isSafe(method)),
    Context.add(Tool.Idempotent, isIdempotent(method)),
    Context.add(Tool.OpenWorld, true)
  ) as Context.Context<never>
