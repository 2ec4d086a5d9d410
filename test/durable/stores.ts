/** The stores that every rule holds for. */
import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Durable from "effect-toolset/Durable"
import { inTemporaryDirectory } from "./temporary.ts"

const stores: Record<string, Layer.Layer<Durable.Durable>> = {
  memory: Durable.layerMemory,
  files: inTemporaryDirectory((directory) => Durable.layerFileSystem(directory)),
  "files that survive a loss of power": inTemporaryDirectory((directory) =>
    Durable.layerFileSystem(directory, { sync: true })
  )
}

type Test = <E>(title: string, program: Effect.Effect<void, E, Durable.Durable>) => void

export const onEveryStore = (title: string, tests: (test: Test) => void): void =>
  describe.each(Object.entries(stores))(`${title}, recorded in %s`, (_, store) =>
    tests((title, program) => it.effect(title, () => Effect.provide(program, Layer.fresh(store))))
  )
