import type { Client } from "@modelcontextprotocol/client"
import { type Config, Effect, type Layer, Redacted, type Scope, type Stdio } from "effect"
import { type McpClient, type McpClientError, McpServer } from "effect/ai"
import type { HttpClient, HttpRouter } from "effect/http"
import type { ChildProcessSpawner } from "effect/process"
import { Toolset, type ToolsetDefinitionError, type ToolsetError } from "effect-toolset"
import * as McpSdk from "effect-toolset/McpSdk"
import * as McpToolset from "effect-toolset/McpToolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, type Fatal, tools } from "./fixtures.ts"

type Spawner = ChildProcessSpawner.ChildProcessSpawner
type McpError = McpToolset.McpConnectionError | McpToolset.McpCallError | McpToolset.McpOutcomeUnknown

const server = { command: "x" }

describe("McpToolset", () => {
  it("says what goes wrong with a server, and what it needs", () => {
    expectTypeOf<McpToolset.McpError>().toEqualTypeOf<McpError>()
    expectTypeOf(McpToolset.stdio(server)).toEqualTypeOf<Toolset.Toolset<McpError, Spawner>>()
    expectTypeOf(McpToolset.http({ url: "http://x" })).toEqualTypeOf<
      Toolset.Toolset<McpError, HttpClient.HttpClient>
    >()
  })

  it("has the failures of tools among them only where it was told so", () => {
    expectTypeOf(McpToolset.stdio({ ...server, onError: "fail" })).toEqualTypeOf<
      Toolset.Toolset<McpError | McpToolset.McpToolError, Spawner>
    >()
    expectTypeOf(McpToolset.stdio({ ...server, onError: "recover" })).toEqualTypeOf<
      Toolset.Toolset<McpError, Spawner>
    >()
    expectTypeOf(McpToolset.http({ url: new URL("http://x"), onError: undefined })).toEqualTypeOf<
      Toolset.Toolset<McpError, HttpClient.HttpClient>
    >()
    const mode = "fail" as "fail" | "retry"
    expectTypeOf(McpToolset.stdio({ ...server, onError: mode })).toEqualTypeOf<
      Toolset.Toolset<McpError | McpToolset.McpToolError, Spawner>
    >()
  })

  it("takes what is redacted, and what may not be there", () => {
    const token = Redacted.make("x")
    McpToolset.stdio({
      ...server,
      args: ["-k", token],
      env: { A: token, B: undefined, C: "c" },
      cwd: undefined
    })
    McpToolset.http({ url: token, headers: { authorization: token }, connectTimeout: "10 seconds" })
    McpToolset.http({ url: "http://x", protocol: "2024-11-05", list: "step", id: undefined })
    // @ts-expect-error there is no such revision
    McpToolset.http({ url: "http://x", protocol: "2024-10-07" })
    // @ts-expect-error the tools are asked for once per run or step
    McpToolset.stdio({ ...server, list: "always" })
    // @ts-expect-error a program has a name
    McpToolset.stdio({ args: [] })
  })

  it("keeps what connecting a client fails with and needs, but for its scope", () => {
    const client = null as unknown as McpClient.McpClient
    expectTypeOf(McpToolset.fromClient(client)).toEqualTypeOf<Toolset.Toolset<McpError>>()
    const connect = null as unknown as Effect.Effect<
      McpClient.McpClient,
      McpClientError.McpClientError | Config.ConfigError,
      Spawner | Scope.Scope
    >
    expectTypeOf(McpToolset.fromClient(connect)).toEqualTypeOf<
      Toolset.Toolset<McpError | McpClientError.McpClientError | Config.ConfigError, Spawner>
    >()
    expectTypeOf(McpToolset.fromClient(connect, { onError: "fail" })).toEqualTypeOf<
      Toolset.Toolset<
        McpError | McpToolset.McpToolError | McpClientError.McpClientError | Config.ConfigError,
        Spawner
      >
    >()
    expectTypeOf(McpSdk.fromClient(null as unknown as Client)).toEqualTypeOf<Toolset.Toolset<McpError>>()
    expectTypeOf(McpSdk.fromClient(Effect.promise(async () => null as unknown as Client))).toEqualTypeOf<
      Toolset.Toolset<McpError>
    >()
  })

  it("makes toolsets of a configuration", () => {
    expectTypeOf(McpToolset.fromConfig({})).toEqualTypeOf<
      Effect.Effect<
        ReadonlyArray<Toolset.Toolset<McpError, Spawner | HttpClient.HttpClient>>,
        ToolsetDefinitionError
      >
    >()
    // @ts-expect-error each server has the id that the configuration gives it
    McpToolset.fromConfig({}, { id: "x" })
  })

  it("loses the failures that are caught", () => {
    const tools = McpToolset.stdio(server).pipe(Toolset.catchTags({ McpConnectionError: "recover" }))
    expectTypeOf(tools).toEqualTypeOf<
      Toolset.Toolset<McpToolset.McpCallError | McpToolset.McpOutcomeUnknown, Spawner>
    >()
    expectTypeOf(McpToolset.stdio(server).pipe(Toolset.onError("recover"))).toEqualTypeOf<
      Toolset.Toolset<never, Spawner>
    >()
  })

  it("serves a toolset with what it needs, but for what comes with each request", () => {
    const presented = { name: "x", version: "1" }
    expectTypeOf(McpToolset.serve(tools, presented)).toEqualTypeOf<
      Effect.Effect<void, Fatal | ToolsetError, Db | Stdio.Stdio>
    >()
    expectTypeOf(McpToolset.serveHttp(tools, { ...presented, path: "/mcp" })).toEqualTypeOf<
      Layer.Layer<never, Fatal | ToolsetError, Db | HttpRouter.HttpRouter>
    >()
    const middleware = McpServer.middleware<{ provides: Db }>()((effect) =>
      Effect.provideService(effect, Db, null as unknown as Db["Service"])
    )
    expectTypeOf(McpToolset.serveHttp(tools, { ...presented, path: "/mcp", middleware })).toEqualTypeOf<
      Layer.Layer<never, Fatal | ToolsetError, HttpRouter.HttpRouter>
    >()
    // @ts-expect-error a path begins with a slash
    McpToolset.serveHttp(tools, { ...presented, path: "mcp" })
  })
})
