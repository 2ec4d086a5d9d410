import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { Toolset, ToolsetDefinitionError } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { listening } from "./listening.ts"
import { offering, onNode, raw } from "./serving.ts"

const variables = (env: Record<string, string>) =>
  Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))

const flawOf = (config: unknown) => Effect.flip(McpToolset.fromConfig(config)).pipe(variables({ SET: "x" }))

describe("a configuration of servers", { timeout: 60_000 }, () => {
  it.live("gives prefixed toolsets, over stdio and HTTP", () =>
    onNode(
      Effect.gen(function* () {
        const { url } = yield* listening("sdk2")
        const mcpServers = {
          local: { ...offering["sdk 1"], type: "stdio", alwaysAllow: ["add"] },
          "remote.one": { type: "http", url },
          off: { command: "no-such-program", disabled: true }
        }
        const toolsets = yield* McpToolset.fromConfig(JSON.stringify({ mcpServers, other: 1 }))
        assert.deepStrictEqual(
          toolsets.map((toolset) => toolset.id),
          ["local", "remote.one"]
        )
        const session = yield* Toolset.open(Toolset.combined(...toolsets))
        assert.strictEqual(yield* session.call("local_add", { a: 1, b: 2 }), "3")
        assert.strictEqual(yield* session.call("remote_one_add", { a: 1, b: 2 }), "3")
        const names = (yield* Toolset.list(Toolset.combined(...toolsets))).map((tool) => tool.name)
        assert.isTrue(names.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name)))
        assert.lengthOf(
          names.filter((name) => name.startsWith("local_long_x")),
          1
        )
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  )

  it.live("has variables in it, which are secret", () =>
    onNode(
      Effect.gen(function* () {
        const { args, command } = offering["sdk 1"]
        const env = {
          SECRET: "${TOKEN}",
          MODE: "${MODE:-quiet}",
          EMPTY: "${EMPTY:-full}",
          BOTH: "<${TOKEN}|${MODE:-}>"
        }
        const config = { mcpServers: { s: { command: "${NODE}", args: [...args], env } } }
        const given = { TOKEN: "hunter2-hunter2", NODE: command, EMPTY: "" }
        const [toolset] = yield* McpToolset.fromConfig(config).pipe(variables(given))
        const session = yield* Toolset.open(toolset!)
        const { BOTH, EMPTY, MODE, SECRET } = (yield* session.call("s_environment", {})) as Record<
          string,
          string
        >
        assert.deepStrictEqual(
          [SECRET, MODE, EMPTY, BOTH],
          ["hunter2-hunter2", "quiet", "full", "<hunter2-hunter2|>"]
        )
        const error = yield* Effect.flip(session.call("s_throws", {}))
        assert.strictEqual((error as Error).message, "lookup of *** failed")
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  )

  it.live("may have a server in it that is not there, which is left out where that is said", () =>
    onNode(
      Effect.gen(function* () {
        const config = { mcpServers: { gone: raw("exit"), here: raw() } }
        const toolsets = yield* McpToolset.fromConfig(config)
        const failed = yield* Effect.flip(Toolset.list(Toolset.combined(...toolsets)))
        assert.instanceOf(failed, McpToolset.McpConnectionError)
        const there = Toolset.combined(...toolsets.map(Toolset.catchTags({ McpConnectionError: "recover" })))
        const names = (yield* Toolset.list(there)).map((tool) => tool.name)
        assert.deepStrictEqual(names, ["here_ping", "here_heard", "here_nonsense", "here_asks"])
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  )

  it.live("may be that of an editor that marks its texts, and a server in it what nobody could start", () =>
    onNode(
      Effect.gen(function* () {
        const problem = (server: object) =>
          Effect.gen(function* () {
            const text = `\uFEFF${JSON.stringify({ mcpServers: { a: server } })}`
            const [toolset] = yield* McpToolset.fromConfig(text)
            const error = yield* Effect.flip(Toolset.list(toolset!))
            assert.instanceOf(error, McpToolset.McpConnectionError)
            return error.message
          })
        assert.include(yield* problem({ command: "" }), "cannot be empty")
        assert.include(yield* problem({ command: "node", args: ["\0"] }), "cannot be used")
        const message = yield* problem({ url: "http://ada:s3cr3t-pass@127.0.0.1:9/mcp" })
        assert.include(message, "'a' cannot be used")
        assert.notInclude(message, "s3cr3t")
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  )

  const flaws: ReadonlyArray<readonly [string, unknown, RegExp]> = [
    ["no servers", {}, /Missing key\n {2}at \["mcpServers"\]/],
    ["no JSON", "{", /McpToolset\.fromConfig: /],
    ["a server of neither kind", { mcpServers: { a: { run: "x" } } }, /at \["mcpServers"\]\["a"\]/],
    ["a transport that is not spoken", { mcpServers: { a: { type: "sse", url: "http://x" } } }, /"a"/],
    [
      "a variable that is not there",
      { mcpServers: { a: { command: "x", env: { T: "${SET}${UNSET}" } } } },
      /mcpServers\.a\.env\.T: the variable UNSET is not set\. Set it, or give a default: \$\{UNSET:-default\}\.$/
    ],
    [
      "a variable that is not there, in a URL",
      { mcpServers: { a: { url: "http://${HOST}/" } } },
      /mcpServers\.a\.url: the variable HOST is not set/
    ]
  ]
  for (const [what, config, problem] of flaws) {
    it.effect(`with ${what} is a definition error that says where`, () =>
      Effect.gen(function* () {
        const error = yield* flawOf(config)
        assert.instanceOf(error, ToolsetDefinitionError)
        assert.match(error.message, problem)
      })
    )
  }
})
