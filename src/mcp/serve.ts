import { Cause, Effect, Exit, Layer, Logger, Stdio } from "effect"
import { McpProtocol, McpServer } from "effect/ai"
import type { HttpRouter } from "effect/http"
import { outsideOfRuns, RunContext } from "../RunContext.ts"
import type { ToolsetError } from "../ToolsetError.ts"
import { instructionsOf } from "../toolset/listing.ts"
import type { Toolset } from "../toolset/model.ts"
import { openedForOthers } from "../toolset/open.ts"
import { stand } from "./offered.ts"
import { messagesOf } from "./standardInput.ts"

/**
 * How a server presents itself: `name`, `version`, and `instructions` (default: the toolset's own). `middleware` provides
 * what comes with each request, such as its user: handlers may ask for it, opening the toolset may not.
 */
export interface ServeOptions<Provided = never> {
  readonly name: string
  readonly version: string
  readonly instructions?: string | undefined
  readonly middleware?: McpServer.Middleware<PerRequest<Provided>> | undefined
}

/** Middleware that provides services to each request, and needs none itself. */
interface PerRequest<Provided> {
  provides: Provided
  error: any
  requires: never
  layerError: never
  layerRequires: never
}

/**
 * Serves a toolset as an MCP server over standard input and output, in every revision of MCP, until the input ends.
 *
 * The toolset is opened once. A retry and a failure are failed results that the model reads; the toolset's own failures
 * are "Internal error" to the client, and in the log, which goes to stderr. Each request lists the tools anew: what has
 * gone cannot be called, and changes are announced. What needs approval is asked of the client's user, where the client
 * can ask, and is refused with a sentence where not; tools that run elsewhere are left out.
 *
 * The schema of a tool's results is announced where it is an object's, and then kept: a result that does not fit is a
 * failed one. `Toolset.prepared` gives another one (`returns`) to tools whose results are changed on their way.
 *
 * ```ts
 * import { NodeRuntime, NodeServices } from "@effect/platform-node"
 * import { Effect } from "effect"
 * import * as McpToolset from "effect-toolset/McpToolset"
 * import { tools } from "./tools.ts"
 *
 * McpToolset.serve(tools, { name: "my-tools", version: "1.0.0" }).pipe(
 *   Effect.provide(NodeServices.layer),
 *   NodeRuntime.runMain
 * )
 * ```
 */
export const serve = <E, R, Provided = never>(
  self: Toolset<E, R>,
  options: ServeOptions<Provided>
): Effect.Effect<void, E | ToolsetError, Exclude<R, Provided> | Stdio.Stdio> =>
  Effect.gen(function* () {
    const stdio = yield* Stdio.Stdio
    const { ended, stdin } = yield* messagesOf(stdio.stdin)
    const server = Layer.unwrap(
      Effect.map(prepared(self, options), (ready) => McpServer.layerStdio({ ...ready, protocols }))
    )
    const serving = Effect.provideService(Layer.launch(server), Stdio.Stdio, { ...stdio, stdin })
    // What is under way when the input ends has a moment; nobody would read more of it.
    const atEnd = Effect.delay(ended, "250 millis")
    // effect's server interrupts whoever runs it, when all is answered.
    const exit = yield* Effect.exit(Effect.raceFirst(serving, atEnd))
    if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) return yield* exit
  }).pipe(Effect.scoped, Effect.provideService(Logger.LogToStderr, true)) as any

/**
 * Serves a toolset as an MCP server over Streamable HTTP, as routes of an `HttpRouter`; the rest is as with `serve`.
 *
 * - `path`: the endpoint. `allowedOrigins`: of browsers; none by default.
 *
 * ```ts run
 * import { NodeHttpServer } from "@effect/platform-node"
 * import { Effect, Layer } from "effect"
 * import { FetchHttpClient, HttpRouter, HttpServer } from "effect/http"
 * import { createServer } from "node:http"
 * import { Toolset } from "effect-toolset"
 * import * as McpToolset from "effect-toolset/McpToolset"
 *
 * const tools = Toolset.tool("hello", { handler: () => Effect.succeed("hello") })
 * const routes = McpToolset.serveHttp(tools, { name: "my-tools", version: "1.0.0", path: "/mcp" })
 * const server = HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
 *   Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { port: 0, host: "127.0.0.1" }))
 * )
 * const program = Effect.gen(function* () {
 *   const { address } = yield* HttpServer.HttpServer
 *   const there = McpToolset.http({ url: `${HttpServer.formatAddress(address)}/mcp` })
 *   return yield* Toolset.call(there, "hello", {})
 * })
 * console.log(await Effect.runPromise(program.pipe(Effect.provide([server, FetchHttpClient.layer]))))
 * //> hello
 * ```
 */
export const serveHttp = <E, R, Provided = never>(
  self: Toolset<E, R>,
  options: ServeOptions<Provided> & {
    readonly path: HttpRouter.PathInput
    readonly allowedOrigins?: ReadonlyArray<string> | undefined
  }
): Layer.Layer<never, E | ToolsetError, Exclude<R, Provided> | HttpRouter.HttpRouter> =>
  Layer.unwrap(
    Effect.map(prepared(self, options), (ready) =>
      McpServer.layerHttp({
        ...ready,
        protocols,
        path: options.path,
        allowedOrigins: options.allowedOrigins,
        allowSessionTermination: true
      })
    )
  ) as any

const protocols = [
  McpProtocol.v2026_07_28,
  McpProtocol.v2025_11_25,
  McpProtocol.v2025_06_18,
  McpProtocol.v2025_03_26,
  McpProtocol.v2024_11_05
] as const

/**
 * A toolset that is open while the server is, and what a server is made of. `any`, here and where it is used: the types
 * of effect's server tell what comes with each request by markers, of which `R` knows nothing.
 */
const prepared = Effect.fnUntraced(function* <E, R>(self: Toolset<E, R>, options: ServeOptions<any>) {
  const opened = yield* openedForOthers(self)
  const run = outsideOfRuns()
  const asking = opened.during(run)(instructionsOf(opened.listing, run))
  const texts = yield* Effect.provideService(asking, RunContext, run)
  const { isThere, register } = stand(opened)
  const visible = McpServer.visibility(({ requestContext, target }) => isThere(target, requestContext))
  const perRequest = options.middleware === undefined ? visible : visible.combine(options.middleware)
  const own = texts.map(({ text }) => text).join("\n\n")
  return {
    name: options.name,
    version: options.version,
    instructions: options.instructions ?? (own === "" ? undefined : own),
    registrations: Layer.effectDiscard(register).pipe(Layer.provide(perRequest.layer))
  }
})
