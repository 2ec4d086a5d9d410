import { Effect, Scope, Semaphore } from "effect"
import type { RunContext } from "../RunContext.ts"
import { ToolsetDefinitionError, type ToolsetError } from "../ToolsetError.ts"
import { whileListing } from "./environment.ts"
import type { Lease } from "./lease.ts"
import { instructionsOf, nothing, oncePerStep, until, varying } from "./listing.ts"
import {
  type Any,
  type Error,
  type Listing,
  type ListServices,
  make,
  type Run,
  type Services,
  type Toolset
} from "./model.ts"
import type { Opening } from "./opening.ts"

/**
 * A toolset chosen while running: again at every step (the default), or once per run at the first one. `undefined` is
 * none.
 *
 * The choice may itself be dynamic, to any depth. The same value chosen again stays open; a new one opens before the old
 * one closes, which it does when the whole tree has been listed, so that what both hold is handed over, also between
 * dynamic toolsets of one step. The effect's `Scope` is that of its choice: what it acquires is released with the toolset
 * that it chose, or at once if that was open already.
 *
 * ```ts run
 * import { Effect, Ref } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const day = Toolset.tool("sun", { handler: () => Effect.succeed(1) })
 * const night = Toolset.tool("moon", { handler: () => Effect.succeed(2) })
 * const program = Effect.gen(function* () {
 *   const isDay = yield* Ref.make(true)
 *   const sky = Toolset.dynamic(Effect.map(Ref.get(isDay), (isDay) => (isDay ? day : night)))
 *   const before = yield* Toolset.list(sky)
 *   yield* Ref.set(isDay, false)
 *   const after = yield* Toolset.list(sky)
 *   return [before[0]?.name, after[0]?.name]
 * })
 * console.log(Effect.runSync(program))
 * //> [ 'sun', 'moon' ]
 * ```
 */
export const dynamic = <T extends Any | undefined | void, E = never, R = never>(
  choose: Effect.Effect<T, E, R>,
  options?: { readonly rebuild?: "step" | "run" | undefined }
): Toolset<Error<T> | E, Services<T> | Exclude<R, ListServices>> =>
  chosen(
    // `typed`, for a toolset or none.
    choose as Effect.Effect<any, E, R> as Effect.Effect<Toolset<Error<T> | E, Services<T>> | undefined, E, R>,
    options?.rebuild ?? "step"
  )

const chosen = <E, R, R2>(
  choose: Effect.Effect<Toolset<E, R> | undefined, E, R2>,
  rebuild: "step" | "run"
): Toolset<E, R | Exclude<R2, ListServices>> =>
  make<E, R | Exclude<R2, ListServices>>({
    name: "dynamic",
    label: "dynamic",
    id: undefined,
    children: [],
    build: (opening) =>
      opening.root.shared ? Effect.fail(sharedChoice()) : choosing(choose, rebuild, opening),
    over: (replace) =>
      chosen(
        Effect.map(choose, (choice) =>
          choice === undefined ? undefined : (replace(choice) as Toolset<E, R>)
        ),
        rebuild
      )
  })

/** What was chosen, while it is open: a step that uses it keeps it open, also when something else has been chosen. */
interface Choice<E> {
  readonly toolset: Any | undefined
  readonly listing: Listing<E>
  readonly lease: Lease
}

const choosing = Effect.fnUntraced(function* <E, R, R2>(
  choose: Effect.Effect<Toolset<E, R> | undefined, E, R2>,
  rebuild: "step" | "run",
  opening: Opening
): Effect.fn.Return<Listing<E>, never, R | Exclude<R2, ListServices>> {
  let current: Choice<E> | undefined
  yield* Scope.addFinalizer(
    opening.scope,
    Effect.suspend(() => current?.lease.letGo ?? Effect.void)
  )

  const next = Effect.fnUntraced(function* (
    scope: Scope.Closeable
  ): Effect.fn.Return<Choice<E>, E | ToolsetError, R | R2> {
    const toolset = yield* Scope.provide(choose, scope)
    if (current !== undefined && current.toolset === toolset) return current
    const listing = toolset === undefined ? nothing : yield* opening.within(scope).open(toolset)
    const lease = opening.root.steps.lease(scope)
    return { toolset, listing: until(listing, lease.isClosed, chosenBefore), lease }
  })

  const refresh = (run: Run) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        if (current !== undefined && rebuild === "run") return current
        const scope = yield* Scope.fork(opening.root.scope)
        const exit = yield* Effect.exit(restore(whileListing(next(scope))))
        const previous = current
        if (exit._tag === "Failure" || exit.value === previous) {
          yield* Scope.close(scope, exit)
          return yield* exit
        }
        if (previous !== undefined) opening.root.steps.supersede(run, previous.lease)
        return (current = exit.value)
      })
    )
  // Steps may overlap where one session serves several.
  const oneAtATime = Semaphore.makeUnsafe(1)
  const choice = oncePerStep((run) =>
    Effect.tap(oneAtATime.withPermit(refresh(run)), ({ lease }) => Effect.sync(() => lease.usedBy(run)))
  )
  const asking =
    <A, E2>(ask: (listing: Listing<E>, run: Run) => Effect.Effect<A, E2, RunContext>) =>
    (run: Run) =>
      Effect.flatMap(choice(run), ({ listing }) => ask(listing, run))
  return varying(
    asking((listing, run) => listing.list(run)),
    asking(instructionsOf)
  )
})

const chosenBefore = () =>
  new ToolsetDefinitionError({
    source: "dynamic",
    problem: "Something else has been chosen since this tool was listed.",
    hint: "Call a tool in the step that listed it."
  })

const sharedChoice = () =>
  new ToolsetDefinitionError({
    source: "dynamic",
    problem: "A dynamic toolset cannot be inside Toolset.shared: runs would choose for each other.",
    hint: "Share the toolsets that it chooses, and choose among the shared ones."
  })
