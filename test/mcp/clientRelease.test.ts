import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { McpClient, McpProtocol } from "effect/ai"
import { ChildProcess } from "effect/process"
import { Toolset } from "effect-toolset"
import * as McpSdk from "effect-toolset/McpSdk"
import * as McpToolset from "effect-toolset/McpToolset"
import { offering, onNode } from "./serving.ts"
import { isAlive, until } from "./until.ts"

const { args, command } = offering["sdk 1"]

const ours = McpClient.make({ name: "test", version: "1" }).pipe(
  Effect.provideServiceEffect(
    McpClient.Transport,
    McpClient.stdio({ command: ChildProcess.make(command, args), protocol: McpProtocol.v2025_11_25 })
  )
)

const official = Effect.acquireRelease(
  Effect.promise(async () => {
    const client = new Client({ name: "test", version: "1" })
    await client.connect(new StdioClientTransport({ command, args: [...args], stderr: "ignore" }))
    return client
  }),
  (client) => Effect.promise(() => client.close())
)

describe("a client that a toolset connected", { timeout: 60_000 }, () => {
  const toolsets = [
    ["effect's", McpToolset.fromClient(ours)],
    ["the official one", McpSdk.fromClient(official)]
  ] as const
  for (const [name, toolset] of toolsets) {
    it.live(`is closed with the toolset, once for each run, also after it was connected anew (${name})`, () =>
      onNode(
        Effect.gen(function* () {
          const pidIn = (session: Toolset.Session<unknown>) =>
            Effect.map(session.call("process", {}), (result) => (result as { pid: number }).pid)
          const pids = yield* Effect.scoped(
            Effect.gen(function* () {
              const session = yield* Toolset.open(toolset)
              const first = yield* pidIn(session)
              yield* Effect.flip(session.call("dies", {}))
              const second = yield* pidIn(session)
              const other = yield* Effect.scoped(Effect.flatMap(Toolset.open(toolset), pidIn))
              yield* until(Effect.sync(() => !isAlive(other)))
              assert.isTrue(isAlive(second))
              return [first, second]
            })
          )
          yield* until(Effect.sync(() => !pids.some(isAlive)))
        })
      )
    )
  }
})
