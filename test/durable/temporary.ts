import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Layer, type Path } from "effect"

/** A layer over a directory that is there as long as the layer is. */
export const inTemporaryDirectory = <A, E>(
  over: (directory: string) => Layer.Layer<A, E, FileSystem.FileSystem | Path.Path>
): Layer.Layer<A> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      return over(yield* fs.makeTempDirectoryScoped())
    })
  ).pipe(Layer.provide(NodeServices.layer), Layer.orDie)
