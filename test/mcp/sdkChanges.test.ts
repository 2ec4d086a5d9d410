import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type Transport
} from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { RunContext, Toolset } from "effect-toolset"
import * as McpSdk from "effect-toolset/McpSdk"
import { outsideOfRuns } from "../../src/RunContext.ts"
import { listening } from "./listening.ts"
import { offering, onNode, raw } from "./serving.ts"

/** The official client, and how often its own handler was told of a change. */
const connecting = (transport: () => Transport, options: ClientOptions = {}) => {
  const told: Array<string> = []
  const connect = Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "1" }, options)
      client.setNotificationHandler(
        "notifications/tools/list_changed",
        ({ method }) => void told.push(method)
      )
      await client.connect(transport())
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )
  return { connect, told }
}

const spawned = ({ args, command }: ReturnType<typeof raw>) =>
  new StdioClientTransport({ command, args: [...args], stderr: "ignore" })

/** What a session lists at a step of its own. */
const names = <E>(session: Toolset.Session<E>) =>
  Effect.suspend(() =>
    session.tools.pipe(
      Effect.map((tools) => tools.map(({ definition }) => definition.name)),
      Effect.provideService(RunContext, outsideOfRuns())
    )
  )

/** Changes are announced, not waited for. */
const until = <A, E, R>(what: Effect.Effect<A, E, R>, isSo: (a: A) => boolean) =>
  Effect.repeat(what, { until: isSo, schedule: Schedule.spaced("20 millis") })

const newest: ClientOptions = { versionNegotiation: { mode: "auto" } }
const servers = [
  ["over stdio", offering["sdk 1"], {}],
  ["over stdio, in the newest revision", offering["sdk 2, nothing older"], newest],
  ["over HTTP", "@modelcontextprotocol/sdk", {}],
  ["over HTTP, in the newest revision", "sdk2-reject", newest]
] as const

describe("the list of tools over the official client", { timeout: 60_000 }, () => {
  for (const [where, server, options] of servers) {
    it.live(
      `is asked for again where the server says that it has changed, and its handler is told, ${where}`,
      () =>
        onNode(
          Effect.gen(function* () {
            const url = typeof server === "string" ? (yield* listening(server)).url : ""
            const { connect, told } = connecting(
              () =>
                typeof server === "string"
                  ? new StreamableHTTPClientTransport(new URL(url))
                  : spawned(server),
              options
            )
            const session = yield* Toolset.open(McpSdk.fromClient(connect))
            assert.notInclude(yield* names(session), "late")
            yield* session.call("grow", {})
            yield* until(names(session), (names) => names.includes("late"))
            // Those who have to ask hear of what comes after.
            if (options !== newest) yield* until(Effect.succeed(told), (told) => told.length > 0)
          })
        )
    )
  }

  it.live("is asked for once, where nothing has changed", () =>
    onNode(
      Effect.gen(function* () {
        const { connect } = connecting(() => spawned(raw()))
        const session = yield* Toolset.open(McpSdk.fromClient(connect))
        yield* names(session)
        yield* names(session)
        const heard = (yield* session.call("heard", {})) as ReadonlyArray<string>
        assert.lengthOf(
          heard.filter((what) => what === "tools/list"),
          1
        )
      })
    )
  )

  it.live(
    "hears with one ear, however many toolsets a client has, and anew where it was connected again",
    () =>
      onNode(
        Effect.gen(function* () {
          const { connect } = connecting(() => spawned(offering["sdk 1"]))
          const client = yield* connect
          const session = yield* Toolset.open(McpSdk.fromClient(client))
          yield* names(session)
          const { onmessage } = client.transport!
          yield* Effect.flatMap(Toolset.open(McpSdk.fromClient(client)), names)
          assert.strictEqual(client.transport!.onmessage, onmessage)
          yield* session.call("grow", {})
          yield* until(names(session), (names) => names.includes("late"))
          yield* Effect.promise(() => client.close())
          yield* Effect.promise(() => client.connect(spawned(offering["sdk 1"])))
          assert.notInclude(yield* names(session), "late")
        })
      )
  )

  it.live("is not asked for by those who have closed it: a subscription ends with its toolset", () =>
    onNode(
      Effect.gen(function* () {
        const { connect, told } = connecting(() => spawned(offering["sdk 2, nothing older"]), newest)
        const client = yield* connect
        yield* Effect.scoped(
          Effect.gen(function* () {
            const session = yield* Toolset.open(McpSdk.fromClient(client))
            yield* session.call("grow", {})
            yield* until(Effect.succeed(told), (told) => told.length > 0)
          })
        )
        told.length = 0
        // Requests are answered in order, with what is announced before.
        yield* Effect.promise(() => client.callTool({ name: "grow", arguments: {} }))
        yield* Effect.promise(() => client.callTool({ name: "files.read", arguments: {} }))
        assert.deepStrictEqual(told, [])
      })
    )
  )
})
