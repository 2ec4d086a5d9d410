/** What toolsets remember: nothing of a run. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Agent, RunContext, Toolset } from "effect-toolset"
import { TestModel } from "effect-toolset/testing"
import { inStep } from "./resources.ts"

// What follows works while the process runs, too; a new context has the `gc` that the flag gives.
setFlagsFromString("--expose_gc")
const collectGarbage: (() => void) | undefined = globalThis.gc ?? runInNewContext("globalThis.gc")

const withGc = it.effect.skipIf(collectGarbage === undefined)

/** Things that runs had, which should be gone. */
const watched = () => {
  const refs: Array<WeakRef<object>> = []
  const watch = <A extends object>(thing: A): A => {
    refs.push(new WeakRef(thing))
    return thing
  }
  const left = Effect.gen(function* () {
    for (let i = 0; i < 5 && refs.some((ref) => ref.deref() !== undefined); i++) {
      // A reference that was looked through holds until the current task has ended.
      yield* Effect.yieldNow
      collectGarbage?.()
    }
    return refs.filter((ref) => ref.deref() !== undefined).length
  })
  return { refs, watch, left }
}
type Watched = ReturnType<typeof watched>

class Client extends Context.Service<Client, { readonly name: string }>()("test/Client") {}

/** A toolset whose tool holds what it was opened with, and sees the run that calls it. */
const connected = ({ watch }: Watched, name = "a") =>
  Toolset.unwrap(
    Effect.sync(() => {
      const connection = watch({ name })
      return Toolset.tool(name, {
        handler: () => Effect.map(RunContext, (run) => (watch(run), connection.name))
      })
    })
  )

const kinds: Record<string, (watched: Watched) => Toolset.Toolset> = {
  unwrap: (watched) => connected(watched),
  combined: (watched) => Toolset.combined(connected(watched), connected(watched, "b")),
  "combined with others": (watched) =>
    Toolset.combined(Toolset.tool("c", { handler: () => Effect.succeed("c") }), connected(watched)),
  prefixed: (watched) => connected(watched).pipe(Toolset.prefixed("x")),
  renamed: (watched) => connected(watched).pipe(Toolset.renamed({ b: "a" })),
  filtered: (watched) =>
    connected(watched).pipe(Toolset.filtered((_, run) => watched.watch(run) !== undefined)),
  prepared: (watched) =>
    connected(watched).pipe(
      Toolset.prepared((tools, run) => tools.map((tool) => ({ ...tool, metadata: watched.watch({ run }) })))
    ),
  "prepared with what the run says, of a tool that outlives it": (watched) =>
    Toolset.tool("a", { handler: () => Effect.succeed(watched.watch({}) !== undefined) }).pipe(
      Toolset.prepared((tools, run) => tools.map((tool) => ({ ...tool, metadata: watched.watch({ run }) })))
    ),
  wrapper: (watched) => connected(watched).pipe(Toolset.wrapper((call, next) => next(call))),
  approvalRequired: (watched) => connected(watched).pipe(Toolset.approvalRequired(() => false)),
  withInstructions: (watched) =>
    connected(watched).pipe(
      Toolset.withInstructions(Effect.map(RunContext, (run) => (watched.watch(run), "text")))
    ),
  onError: (watched) => connected(watched).pipe(Toolset.onError("recover")),
  timeout: (watched) => connected(watched).pipe(Toolset.timeout("1 second")),
  withMetadata: (watched) => connected(watched).pipe(Toolset.withMetadata({ a: 1 })),
  withMaxRetries: (watched) => connected(watched).pipe(Toolset.withMaxRetries(2)),
  sequential: (watched) => connected(watched).pipe(Toolset.sequential),
  "provide of a layer": (watched) =>
    Toolset.tool("a", { handler: () => Effect.map(Client, ({ name }) => watched.watch({ name }).name) }).pipe(
      Toolset.provide(
        Layer.effect(
          Client,
          Effect.sync(() => watched.watch({ name: "client" }))
        )
      )
    ),
  dynamic: (watched) => Toolset.dynamic(Effect.sync(() => watched.watch(connected(watched)))),
  "dynamic in a combination": (watched) =>
    Toolset.combined(connected(watched, "b"), Toolset.dynamic(Effect.sync(() => connected(watched)))),
  mapLeaves: (watched) =>
    Toolset.combined(connected(watched), Toolset.dynamic(Effect.sync(() => connected(watched, "b")))).pipe(
      Toolset.mapLeaves((leaf) => leaf.pipe(Toolset.prefixed("x")))
    )
}

/** Listed and called as in a run of one step, in a fiber of its own. */
const oneStep = (toolset: Toolset.Toolset) =>
  Effect.promise(() =>
    Effect.gen(function* () {
      const session = yield* Toolset.open(toolset)
      const tools = yield* session.tools
      yield* session.instructions
      yield* Effect.forEach(tools, ({ definition }) => session.call(definition.name, {}), { discard: true })
    }).pipe(inStep(1), Effect.scoped, Effect.runPromise)
  )

describe(`memory${collectGarbage === undefined ? " (skipped: there is no gc)" : ""}`, () => {
  for (const [kind, make] of Object.entries(kinds)) {
    withGc(`${kind} retains nothing of a run that has ended`, () =>
      Effect.gen(function* () {
        const seen = watched()
        const toolset = make(seen)
        yield* oneStep(toolset)
        assert.isAbove(seen.refs.length, 1)
        assert.strictEqual(yield* seen.left, 0)
        assert.isTrue(Toolset.isToolset(toolset))
      })
    )
  }

  withGc("a shared toolset retains nothing of what its last run has closed", () =>
    Effect.gen(function* () {
      const seen = watched()
      const shared = yield* Toolset.shared(Toolset.prefixed(connected(seen), "x"))
      yield* oneStep(shared)
      assert.isAbove(seen.refs.length, 1)
      assert.strictEqual(yield* seen.left, 0)
      assert.isTrue(Toolset.isToolset(shared))
    })
  )

  withGc("an agent retains nothing of a run that has ended", () =>
    Effect.gen(function* () {
      const seen = watched()
      const agent = Agent.make({
        toolsets: [connected(seen)],
        transform: (all) => all.pipe(Toolset.timeout("1 minute"))
      })
      const run = Agent.run(agent, { prompt: "Go." })
      yield* Effect.promise(() =>
        run.pipe(Effect.asVoid, Effect.provide(TestModel.layer()), Effect.runPromise)
      )
      assert.isAbove(seen.refs.length, 1)
      assert.strictEqual(yield* seen.left, 0)
      assert.isTrue(Agent.isAgent(agent))
    })
  )
})
