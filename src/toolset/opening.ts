/**
 * Opening a tree of toolsets: each value once, wherever it occurs, for as long as somebody holds it.
 *
 * Whoever opens a toolset holds it in a scope. The first to ask opens it, in a scope of its own that is a child of the
 * run's; when the last scope that holds it closes, it closes. Because all those scopes are children of the run's, in
 * the order in which they were opened, what is still open when the run ends closes in reverse order of opening.
 */
import { Deferred, Effect, Exit, Layer, Scope } from "effect"
import { ToolsetDefinitionError, type ToolsetError } from "../ToolsetError.ts"
import { listedOncePerStep } from "./listing.ts"
import { type Any, type Listing, nodeOf, type Toolset } from "./model.ts"

/** What a toolset is given to open itself with. */
export interface Opening {
  /** Closes with the toolset that is being opened. */
  readonly scope: Scope.Scope
  readonly run: Run
  /** Builds a layer once, wherever it is provided to toolsets of the same context. */
  readonly layers: Layer.MemoMap
  /** Opens a toolset below this one, or joins it where it is open already; holds it in `scope`. */
  readonly open: <E, R>(self: Toolset<E, R>) => Effect.Effect<Listing<E>, E | ToolsetError, R>
  /** The same, in another scope: for what may close before the toolset does. */
  readonly within: (scope: Scope.Scope) => Opening
  /** The same, where nothing is open yet: for what is opened with other services. */
  readonly apart: () => Opening
}

/** What all openings of a run have in common. */
export interface Run {
  readonly scope: Scope.Scope
  /** Whether several runs share what is opened. */
  readonly shared: boolean
}

/** The opening of a whole tree, in the current scope; what fails to open leaves nothing open. */
export const opened = <E, R>(
  self: Toolset<E, R>,
  options: { readonly shared: boolean }
): Effect.Effect<Listing<E>, E | ToolsetError, R | Scope.Scope> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const scope = yield* Scope.fork(yield* Effect.scope)
      const run: Run = { scope, shared: options.shared }
      return yield* Effect.onExit(restore(opening(run, newRealm(), scope, []).open(self)), (exit) =>
        exit._tag === "Failure" ? Scope.close(scope, exit) : Effect.void
      )
    })
  )

/** A toolset that is open, or on its way. */
interface Entry {
  readonly scope: Scope.Closeable
  readonly listing: Deferred.Deferred<Listing<unknown>, unknown>
  holders: number
}

/** What is open in one context of services. */
interface Realm {
  readonly entries: Map<Any, Entry>
  readonly layers: Layer.MemoMap
}

const newRealm = (): Realm => ({ entries: new Map(), layers: Layer.makeMemoMapUnsafe() })

const opening = (run: Run, realm: Realm, scope: Scope.Scope, path: ReadonlyArray<Any>): Opening => ({
  scope,
  run,
  layers: realm.layers,
  open: <E, R>(self: Toolset<E, R>) =>
    nodeOf(self).isLight
      ? nodeOf(self).build(opening(run, realm, scope, path))
      : path.includes(self)
        ? Effect.fail(containsItself(self))
        : // The realm holds listings of any type; what is found under a toolset is what that toolset built.
          (hold(run, realm, scope, [...path, self], self) as Effect.Effect<Listing<E>, E | ToolsetError, R>),
  within: (inner) => opening(run, realm, inner, path),
  apart: () => opening(run, newRealm(), scope, path)
})

const hold = (run: Run, realm: Realm, holder: Scope.Scope, path: ReadonlyArray<Any>, self: Any) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const found = realm.entries.get(self)
      const entry: Entry = found ?? {
        scope: Scope.forkUnsafe(run.scope),
        listing: Deferred.makeUnsafe(),
        holders: 0
      }
      entry.holders++
      realm.entries.set(self, entry)
      const close = (exit: Exit.Exit<unknown, unknown>) => {
        if (realm.entries.get(self) === entry) realm.entries.delete(self)
        return Scope.close(entry.scope, exit)
      }
      yield* Scope.addFinalizerExit(holder, (exit) =>
        Effect.suspend(() => (--entry.holders === 0 ? close(exit) : Effect.void))
      )
      if (found !== undefined) return yield* restore(Deferred.await(entry.listing))
      const exit = yield* Effect.exit(restore(nodeOf(self).build(opening(run, realm, entry.scope, path))))
      if (exit._tag === "Failure") yield* close(exit)
      const listing = Exit.map(exit, listedOncePerStep)
      yield* Deferred.done(entry.listing, listing)
      return yield* listing
    })
  )

const containsItself = (self: Any): ToolsetDefinitionError =>
  new ToolsetDefinitionError({
    source: self.label,
    problem: "The toolset contains itself.",
    hint: "A dynamic toolset chooses among others, not itself."
  })
