/** The commands: an API as an MCP server, and a look at what it would offer. */
import { Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { defaultClientInfo } from "../mcp/connecting.ts"
import { serve } from "../mcp/serve.ts"
import { Secrets } from "../Secrets.ts"
import { flags, type Input } from "./flags.ts"
import { noTools, table } from "./table.ts"
import { toolsetOf, unlisted } from "./toolsetOf.ts"

export const { version } = defaultClientInfo

const mcp = Command.make("mcp", flags, (input) =>
  Effect.gen(function* () {
    const { skipped, tools, toolset } = yield* toolsetOf(input)
    const left = skipped.length === 0 ? "" : `; ${noTools(skipped.length)}, as 'list' says`
    yield* Effect.logInfo(`Serving ${tools.length} tools of ${input.openapi}${left}.`)
    yield* Effect.mapError(serve(toolset, { name: "effect-toolset", version }), unlisted)
  }).pipe(withServices(input))
).pipe(
  Command.withDescription("Serves a REST API to an MCP client, over standard input and output."),
  Command.withExamples([
    {
      command: "effect-toolset mcp --openapi api.yaml --exclude DELETE --require-approval POST --prefix shop",
      description: "All but deleting; the user of the client is asked before anything is created"
    }
  ])
)

const list = Command.make(
  "list",
  {
    ...flags,
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("As JSON, with parameters."),
      Flag.withDefault(false)
    )
  },
  (input) =>
    Effect.gen(function* () {
      const typed = yield* toolsetOf(input)
      const json = typed.tools.map(({ description, metadata, name, parameters }) => ({
        name,
        description,
        method: metadata.method,
        path: metadata.path,
        group: metadata.group,
        approval: metadata.approval,
        parameters
      }))
      yield* Console.log(input.json ? JSON.stringify(json, undefined, 2) : table(typed, yield* typed.remarks))
    }).pipe(withServices(input))
).pipe(Command.withDescription("Prints the tools that 'mcp' would serve with the same flags."))

export const command = Command.make("effect-toolset").pipe(
  Command.withDescription("REST APIs as tools, for language models."),
  Command.withSubcommands([mcp, list])
)

/** A client for the API, and the token as what nobody may see. */
const withServices = ({ token }: Input) =>
  Effect.provide(Layer.merge(FetchHttpClient.layer, Layer.orDie(Secrets.layer(...Option.toArray(token)))))
