import { Cause, Deferred, Effect, Exit, Layer, Logger, Stdio, Stream } from "effect"
import { McpProtocol, McpServer } from "effect/ai"
import type { HttpRouter } from "effect/http"
import { outsideOfRuns, RunContext } from "../RunContext.ts"
import type { ToolsetError } from "../ToolsetError.ts"
import { instructionsOf } from "../toolset/listing.ts"
import type { Toolset } from "../toolset/model.ts"
import { openedForOthers } from "../toolset/open.ts"
import { stand } from "./offered.ts"

/** How a server presents itself, and what comes with each request. */
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

export const serve = <E, R, Provided = never>(
  self: Toolset<E, R>,
  options: ServeOptions<Provided>
): Effect.Effect<void, E | ToolsetError, Exclude<R, Provided> | Stdio.Stdio> =>
  Effect.gen(function* () {
    const stdio = yield* Stdio.Stdio
    const ended = yield* Deferred.make<void>()
    const stdin = Stream.ensuring(stdio.stdin, Deferred.succeed(ended, undefined))
    const server = Layer.unwrap(
      Effect.map(prepared(self, options), (ready) => McpServer.layerStdio({ ...ready, protocols }))
    )
    const serving = Layer.launch(server).pipe(
      Effect.provideService(Stdio.Stdio, { ...stdio, stdin }),
      Effect.exit
    )
    // What is under way when the input ends has a moment; nobody would read more of it.
    const atEnd = Effect.as(Effect.delay(Deferred.await(ended), "250 millis"), Exit.void)
    const exit = yield* Effect.raceFirst(serving, atEnd)
    if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) return yield* exit
  }).pipe(Effect.provideService(Logger.LogToStderr, true)) as any

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

/** A toolset that is open while the server is, and what a server is made of. */
const prepared = Effect.fnUntraced(function* <E, R>(self: Toolset<E, R>, options: ServeOptions<any>) {
  const listing = yield* openedForOthers(self)
  const run = outsideOfRuns()
  const texts = yield* Effect.provideService(instructionsOf(listing, run), RunContext, run)
  const { isThere, register } = stand(listing)
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
