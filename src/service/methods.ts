/** The types of methods that become tools: which there are, what they take, and what they fail with. */
import type { Context, Effect, Schema } from "effect"
import type { CallServices, CallSignals } from "../toolset/model.ts"
import type { Parameters, ParametersServices, ParametersType } from "../toolset/parameters.ts"
import type { MethodFailed } from "./MethodFailed.ts"

/** The object itself, or what the effect that gives it gives. */
export type ServiceOf<T> = T extends Effect.Effect<infer S, infer _E, infer _R> ? S : T

/** For each exposed method its options; apart, so that each is inferred by itself. */
export type Methods<Params, Success, Fields> = {
  readonly [K in keyof Params]: {
    readonly description?: string | undefined
    readonly parameters?: Params[K]
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    readonly annotations?: Context.Context<never> | undefined
  }
} & {
  readonly [K in keyof Success]: { readonly success?: Success[K] }
} & {
  readonly [K in keyof Fields]: { readonly arguments?: Fields[K] }
}

/** What is wrong with the options shows as a property that they would need. */
export type Checked<S, Params, Success, Fields> = {
  readonly [K in keyof Params]: K extends keyof S
    ? S[K] extends Method
      ? TakesParameters<Params[K]> &
          TakesArguments<S[K], Params[K], Of<Fields, K>> &
          GivesSuccess<S[K], Of<Success, K>>
      : never
    : never
}

/** What the exposed methods fail with. Any of them may throw, also one that gives an Effect, before it does. */
export type MethodErrors<S, Params> = {
  [K in keyof Params & keyof S]: S[K] extends (...args: never) => infer A
    ? MethodFailed | (A extends Effect.Effect<infer _A, infer E, infer _R> ? Exclude<E, CallSignals> : never)
    : never
}[keyof Params & keyof S]

/** What the exposed methods and their schemas need. */
export type MethodServices<S, Params, Success> =
  | {
      [K in keyof Params & keyof S]: S[K] extends (...args: never) => infer A
        ? A extends Effect.Effect<infer _A, infer _E, infer R>
          ? Exclude<R, CallServices>
          : never
        : never
    }[keyof Params & keyof S]
  | { [K in keyof Params]: Exclude<ParametersServices<Params[K]>, CallServices> }[keyof Params]
  | {
      [K in keyof Success]: Success[K] extends Schema.Constraint
        ? Exclude<Success[K]["EncodingServices"], CallServices>
        : never
    }[keyof Success]

type Method = (...args: never) => unknown

type Of<Options, K> = K extends keyof Options ? Options[K] : unknown

type TakesParameters<P> = unknown extends P
  ? unknown
  : P extends Parameters
    ? unknown
    : { readonly parameters: Parameters }

type TakesArguments<F, P, Fields> =
  Given<P, Fields> extends Takes<F>
    ? unknown
    : { readonly arguments: { readonly takes: Takes<F>; readonly given: Given<P, Fields> } }

type GivesSuccess<F, S> = unknown extends S
  ? unknown
  : S extends Schema.Constraint
    ? Gives<F> extends S["Type"]
      ? unknown
      : { readonly success: { readonly Type: Gives<F> } }
    : { readonly success: Schema.Constraint }

/** What a method takes; what may be missing may also be undefined. */
type Takes<F> = F extends (...args: infer Args) => unknown
  ? { [I in keyof Args]: {} extends Pick<Args, I> ? Args[I] | undefined : Args[I] }
  : never

type Gives<F> = F extends (...args: never) => infer A
  ? A extends Effect.Effect<infer B, infer _E, infer _R>
    ? B
    : Awaited<A>
  : never

/** What a method is given: the named fields in order, or all arguments as one object, or nothing. */
type Given<P, Fields> =
  Fields extends ReadonlyArray<unknown>
    ? { -readonly [I in keyof Fields]: Field<P, Fields[I]> }
    : unknown extends P
      ? []
      : [ParametersType<P>]

type Field<P, K> = K extends keyof ParametersType<P>
  ? ParametersType<P>[K]
  : { readonly thereIsNoParameter: K }
