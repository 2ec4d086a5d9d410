/**
 * Opening a tree of toolsets: each value once, wherever it occurs, for as long as somebody holds it.
 *
 * Whoever opens a toolset holds it in a scope. The first to ask opens it, in a scope of its own that is a child of the
 * root's; when the last scope that holds it closes, it closes. Because all those scopes are children of the root's, in
 * the order in which they were opened, what is still open when the run ends closes in reverse order of opening.
 */
import { type Context, Deferred, Effect, Exit, Inspectable, Layer, Option, Scope, Semaphore } from "effect"
import { ToolsetDefinitionError, type ToolsetError } from "../ToolsetError.ts"
import { makeSteps, type Steps } from "./lease.ts"
import { listedOncePerStep } from "./listing.ts"
import { memoized } from "./memoized.ts"
import { type Any, isToolset, type Listing, nodeOf, type Run, type Toolset } from "./model.ts"
import { doing, newTask, type Task, waiting } from "./waits.ts"

/** What a toolset is given to open itself with. */
export interface Opening {
  /** Closes with the toolset that is being opened. */
  readonly scope: Scope.Scope
  readonly root: Root
  /** Builds a layer once, wherever it is provided to toolsets of the same context; holds it in `scope`. */
  readonly built: <ROut, E, R>(layer: Layer.Layer<ROut, E, R>) => Effect.Effect<Context.Context<ROut>, E, R>
  /** Opens a toolset below this one, or joins it where it is open already; holds it in `scope`. */
  readonly open: <E, R>(self: Toolset<E, R>) => Effect.Effect<Listing<E>, E | ToolsetError, R>
  /** The same, in another scope: for what may close before the toolset does. */
  readonly within: (scope: Scope.Scope) => Opening
  /** The same, where nothing is open yet: for what is opened with other services. */
  readonly apart: () => Opening
}

/** What all openings of a tree have in common. */
export interface Root {
  readonly scope: Scope.Scope
  /** Whether several runs share what is opened. */
  readonly shared: boolean
  readonly steps: Steps
}

/** The opening of a whole tree, in the current scope; what fails to open leaves nothing open. */
export const opened = <E, R>(
  self: Toolset<E, R>,
  options?: { readonly shared?: boolean; readonly steps?: Steps }
): Effect.Effect<Listing<E>, E | ToolsetError, R | Scope.Scope> =>
  lightOf(self) ??
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const scope = yield* Scope.fork(yield* Effect.scope)
      const root: Root = {
        scope,
        shared: options?.shared ?? false,
        steps: options?.steps ?? makeSteps()
      }
      // What the program around has built already is not built again.
      const around = Option.getOrUndefined(yield* Effect.serviceOption(Layer.CurrentMemoMap))
      const layers = around === undefined ? undefined : Layer.forkMemoMapUnsafe(around)
      const listing = yield* Effect.onExit(
        restore(opening(root, newRealm(layers), scope, []).open(self)),
        (exit) => (exit._tag === "Failure" ? Scope.close(scope, exit) : Effect.void)
      )
      return settling(listing, root.steps)
    })
  )

/** A whole tree: what was superseded while it was asked is let go when all of it has answered. */
const settling = <E>({ fixed, instructions, list }: Listing<E>, { settle }: Steps): Listing<E> => {
  const settled = <A, E2, R>(run: Run, asked: Effect.Effect<A, E2, R>) =>
    Exit.isExit(asked) ? asked : Effect.ensuring(asked, settle(run))
  return {
    fixed,
    list: fixed === undefined ? (run) => settled(run, list(run)) : list,
    instructions: instructions === undefined ? undefined : (run) => settled(run, instructions(run))
  }
}

/** A toolset that is open, or on its way, or that could not be opened. */
interface Entry {
  readonly task: Task
  readonly scope: Scope.Closeable
  /** How its opening ended; nothing, where whoever opened it was interrupted. */
  readonly ended: Deferred.Deferred<Exit.Exit<Listing<unknown>, unknown> | undefined>
  /** It has closed: nobody held it any more. */
  readonly closed: Deferred.Deferred<void>
  holders: number
}

/** What is open in one context of services. */
interface Realm {
  readonly entries: Map<Any, Entry>
  readonly layers: Layer.MemoMap
  /** Who waits for a layer builds it when the one who began is interrupted: one builds it at a time. */
  readonly building: (layer: Layer.Any) => Semaphore.Semaphore
}

const newRealm = (layers: Layer.MemoMap = Layer.makeMemoMapUnsafe()): Realm => ({
  entries: new Map(),
  layers,
  building: memoized(() => Semaphore.makeUnsafe(1))
})

