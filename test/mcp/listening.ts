/** Servers over HTTP, each in a process of its own, so that one can be ended and started again. */
import { Effect, type PlatformError, type Scope, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { node } from "./serving.ts"
import { fileURLToPath } from "node:url"

const file = fileURLToPath(new URL("servers/http.mjs", import.meta.url))

export interface HttpServer {
  readonly url: string
  readonly port: number
  readonly stop: Effect.Effect<void>
}

/** Starts one: see `servers/http.mjs` for the kinds. */
export const listening = Effect.fnUntraced(function* (
  kind: string,
  options: { readonly port?: number; readonly word?: string; readonly env?: Record<string, string> } = {}
): Effect.fn.Return<
  HttpServer,
  PlatformError.PlatformError,
  ChildProcessSpawner.ChildProcessSpawner | Scope.Scope
> {
  const { command, args } = node(file, kind, String(options.port ?? 0), options.word ?? "")
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const handle = yield* spawner.spawn(ChildProcess.make(command, args, { env: options.env, extendEnv: true }))
  const [line = ""] = yield* handle.stdout.pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.take(1),
    Stream.runCollect
  )
  const port = Number(line)
  const stop = Effect.ignore(handle.kill({ killSignal: "SIGKILL" }))
  return { url: `http://127.0.0.1:${port}/mcp`, port, stop }
}, Effect.orDie)
