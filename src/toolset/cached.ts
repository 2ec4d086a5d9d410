import { Cache, Duration, Effect, Equal, Exit, Hash } from "effect"
import { dual } from "effect/Function"
import { isReadOnly } from "../interop/readOnly.ts"
import type { RunContext } from "../RunContext.ts"
import { ToolCall } from "../ToolCall.ts"
import type { ToolReturn } from "../ToolReturn.ts"
import { ApprovalRequired, CallDeferred } from "../ToolSignal.ts"
import { copied } from "./copied.ts"
import { notPositive, positive } from "./bounded.ts"
import { canonical } from "./canonical.ts"
import { flawed } from "./flawed.ts"
import { grantOf } from "./grant.ts"
import type { CallSignals, Decoded, Tool, Toolset } from "./model.ts"
import { toJson } from "./json.ts"
import { mapToolPerOpening } from "./transform.ts"
import type { Invocation } from "./wrapper.ts"

/** For how long `cached` remembers how many results, and of which calls. */
export interface CachedOptions {
  /** For how long a result is remembered. */
  readonly ttl: Duration.Input
  /** What is remembered at once, for all these tools together. Default: 1000 results. */
  readonly capacity?: number | undefined
  /** Calls of one tool with the same key have the same result. Default: their arguments, as JSON. */
  readonly key?: ((call: Invocation) => string) | undefined
  /** Also tools that do not say that they change nothing. Default: `false`. */
  readonly force?: boolean | undefined
}

/**
 * Answers a repeated call from memory, for as long as `ttl`: of tools that are annotated as read-only, and of others only
 * if forced.
 *
 * Remembers results alone, and gives each call its own copy: what fails or asks runs again. Calls at the same time run
 * once, unless that one waits for somebody: each asks for itself, and goes on by itself. Who is interrupted takes nobody
 * along. The memory lives as long as the toolset is open: one run, or all runs of a `shared` one. A call that is
 * answered from memory does not reach what is inside, so gates, guards and limits that every call has to pass stand
 * outside. No call that is made twice is the identity.
 *
 * ```ts run
 * import { Context, Effect } from "effect"
 * import { Tool } from "effect/ai"
 * import { Toolset } from "effect-toolset"
 *
 * let calls = 0
 * const count = Toolset.tool("count", {
 *   annotations: Context.make(Tool.Readonly, true),
 *   handler: () => Effect.sync(() => ++calls)
 * })
 * const program = Effect.scoped(Effect.gen(function* () {
 *   const session = yield* Toolset.open(count.pipe(Toolset.cached({ ttl: "1 minute" })))
 *   return [yield* session.call("count", {}), yield* session.call("count", {})]
 * }))
 * console.log(Effect.runSync(program))
 * //> [ 1, 1 ]
 * ```
 */
export const cached: {
  (options: CachedOptions): <E, R>(self: Toolset<E, R>) => Toolset<E, R>
  <E, R>(self: Toolset<E, R>, options: CachedOptions): Toolset<E, R>
} = dual(2, <E, R>(self: Toolset<E, R>, options: CachedOptions): Toolset<E, R> => {
  const ttl = positive(options.ttl)
  if (ttl === undefined) return flawed(self, "cached", notPositive(options.ttl))
  const { capacity = 1000 } = options
  if (!(Number.isInteger(capacity) && capacity > 0)) {
    return flawed(self, "cached", {
      problem: `The number of results to remember is ${capacity}.`,
      hint: "Give a whole number of at least 1."
    })
  }
  const memory = Cache.makeWith((asked: Asked<E>) => Effect.map(asked.call, copied), {
    capacity,
    timeToLive: (exit) => (Exit.isSuccess(exit) ? ttl : Duration.zero),
    requireServicesAt: "lookup"
  })
  return mapToolPerOpening<E, R, never>(
    self,
    "cached",
    Effect.map(memory, (memory) => (tool: Tool<E>): Tool<E> => {
      if (options.force !== true && !isReadOnly(tool.definition)) return tool
      return {
        ...tool,
        call: (args) =>
          Effect.flatMap(keyOf(tool, args, options), (key) =>
            key === undefined
              ? tool.call(args)
              : Effect.map(answered(memory, tool, key, tool.call(args)), copied)
          )
      }
    })
  )
})

/** From memory, or from the one who asks; but what waits is each call's own, and what has waited goes on. */
const answered = <E>(
  memory: Cache.Cache<Asked<E>, ToolReturn, E | CallSignals, RunContext | ToolCall>,
  tool: Tool<E>,
  key: string,
  call: Call<E>
): Call<E> =>
  Effect.flatMap(ToolCall, (own) => {
    if (grantOf(own).goesOn) return call
    let isOwn = false
    const asking = Effect.suspend(() => ((isOwn = true), call))
    return Effect.catch(Cache.get(memory, asked(tool, key, asking)), (error) =>
      !isOwn && (error instanceof ApprovalRequired || error instanceof CallDeferred)
        ? call
        : Effect.fail(error)
    )
  })

type Call<E> = Effect.Effect<ToolReturn, E | CallSignals, RunContext | ToolCall>

/** A call, known by its tool and its key. */
interface Asked<E> extends Equal.Equal {
  readonly tool: Tool<E>
  readonly key: string
  readonly call: Call<E>
}

const asked = <E>(tool: Tool<E>, key: string, call: Call<E>): Asked<E> => ({
  tool,
  key,
  call,
  // Only its like are in the cache.
  [Equal.symbol]: (that) => (that as Asked<E>).tool === tool && (that as Asked<E>).key === key,
  [Hash.symbol]: () => Hash.string(key)
})

/** Nothing, for arguments that a wrapper made and that are not JSON. */
const keyOf = (
  tool: Tool<unknown>,
  args: Decoded,
  { key }: CachedOptions
): Effect.Effect<string | undefined, never, RunContext> =>
  key === undefined
    ? Effect.map(args.encoded(), (encoded) => {
        const json = toJson(encoded)
        return json._tag === "Success" ? canonical(json.success) : undefined
      })
    : Effect.sync(() => key({ tool: tool.definition, args: args.value }))
