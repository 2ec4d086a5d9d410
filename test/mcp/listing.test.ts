import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { FetchHttpClient } from "effect/http"
import { RunContext, ToolNameConflict, Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { outsideOfRuns } from "../../src/RunContext.ts"
import { listening } from "./listening.ts"
import { notebook, offering, onNode, raw, sdk1 } from "./serving.ts"

/** What a session lists at a step of its own. */
const step = <E>(session: Toolset.Session<E>) =>
  Effect.suspend(() =>
    Effect.provideService(
      Effect.map(session.tools, (tools) => tools.map(({ definition }) => definition)),
      RunContext,
      outsideOfRuns()
    )
  )

const names = <E>(session: Toolset.Session<E>) =>
  Effect.map(step(session), (tools) => tools.map(({ name }) => name))

/** A change is announced, not waited for. */
const late = <E>(session: Toolset.Session<E>) =>
  Effect.repeat(names(session), {
    until: (names) => names.includes("late"),
    schedule: Schedule.spaced("20 millis")
  })

const listings = (session: Toolset.Session<unknown>) =>
  Effect.map(
    session.call("heard", {}),
    (heard) => (heard as ReadonlyArray<string>).filter((what) => what === "tools/list").length
  )

describe("the list of a server's tools", { timeout: 60_000 }, () => {
  it.live("is asked for once in a run, or at each step", () =>
    onNode(
      Effect.gen(function* () {
        const once = yield* Toolset.open(McpToolset.stdio(raw()))
        yield* step(once)
        yield* step(once)
        assert.strictEqual(yield* listings(once), 1)
        const again = yield* Toolset.open(McpToolset.stdio({ ...raw(), list: "step" }))
        yield* step(again)
        yield* step(again)
        assert.strictEqual(yield* listings(again), 3)
      })
    )
  )

  it.live("keeps the definitions that have not changed", () =>
    onNode(
      Effect.gen(function* () {
        const session = yield* Toolset.open(McpToolset.stdio({ ...raw(), list: "step" }))
        const [first, second] = [yield* step(session), yield* step(session)]
        assert.isTrue(first.every((definition, i) => definition === second[i]))
      })
    )
  )

  for (const [name, server] of Object.entries(offering)) {
    it.live(`is asked for again where ${name} says that it has changed`, () =>
      onNode(
        Effect.gen(function* () {
          const session = yield* Toolset.open(McpToolset.stdio(server))
          const before = yield* step(session)
          assert.isFalse(before.some((tool) => tool.name === "late"))
          yield* session.call("grow", {})
          yield* late(session)
          assert.strictEqual(yield* session.call("late", {}), "late was called")
          const after = yield* step(session)
          assert.strictEqual(after.length, before.length + 1)
          assert.isTrue(before.every((definition, i) => definition === after[i]))
        })
      )
    )
  }

  for (const kind of ["@modelcontextprotocol/sdk", "sdk2-reject"]) {
    it.live(`is asked for again where a server over HTTP says so, on ${kind}`, () =>
      onNode(
        Effect.gen(function* () {
          const { url } = yield* listening(kind)
          const session = yield* Toolset.open(McpToolset.http({ url }))
          assert.notInclude(yield* names(session), "late")
          yield* session.call("grow", {})
          yield* late(session)
        }).pipe(Effect.provide(FetchHttpClient.layer))
      )
    )
  }

  it.live("is asked for again after a server was started again", () =>
    onNode(
      Effect.gen(function* () {
        const session = yield* Toolset.open(sdk1())
        yield* session.call("grow", {})
        yield* late(session)
        yield* Effect.flip(session.call("dies", {}))
        yield* session.call("files_read", {})
        assert.notInclude(yield* names(session), "late")
      })
    )
  )

  it.live("connects once, however often a toolset occurs, and once for each run", () =>
    onNode(
      Effect.gen(function* () {
        const { lines, path } = yield* notebook
        const toolset = sdk1({ CALLS: path }).pipe(Toolset.filtered(({ name }) => name === "process"))
        const twice = Toolset.combined(Toolset.prefixed(toolset, "a"), Toolset.prefixed(toolset, "b"))
        const session = yield* Toolset.open(twice)
        assert.deepStrictEqual(yield* session.call("a_process", {}), yield* session.call("b_process", {}))
        const other = yield* Toolset.open(twice)
        assert.notDeepEqual(yield* other.call("a_process", {}), yield* session.call("a_process", {}))
        assert.lengthOf(yield* lines, 4)
      })
    )
  )

  it.live("names two tools that cannot be told apart, and where they are from", () =>
    onNode(
      Effect.gen(function* () {
        const one = McpToolset.stdio({ ...raw(), id: "one" })
        const two = McpToolset.stdio({ ...raw(), id: "two" })
        const error = yield* Effect.flip(Toolset.list(Toolset.combined(one, two)))
        assert.instanceOf(error, ToolNameConflict)
        assert.deepStrictEqual(error.sources, ["mcp(one: ping)", "mcp(two: ping)"])
        const told = Toolset.combined(Toolset.prefixed(one, "one"), Toolset.prefixed(two, "two"))
        assert.include(
          (yield* Toolset.list(told)).map(({ name }) => name),
          "two_ping"
        )
      })
    )
  )

  it.live("names two tools of one server that have become the same", () =>
    onNode(
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          Toolset.list(McpToolset.stdio({ ...raw("tools=a.b,c,a_b"), id: "odd" }))
        )
        assert.instanceOf(error, ToolNameConflict)
        assert.strictEqual(error.toolName, "a_b")
        assert.deepStrictEqual(error.sources, ["mcp(odd: a.b)", "mcp(odd: a_b)"])
      })
    )
  )
})
