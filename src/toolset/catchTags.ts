import { Effect, Predicate } from "effect"
import { dual } from "effect/Function"
import { type OnError, signalFor } from "./failure.ts"
import type { CallSignals, Toolset } from "./model.ts"
import { caught } from "./caught.ts"

type Tagged<K extends PropertyKey> = { readonly _tag: K }
type Tags<E> = E extends { readonly _tag: infer K extends string } ? K : never

/** For each tag a mode, or a function to a signal or to another failure. */
export type Cases<E> = { readonly [K in Tags<E>]?: OnError | ((error: Extract<E, Tagged<K>>) => unknown) }

/** The failures that are left. */
export type Uncaught<E, Cases> =
  | Exclude<E, Tagged<Extract<keyof Cases, string>>>
  | { [K in keyof Cases]-?: Left<Extract<E, { readonly _tag: K }>, Cases[K]> }[keyof Cases]

/** Of a mode or function that may be one of several, or missing. */
type Left<E, Case> = Case extends "fail" | undefined
  ? E
  : Case extends (error: never) => infer E2
    ? Exclude<E2, CallSignals>
    : never

/** No cases for failures that there are not. */
type OfNone<E, C> = unknown extends E ? unknown : { readonly [K in Exclude<keyof C, Tags<E>>]: never }

/**
 * Decides about failures by tag: a mode (`fail`, `recover`, `retry`), or a function to a signal or to another failure.
 * The rest stays in `E`.
 *
 * Covers opening and listing as `onError` does. Its cases are checked against the failures of the toolset, so write it
 * where that is: in its pipe, or in a function of it. Away from it, `E` comes out as `unknown`.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { ModelRetry, Toolset } from "effect-toolset"
 *
 * class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { id: Schema.String }) {}
 * const find = Toolset.tool("find", { handler: () => Effect.fail(new NotFound({ id: "x" })) })
 * const tools: Toolset.Toolset = find.pipe(
 *   Toolset.catchTags({ NotFound: (error) => new ModelRetry({ message: `There is no ${error.id}.` }) })
 * )
 * console.log(Effect.runSync(Effect.flip(Toolset.call(tools, "find", {}))).message)
 * //> There is no x.
 * ```
 */
export const catchTags: {
  <E, C extends Cases<E> & OfNone<E, C>>(
    cases: C
  ): <R>(self: Toolset<E, R>) => Toolset<NoInfer<Uncaught<E, C>>, R>
  <E, R, C extends Cases<E> & OfNone<E, C>>(self: Toolset<E, R>, cases: C): Toolset<Uncaught<E, C>, R>
} = dual(2, <E, R, C extends Cases<E>>(self: Toolset<E, R>, cases: C): Toolset<Uncaught<E, C>, R> => {
  // The compiler checked each case against the failure of its tag.
  const byTag = new Map(Object.entries(cases)) as ReadonlyMap<
    unknown,
    OnError | ((error: E) => Uncaught<E, C>)
  >
  return caught<E, R, Uncaught<E, C>>(self, "catchTags", (error) => {
    const decision = Predicate.hasProperty(error, "_tag") ? byTag.get(error._tag) : undefined
    if (typeof decision === "function") return Effect.fail(decision(error))
    if (decision === "recover" || decision === "retry") return Effect.fail(signalFor(decision, error))
    return Effect.fail(error as Uncaught<E, C>)
  })
})