const opening = (root: Root, realm: Realm, scope: Scope.Scope, path: ReadonlyArray<Any>): Opening => ({
  scope,
  root,
  built: (layer) => realm.building(layer).withPermit(built(layer, realm.layers, scope)),
  open: <E, R>(self: Toolset<E, R>) =>
    lightOf(self) ??
    (path.includes(self)
      ? Effect.fail(containsItself(self))
      : // The realm holds listings of any type; what is found under a toolset is what that toolset built.
        (hold(root, realm, scope, [...path, self], self) as Effect.Effect<Listing<E>, E | ToolsetError, R>)),
  within: (inner) => opening(root, realm, inner, path),
  apart: () => opening(root, newRealm(), scope, path)
})

/** What fails to be built, or is interrupted, leaves nothing behind that others would find. */
const built = <ROut, E, R>(layer: Layer.Layer<ROut, E, R>, layers: Layer.MemoMap, scope: Scope.Scope) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const own = yield* Scope.fork(scope)
      return yield* Effect.onExit(restore(Layer.buildWithMemoMap(layer, layers, own)), (exit) =>
        exit._tag === "Failure" ? Scope.close(own, exit) : Effect.void
      )
    })
  )

const hold = (
  root: Root,
  realm: Realm,
  holder: Scope.Scope,
  path: ReadonlyArray<Any>,
  self: Any
): Effect.Effect<Listing<unknown>, unknown, unknown> => {
  const forItself = () => containsItself(self)
  return Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const found = realm.entries.get(self)
      // One is open at a time.
      if (found?.holders === 0) {
        yield* restore(Deferred.await(found.closed))
        if (root.scope.state._tag === "Closed") return yield* Effect.interrupt
        return yield* restore(hold(root, realm, holder, path, self))
      }
      const entry: Entry = found ?? {
        task: newTask(),
        scope: Scope.forkUnsafe(root.scope),
        ended: Deferred.makeUnsafe(),
        closed: Deferred.makeUnsafe(),
        holders: 0
      }
      entry.holders++
      realm.entries.set(self, entry)
      const forget = () => {
        if (realm.entries.get(self) === entry) realm.entries.delete(self)
      }
      const gone = Effect.sync(() => {
        forget()
        Deferred.doneUnsafe(entry.closed, Exit.void)
      })
      yield* Scope.addFinalizerExit(holder, (exit) =>
        Effect.suspend(() => {
          if (--entry.holders > 0) return Effect.void
          // The root closes what is open in reverse order of opening, whoever held it in which order.
          const isOver = root.scope.state._tag === "Closed"
          return Effect.ensuring(isOver ? Effect.void : Scope.close(entry.scope, exit), gone)
        })
      )
      if (found !== undefined) {
        const ended = yield* restore(waiting(entry.task, Deferred.await(entry.ended), forItself))
        return yield* ended ?? restore(hold(root, realm, holder, path, self))
      }
      const exit = yield* Effect.exit(
        restore(doing(entry.task, nodeOf(self).build(opening(root, realm, entry.scope, path))))
      )
      const ended = Exit.map(exit, (listing) => listedOncePerStep(listing, forItself))
      // A failure is remembered while somebody holds the toolset: it is opened once, also where that fails.
      if (exit._tag === "Failure") yield* Scope.close(entry.scope, exit)
      const isAbandoned = Exit.hasInterrupts(exit)
      if (isAbandoned) forget()
      Deferred.doneUnsafe(entry.ended, Exit.succeed(isAbandoned ? undefined : ended))
      return yield* ended
    })
  )
}

/** What needs no opening; a failure, where it is no toolset, as types say too, but not to everybody. */
const lightOf = <E, R>(self: Toolset<E, R>): Effect.Effect<Listing<E>, E | ToolsetError, R> | undefined =>
  isToolset(self) ? nodeOf(self).light : Effect.fail(noToolset(self))

const noToolset = (value: unknown): ToolsetDefinitionError =>
  new ToolsetDefinitionError({
    source: Inspectable.toStringUnknown(value, 0).slice(0, 80),
    problem: "This is no toolset.",
    hint: "Several are one with Toolset.combined; an Effect of one is one with Toolset.unwrap."
  })

const containsItself = (self: Any): ToolsetDefinitionError =>
  new ToolsetDefinitionError({
    source: self.label,
    problem: "The toolset contains itself.",
    hint: "A dynamic toolset chooses among others, not itself."
  })
