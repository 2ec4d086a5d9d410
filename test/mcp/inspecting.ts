/** The inspector's command line, a client that nobody here wrote. */
import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { fileURLToPath } from "node:url"

const launcher = fileURLToPath(
  new URL(
    "../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
    import.meta.url
  )
)

/** Runs it with a home of its own, where it leaves files: what it printed, and its exit code. */
export const inspected = (...args: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const home = yield* fs.makeTempDirectoryScoped()
      const handle = yield* spawner.spawn(
        ChildProcess.make(process.execPath, [launcher, "--cli", "--connect-timeout", "120000", ...args], {
          env: { HOME: home, MCP_CATALOG_PATH: `${home}/catalog.json` },
          extendEnv: true
        })
      )
      const [out, err, exitCode] = yield* Effect.all(
        [
          Stream.mkString(Stream.decodeText(handle.stdout)),
          Stream.mkString(Stream.decodeText(handle.stderr)),
          handle.exitCode
        ],
        { concurrency: "unbounded" }
      )
      return { json: out === "" ? undefined : JSON.parse(out), err, exitCode: Number(exitCode) }
    })
  ).pipe(Effect.provide(NodeServices.layer), Effect.orDie)
