/** The stores that every rule holds for. */
import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { KeyValueStore } from "effect/persistence"
import { WorkflowEngine } from "effect/workflow"
import * as Durable from "effect-toolset/Durable"
import { inWorkflow } from "./attempting.ts"
import { databaseAt, databaseUrl, onPostgres } from "./cluster/engines.ts"
import { inTemporaryDirectory } from "./temporary.ts"

export interface Store {
  readonly layer: Layer.Layer<Durable.Durable>
  /** What talks to others does so in its own time. */
  readonly it: Pick<typeof it, "effect">
}

const memory: Store = { layer: Durable.layerMemory, it }

const workflow = (engine: Parameters<typeof inWorkflow>[0]) =>
  Layer.merge(Durable.layerWorkflow, inWorkflow(engine))

export const talking = { effect: it.live } as typeof it

/** A table for each test, as each has a directory. */
export const inTable = (url: string) =>
  Layer.unwrap(Effect.sync(() => KeyValueStore.layerSql({ table: `records_${crypto.randomUUID()}` }))).pipe(
    Layer.provide(databaseAt(url)),
    Layer.fresh
  )

const tables: Record<string, Store> =
  databaseUrl === undefined
    ? {}
    : { PostgreSQL: { layer: Layer.provide(Durable.layer, inTable(databaseUrl)), it: talking } }

const engines: Record<string, Store> = {
  "a workflow": { layer: workflow(WorkflowEngine.layerMemory), it },
  ...(onPostgres === undefined
    ? {}
    : { "a workflow on PostgreSQL": { layer: workflow(onPostgres), it: talking } })
}

const files: Store = { layer: inTemporaryDirectory((directory) => Durable.layerFileSystem(directory)), it }

const embedded: Record<string, Store> = {
  memory,
  files,
  ...tables,
  "files that survive a loss of power": {
    layer: inTemporaryDirectory((directory) => Durable.layerFileSystem(directory, { sync: true })),
    it
  }
}

type Test = <E>(title: string, program: Effect.Effect<void, E, Durable.Durable>) => void

const over =
  (stores: Record<string, Store>) =>
  (title: string, tests: (store: Store) => void): void => {
    it.skipIf(databaseUrl !== undefined)(
      `${title}, recorded in PostgreSQL, is not tested: there is no DATABASE_URL`,
      () => {}
    )
    describe.each(Object.entries(stores))(`${title}, recorded in %s`, (_, store) =>
      tests({ ...store, layer: Layer.fresh(store.layer) })
    )
  }

export const onEveryStore = (title: string, tests: (test: Test) => void): void =>
  over({ ...embedded, ...engines })(title, ({ it, layer }) =>
    tests((title, program) => it.effect(title, () => Effect.provide(program, layer)))
  )

/** One for each kind: what they do with records themselves is tested with all. */
export const onEveryKindOfStore = over({ memory, files, ...tables, ...engines })
