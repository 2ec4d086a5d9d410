/**
 * The environment of a toolset: the services that were there when it was opened, and over them those of whoever lists
 * or calls: its span, its logger, its `RunContext`.
 *
 * An agent opens and calls in one fiber, so that there they are the same; whoever uses what somebody else has opened puts
 * the services of its opening `under` its own. So nothing inside a tree ever captures services.
 *
 * `any`, here and below: what an effect needs beyond what is supplied was asked for when the toolset was opened, by `R`.
 */
import { Context, Effect, Exit, Logger, References, Scope, Tracer } from "effect"
import { RunContext } from "../RunContext.ts"
import { CurrentJournal } from "../durable/journal.ts"
import { ToolCall } from "../ToolCall.ts"
import { mapped } from "./listing.ts"
import type { CallSignals, Listing, Tool } from "./model.ts"
import { UnderWay } from "./waits.ts"

/** An effect that is part of a listing, with a `Scope` of its own. */
export const whileListing: <A, E>(effect: Effect.Effect<A, E, any>) => Effect.Effect<A, E, RunContext> = (
  effect
) => (Exit.isExit(effect) ? effect : (Effect.scoped(effect) as Effect.Effect<any, any, any>))

/** An effect that is part of a call, with a `Scope` of its own; it may fail with signals. */
export const whileCalling: <A, E>(
  effect: Effect.Effect<A, E, any>
) => Effect.Effect<A, Exclude<E, CallSignals> | CallSignals, RunContext | ToolCall> = whileListing as any

/** What a predicate answered: a value, or an Effect of one. */
export const answered = <A, E>(given: A | Effect.Effect<A, E, any>): Effect.Effect<A, E, any> =>
  Effect.isEffect(given) ? given : Effect.succeed(given)

/** Provides a service; what is there already needs none. */
export const supplied = <A, E, R, I, S>(
  effect: Effect.Effect<A, E, R>,
  key: Context.Key<I, S>,
  service: S
): Effect.Effect<A, E, Exclude<R, I>> =>
  Exit.isExit(effect) ? (effect as Effect.Effect<A, E>) : Effect.provideService(effect, key, service)

/** Changes where effects run, and nothing else. */
export type Surroundings = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Puts services over those of the caller, but for what is always the caller's. */
export const over = (services: Context.Context<any>): Surroundings => {
  const lexical = ownServices(services)
  return (effect) => Effect.updateContext(effect, (caller) => Context.merge(caller, lexical))
}

/** Puts services under those of the caller. */
export const under =
  (services: Context.Context<any>): Surroundings =>
  (effect) =>
    Effect.updateContext(effect, (caller) => Context.merge(services, caller))

/** The same services, all in one map: what each step and call adds to them, it then adds without copying them. */
export const flat = <R>(services: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(services.mapUnsafe)

/** Services without the run, the call, the journal, the span and the log that they were captured in: those are the caller's. */
export const ownServices: <R>(services: Context.Context<R>) => Context.Context<R> = Context.omit(
  RunContext,
  ToolCall,
  CurrentJournal,
  UnderWay,
  Scope.Scope,
  Tracer.ParentSpan,
  Tracer.Tracer,
  Logger.CurrentLoggers,
  References.MinimumLogLevel,
  References.CurrentLogLevel,
  References.CurrentLogAnnotations,
  References.CurrentLogSpans
) as any

/** A listing of which every part runs in other surroundings. */
export const surrounded = <E>(listing: Listing<E>, by: Surroundings): Listing<E> => {
  const { fixed, list, instructions } = mapped(listing, (tool): Tool<E> => ({
    ...tool,
    decode: (args) =>
      Effect.map(by(tool.decode(args)), (decoded) => ({
        ...decoded,
        encoded: (other) => by(decoded.encoded(other))
      })),
    validate: (args) => by(tool.validate(args)),
    call: (args) => by(tool.call(args))
  }))
  return {
    fixed,
    list: fixed === undefined ? (run) => by(list(run)) : list,
    instructions: instructions === undefined ? undefined : (run) => by(instructions(run))
  }
}
