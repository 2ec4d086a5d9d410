/** Records in files: where they are, and what becomes of those that cannot be written. */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, FileSystem, Layer, type Path, PlatformError, Schema } from "effect"
import * as Durable from "effect-toolset/Durable"
import { attempts, doing, killed, step } from "./attempts.ts"
import { inTemporaryDirectory } from "./temporary.ts"

describe("records in files", () => {
  const inFiles = <A, E>(
    program: (directory: string) => Effect.Effect<A, E, FileSystem.FileSystem | Path.Path>
  ) =>
    Effect.scoped(
      Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.flatMap(fs.makeTempDirectoryScoped(), program))
    ).pipe(Effect.provide(NodeServices.layer))

  it.effect("are found by another process, whatever the run is called", () =>
    inFiles((directory) =>
      Effect.gen(function* () {
        const names = [
          "",
          ".",
          "..",
          "a/b",
          "a",
          "A",
          "é",
          "\ud800",
          "\udc00",
          "x".repeat(300),
          "%",
          "con.",
          "a~b"
        ]
        const { does, done } = doing()
        const all = Effect.forEach(names, (runId, i) =>
          Effect.provide(
            attempts([Effect.andThen(step("s", does(String(i), i)), killed)], runId),
            Durable.layerFileSystem(directory)
          )
        )
        yield* all
        yield* all
        assert.deepStrictEqual(
          done,
          names.map((_, i) => String(i))
        )
        const fs = yield* FileSystem.FileSystem
        const files = yield* fs.readDirectory(`${directory}/records`)
        assert.lengthOf(files, names.length)
        assert.lengthOf(new Set(files.map((file) => file.toLowerCase())), names.length)
        assert.isBelow(Math.max(...files.map((file) => file.length)), 200)
        assert.deepStrictEqual(yield* fs.readDirectory(`${directory}/writing`), [])
      })
    )
  )

  it.effect("two stores in one program are two", () =>
    inFiles((directory) =>
      Effect.gen(function* () {
        const { does, done } = doing()
        const go = attempts([step("s", does("s", 1))])
        const inner = Effect.provide(go, Durable.layerFileSystem(`${directory}/two`))
        yield* Effect.provide(Effect.andThen(go, inner), Durable.layerFileSystem(`${directory}/one`))
        assert.deepStrictEqual(done, ["s", "s"])
        yield* Effect.provide(
          Effect.andThen(go, Effect.provide(go, Durable.layerMemory)),
          Durable.layerMemory
        )
        assert.lengthOf(done, 4)
      })
    )
  )

  it.effect("a directory that cannot be made is a failure of the layer", () =>
    inFiles((directory) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.writeFileString(`${directory}/file`, "")
        const exit = yield* Effect.exit(
          Effect.provide(attempts([Effect.void]), Durable.layerFileSystem(`${directory}/file`))
        )
        assert.isTrue(Exit.isFailure(exit))
      })
    )
  )

  /** A disk on which files of some names do not come to where they are to be. */
  const refusing = (refuses: (to: string) => boolean) =>
    Effect.provide(
      inTemporaryDirectory((directory) =>
        Layer.provide(
          Durable.layerFileSystem(directory),
          Layer.effect(
            FileSystem.FileSystem,
            Effect.map(FileSystem.FileSystem, (fs) => ({
              ...fs,
              rename: (from: string, to: string) =>
                refuses(to) ? Effect.fail(full(to)) : fs.rename(from, to)
            }))
          )
        )
      )
    )
  const full = (pathOrDescriptor: string) =>
    PlatformError.systemError({ _tag: "WriteZero", module: "FileSystem", method: "rename", pathOrDescriptor })

  it.effect("a write that is refused is logged: that step runs again, and the next one is found", () => {
    let writes = 0
    return Effect.gen(function* () {
      const { does, done } = doing()
      const program = Effect.andThen(
        Effect.forEach(["a", "b"], (name) => step(name, does(name, name))),
        killed
      )
      yield* attempts([program, program])
      assert.deepStrictEqual(done, ["a", "b", "a"])
    }).pipe(refusing(() => writes++ === 0))
  })

  it.effect("a result that cannot be written is given, and the steps stay", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const go = step("a", does("a", 1)).pipe(Durable.run({ runId: "r", schema: Schema.Int }))
      assert.deepStrictEqual([yield* go, yield* go, done], [1, 1, ["a"]])
    }).pipe(refusing((to) => to.endsWith("result")))
  )
})
