import { Effect, type Redacted, Schema } from "effect"
import type { HttpClient } from "effect/http"
import type { ChildProcessSpawner } from "effect/process"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import { failureText, type OnError } from "../toolset/failure.ts"
import type { Toolset } from "../toolset/model.ts"
import { renamed } from "../toolset/renamed.ts"
import { validName } from "../toolset/validName.ts"
import type { Options, ToolFailure } from "./connected.ts"
import type { Connecting } from "./connecting.ts"
import { asGiven, type Expanded, expanded } from "./expanded.ts"
import { http } from "./http.ts"
import type { McpError } from "./McpError.ts"
import { stdio } from "./stdio.ts"

type ServerToolset<Mode> = Toolset<
  McpError | ToolFailure<Mode>,
  ChildProcessSpawner.ChildProcessSpawner | HttpClient.HttpClient
>

const Texts = Schema.Record(Schema.String, Schema.String)

/** The fields of other programs that read the same file are let be. */
const Program = Schema.Struct({
  command: Schema.String,
  args: Schema.optional(Schema.Array(Schema.String)),
  cwd: Schema.optional(Schema.String),
  env: Schema.optional(Texts),
  disabled: Schema.optional(Schema.Boolean)
})

const Remote = Schema.Struct({
  url: Schema.String,
  type: Schema.optional(Schema.Literals(["http", "streamable-http", "streamableHttp"])),
  headers: Schema.optional(Texts),
  disabled: Schema.optional(Schema.Boolean)
})

const Servers = Schema.Struct({
  mcpServers: Schema.Record(Schema.String, Schema.Union([Program, Remote]))
})

/** What holds for all servers of a configuration. */
export interface ConfigOptions<Mode extends OnError | undefined = OnError | undefined>
  extends Omit<Options<Mode>, "id">, Connecting {}

/**
 * The servers of a JSON configuration, as many programs keep it: a toolset for each, its names prefixed with that of the
 * server.
 *
 * Takes the JSON as a value or as text. `${VAR}` and `${VAR:-default}` stand for configuration variables (`Config`; by
 * default the environment) and are secret from then on; a server with `disabled` is left out. What cannot be read is a
 * `ToolsetDefinitionError` that says where.
 *
 * A server that is not available fails the run, as any toolset does; `Toolset.catchTags` or `Toolset.onError` leaves it
 * out, with a warning.
 *
 * ```ts run
 * import { NodeServices } from "@effect/platform-node"
 * import { Effect } from "effect"
 * import { FetchHttpClient } from "effect/http"
 * import { Toolset } from "effect-toolset"
 * import * as McpToolset from "effect-toolset/McpToolset"
 *
 * const config = {
 *   mcpServers: {
 *     everything: { command: "node", args: ["node_modules/@modelcontextprotocol/server-everything/dist/index.js"] }
 *   }
 * }
 * const program = Effect.gen(function* () {
 *   const toolsets = yield* McpToolset.fromConfig(config)
 *   const tools = Toolset.combined(...toolsets.map(Toolset.catchTags({ McpConnectionError: "recover" })))
 *   return yield* Toolset.call(tools, "everything_echo", { message: "hello" })
 * })
 * const provided = program.pipe(Effect.provide([NodeServices.layer, FetchHttpClient.layer]))
 * console.log(await Effect.runPromise(provided))
 * //> Echo: hello
 * ```
 */
export const fromConfig = <Mode extends OnError | undefined = "retry">(
  config: unknown,
  options?: ConfigOptions<Mode>
): Effect.Effect<ReadonlyArray<ServerToolset<Mode>>, ToolsetDefinitionError> =>
  Effect.gen(function* () {
    const { mcpServers } = yield* read(config).pipe(
      Effect.mapError((error) =>
        flaw(error.message, "Each server has a `command`, or the `url` of an MCP endpoint.")
      )
    )
    const used = Object.entries(mcpServers).filter(([, server]) => server.disabled !== true)
    return yield* Effect.forEach(used, ([name, server]) =>
      Effect.map(
        "command" in server ? program(name, server, options) : remote(name, server, options),
        renamed((original) => validName(`${name}_${original}`))
      )
    )
  })

const read = (config: unknown) =>
  typeof config === "string"
    ? Schema.decodeUnknownEffect(Schema.fromJsonString(Servers), { errors: "all" })(
        config.replace(/^\uFEFF/, "")
      )
    : Schema.decodeUnknownEffect(Servers, { errors: "all" })(config)

const program = Effect.fnUntraced(function* <Mode extends OnError | undefined>(
  name: string,
  { args = [], command, cwd, env = {} }: typeof Program.Type,
  options: ConfigOptions<Mode> | undefined
): Effect.fn.Return<ServerToolset<Mode>, ToolsetDefinitionError> {
  const at = (key: string, text: string) => variables(`${name}.${key}`, text)
  return stdio<Mode>({
    ...settings(options),
    id: name,
    command: (yield* at("command", command)).text,
    cwd: cwd === undefined ? undefined : (yield* at("cwd", cwd)).text,
    args: yield* Effect.forEach(args, (text, i) => Effect.map(at(`args.${i}`, text), asGiven)),
    env: yield* texts(`${name}.env`, env)
  })
})

const remote = Effect.fnUntraced(function* <Mode extends OnError | undefined>(
  name: string,
  { headers = {}, url }: typeof Remote.Type,
  options: ConfigOptions<Mode> | undefined
): Effect.fn.Return<ServerToolset<Mode>, ToolsetDefinitionError> {
  return http<Mode>({
    ...settings(options),
    id: name,
    url: asGiven(yield* variables(`${name}.url`, url)),
    headers: yield* texts(`${name}.headers`, headers)
  })
})

const settings = <Mode extends OnError | undefined>(options: ConfigOptions<Mode> | undefined) =>
  options ?? ({} as ConfigOptions<Mode>)

const texts = (place: string, record: typeof Texts.Type) =>
  Effect.map(
    Effect.forEach(Object.entries(record), ([key, text]) =>
      Effect.map(variables(`${place}.${key}`, text), (found) => [key, asGiven(found)] as const)
    ),
    (entries): Record<string, string | Redacted.Redacted> => Object.fromEntries(entries)
  )

const variables = (place: string, text: string): Effect.Effect<Expanded, ToolsetDefinitionError> =>
  Effect.mapError(expanded(text), (missing) =>
    typeof missing === "string"
      ? flaw(
          `mcpServers.${place}: the variable ${missing} is not set.`,
          `Set it, or give a default: \${${missing}:-default}.`
        )
      : flaw(`mcpServers.${place}: ${failureText(missing)}`, "Check the configuration.")
  )

const flaw = (problem: string, hint: string): ToolsetDefinitionError =>
  new ToolsetDefinitionError({ source: "McpToolset.fromConfig", problem, hint })
