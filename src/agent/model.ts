/** What an agent is. */
import { type Duration, Pipeable, Predicate, type Types } from "effect"
import { identity } from "effect/Function"
import type { Flaw } from "../toolset/flawed.ts"
import type { Any, ListServices, OrEffect, Toolset } from "../toolset/model.ts"
import type { Limits } from "./limits.ts"
import type { Outputs, OutputToolOptions } from "./output.ts"
import type { EndStrategy } from "./round.ts"

/** What an agent is known by. */
export const TypeId = "~effect-toolset/Agent" as const
/** The type of what an agent is known by. */
export type TypeId = typeof TypeId

/**
 * A model's part in a program, as an immutable value: its toolsets, its instructions, its output (`A`), what a run of it
 * may fail with (`E`, besides `AgentError`) and what it needs (`R`, besides the model).
 */
export interface Agent<out A = string, out E = never, out R = never> extends Pipeable.Pipeable {
  readonly [TypeId]: {
    readonly _A: Types.Covariant<A>
    readonly _E: Types.Covariant<E>
    readonly _R: Types.Covariant<R>
  }
}

/** Retries of tools that have no budget of their own, and of outputs. */
export type Retries = number | { readonly tools?: number | undefined; readonly output?: number | undefined }

/** What an agent is inside. */
export interface Spec<out E, out R> {
  readonly name: string | undefined
  /** The agent's own toolsets and those of a run, combined and transformed; the same ones give the same toolset. */
  readonly toolset: (extra: ReadonlyArray<Any>) => Toolset<E, R>
  /** What is over all toolsets of a run, over those of an override. `any`: what it adds is in `E` and `R`. */
  readonly transform: (all: Toolset<any, any>) => Toolset<any, any>
  readonly instructions: OrEffect<string, E, R | ListServices> | undefined
  readonly outputs: Outputs<E> | Flaw
  readonly outputTool: OutputToolOptions
  readonly retries: Retries | undefined
  readonly endStrategy: EndStrategy
  readonly toolTimeout: Duration.Input | undefined
  readonly limits: Limits | undefined
  readonly traceValues: boolean
}

const Proto = {
  [TypeId]: { _A: identity, _E: identity, _R: identity },
  pipe() {
    return Pipeable.pipeArguments(this, arguments)
  }
}

/** An agent from its parts. */
export const fromSpec = <A, E, R>(spec: Spec<E, R>): Agent<A, E, R> =>
  Object.assign(Object.create(Proto), { spec })

/** The inside of an agent. Every agent was made by `fromSpec`. */
export const specOf = <A, E, R>(self: Agent<A, E, R>): Spec<E, R> =>
  (self as unknown as { spec: Spec<E, R> }).spec

/** Whether a value is an agent. */
export const isAgent = (u: unknown): u is Agent<unknown, unknown, unknown> => Predicate.hasProperty(u, TypeId)
