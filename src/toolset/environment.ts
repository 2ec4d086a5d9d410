/**
 * The environment of a toolset: the services that were there when it was opened, and over them those of whoever lists
 * or calls: its span, its logger, its `RunContext`.
 *
 * `any`, here and in the types below: what an effect needs beyond that was asked for when the toolset was opened, by
 * its `R`.
 */
import { Context, Effect } from "effect"
import type { RunContext } from "../RunContext.ts"
import type { ToolCall } from "../ToolCall.ts"
import type { CallSignals } from "./model.ts"

/** Runs effects that may ask for `RunContext` and a `Scope` of their own. */
export type WhileListing = <A, E>(effect: Effect.Effect<A, E, any>) => Effect.Effect<A, E, RunContext>

/** Runs effects that may also ask for `ToolCall`, and that may fail with signals. */
export type WhileCalling = <A, E>(
  effect: Effect.Effect<A, E, any>
) => Effect.Effect<A, Exclude<E, CallSignals> | CallSignals, RunContext | ToolCall>

/** Captures the services that are there now. */
export const environment: <R>() => Effect.Effect<WhileListing & WhileCalling, never, R> = <R>() =>
  Effect.map(Effect.context<R>(), (opened) => (effect: Effect.Effect<any, any, any>) => {
    const scoped = Effect.scoped(effect)
    return Effect.updateContext(scoped, (caller: Context.Context<any>) =>
      Context.merge(opened, caller)
    ) as any
  })

/** What a predicate answered: a value, or an Effect of one. */
export const settled: {
  <A, E>(within: WhileListing, given: A | Effect.Effect<A, E, any>): Effect.Effect<A, E, RunContext>
  <A, E>(
    within: WhileCalling,
    given: A | Effect.Effect<A, E, any>
  ): Effect.Effect<A, Exclude<E, CallSignals> | CallSignals, RunContext | ToolCall>
} = (within: any, given: unknown): any => (Effect.isEffect(given) ? within(given) : Effect.succeed(given))
