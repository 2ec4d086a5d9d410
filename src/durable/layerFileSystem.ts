import { Effect, FileSystem, Layer, Path, type PlatformError } from "effect"
import { KeyValueStore } from "effect/persistence"
import type { Durable } from "./Durable.ts"
import { layer } from "./layer.ts"

/**
 * Records in files of a directory, each whole or absent: it is written beside and then renamed.
 *
 * `sync` also waits for the disk, so that records survive a loss of power.
 */
export const layerFileSystem = (
  directory: string,
  options?: { readonly sync?: boolean | undefined }
): Layer.Layer<Durable, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> =>
  Layer.fresh(Layer.provide(layer, wholeFiles(directory, options?.sync ?? false)))

const wholeFiles = (directory: string, sync: boolean) =>
  Layer.effect(
    KeyValueStore.KeyValueStore,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      // Apart: whatever is in the directory of the store is a record.
      const records = path.join(directory, "records")
      const writing = path.join(directory, "writing")
      yield* fs.makeDirectory(writing, { recursive: true })
      const store = yield* Effect.provide(
        KeyValueStore.KeyValueStore,
        KeyValueStore.layerFileSystem(records),
        {
          local: true
        }
      )
      const write = (file: string, data: Uint8Array) =>
        sync
          ? Effect.scoped(
              Effect.flatMap(fs.open(file, { flag: "w" }), (open) =>
                Effect.andThen(open.writeAll(data), open.sync)
              )
            )
          : fs.writeFile(file, data)
      return KeyValueStore.make({
        ...store,
        set: (key, value) =>
          Effect.suspend(() => {
            const file = path.join(writing, crypto.randomUUID())
            const data = typeof value === "string" ? new TextEncoder().encode(value) : value
            return Effect.andThen(
              write(file, data),
              fs.rename(file, path.join(records, encodeURIComponent(key)))
            )
          }).pipe(
            Effect.mapError(
              (cause) =>
                new KeyValueStore.KeyValueStoreError({
                  method: "set",
                  key,
                  message: `Unable to set item with key ${key}`,
                  cause
                })
            )
          )
      })
    })
  )
