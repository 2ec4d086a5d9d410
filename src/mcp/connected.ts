/** A toolset over a connection: lists what the server lists, and calls what it calls. */
import { Effect, type Scope } from "effect"
import type { RunContext } from "../RunContext.ts"
import { whileListing } from "../toolset/environment.ts"
import type { OnError } from "../toolset/failure.ts"
import { satisfying } from "../toolset/jsonArguments.ts"
import { varying } from "../toolset/listing.ts"
import { stable } from "../toolset/memoized.ts"
import { leaf, type Tool, type Toolset } from "../toolset/model.ts"
import { calling } from "./calling.ts"
import type { Connection, Descriptor } from "./connection.ts"
import { described } from "./described.ts"
import type { Hide } from "./hidden.ts"
import { type Line, line } from "./line.ts"
import type { McpConnectionError, McpError, McpToolError } from "./McpError.ts"
import { Trouble } from "./trouble.ts"
import { useless } from "./unusable.ts"

/** What all MCP toolsets may be told. */
export interface Options<Mode extends OnError | undefined = OnError | undefined> {
  readonly id?: string | undefined
  readonly list?: "run" | "step" | undefined
  readonly onError?: Mode
}

/** What tools that fail by themselves add to the failures of a toolset. */
export type ToolFailure<Mode> = Mode extends "fail" ? McpToolError : never

/** A server, and how one gets to it. */
export interface Server<E, R> {
  /** For error texts. */
  readonly name: string
  readonly connect: Effect.Effect<Connection, E, R>
  readonly hide: Hide
}

export const connected = <E, R, Mode extends OnError | undefined>(
  server: Server<E, R>,
  options: Options<Mode> | undefined
): Toolset<E | McpError | ToolFailure<Mode>, Exclude<R, Scope.Scope>> => {
  type Failure = E | McpError | ToolFailure<Mode>
  const { id } = options ?? {}
  return leaf<Failure, Exclude<R, Scope.Scope>>(
    id ?? `mcp(${server.name})`,
    (opening) =>
      Effect.gen(function* () {
        const held = yield* line(server.connect, opening.scope)
        const { instructions = "" } = yield* held.current
        const list = listing<Failure>(server, held, options)
        return varying<Failure>(
          () => list,
          instructions.trim() === ""
            ? undefined
            : () => Effect.succeed([{ text: instructions, dynamic: false }])
        )
      }),
    id
  )
}

/** What was listed, and when. */
interface Listed<E> {
  readonly tools: ReadonlyArray<Tool<E>>
  readonly of: Connection
  readonly changes: number
}

/**
 * The tools: asked for once, or at each step; again where the server says that they have changed, or is connected anew.
 * A tool that is listed as it was before is the same tool.
 */
const listing = <E>(
  server: Server<unknown, unknown>,
  held: Line<E, unknown>,
  { id, list = "run", onError = "retry" }: Options = {}
): Effect.Effect<ReadonlyArray<Tool<E>>, E | McpConnectionError, RunContext> => {
  const known = new Map<string, { readonly json: string; readonly tool: Tool<E> }>()
  const same = stable<Tool<E>>()
  let last: Listed<E> | undefined

  const toolOf = (descriptor: Descriptor): Tool<E> => {
    const json = JSON.stringify(descriptor)
    const before = known.get(descriptor.name)
    if (before?.json === json) return before.tool
    const definition = described(descriptor, server.name)
    const tool: Tool<E> = {
      definition,
      source: `mcp(${server.name}: ${descriptor.name})`,
      origin: id === undefined ? [descriptor.name] : [id, descriptor.name],
      timed: false,
      decode: satisfying(definition.parameters),
      validate: () => Effect.void,
      call: calling(server, held, descriptor, onError)
    }
    known.set(descriptor.name, { json, tool })
    return tool
  }

  const ask = Effect.fnUntraced(function* (connection: Connection) {
    const changes = connection.changes()
    if (list === "run" && last?.of === connection && last.changes === changes) return last.tools
    const descriptors = yield* connection.list
    const tools = yield* Effect.try({
      try: () => same(descriptors.map(toolOf)),
      catch: (cause) => Trouble.Garbled({ problem: "what it says of its tools cannot be read", cause })
    })
    last = { tools, of: connection, changes }
    return tools
  })

  const failing = (connection: Connection) => (trouble: Trouble) =>
    Effect.flatMap(useless(server, connection, trouble), Effect.fail)

  return whileListing(
    Effect.flatMap(held.current, (connection) =>
      ask(connection).pipe(
        Effect.catch((trouble) =>
          trouble._tag !== "Lost"
            ? failing(connection)(trouble)
            : Effect.flatMap(held.insteadOf(connection), (next) => Effect.catch(ask(next), failing(next)))
        )
      )
    )
  )
}
