// What a step of a durable run costs besides what it does, on each store: one after the other, with a small result, done
// and recorded, and then found again by another attempt. PostgreSQL where DATABASE_URL is set (`.ci/postgres npm run bench`).
const { Cause, Deferred, Effect, Exit, Layer, Logger, Redacted, Schema } = await import("effect")
const { KeyValueStore } = await import("effect/persistence")
const { Workflow, WorkflowEngine } = await import("effect/workflow")
const Durable = await import("../dist/Durable.js")
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const directory = mkdtempSync(join(tmpdir(), "bench-durable-"))
const step = (id) =>
  Durable.step({ name: "step", id, schema: Schema.Unknown }, Effect.succeed({ ok: true, n: id }))

/** Microseconds for each step. */
const timed = (steps) =>
  Effect.gen(function* () {
    const start = performance.now()
    for (let i = 0; i < steps; i++) yield* step(i)
    return ((performance.now() - start) * 1000) / steps
  })

/** Two attempts at a run that does not end. */
const attempted = (steps, runId) =>
  Durable.run(timed(steps), { runId, schema: Schema.Finite, isFinished: () => false })

const embedded = (steps) =>
  Effect.gen(function* () {
    yield* attempted(steps, "warm")
    return [yield* attempted(steps, "bench"), yield* attempted(steps, "bench")]
  })

/** The same in a workflow that is entered again. */
const inWorkflow = (steps) =>
  Effect.gen(function* () {
    const times = []
    const ended = yield* Deferred.make()
    const Bench = Workflow.make(`Bench-${crypto.randomUUID()}`, {
      payload: { id: Schema.String },
      idempotencyKey: ({ id }) => id
    }).annotate(Workflow.SuspendOnFailure, true)
    yield* Layer.build(
      Bench.toLayer((_, runId) =>
        Effect.gen(function* () {
          if (times.length === 0) yield* attempted(steps, "warm")
          times.push(yield* attempted(steps, runId))
          return times.length === 1 ? yield* Effect.die("again") : yield* Deferred.succeed(ended, times)
        })
      )
    )
    const id = yield* Bench.execute({ id: "1" }, { discard: true })
    yield* Effect.repeat(Bench.poll(id), { until: (result) => result._tag === "Some" })
    yield* Bench.resume(id)
    return yield* Deferred.await(ended)
  }).pipe(Effect.provide(Durable.layerWorkflow), Effect.scoped)

const rows = [["none", 2000, (steps) => Effect.map(timed(steps), (time) => [time]), Layer.empty]]
rows.push(["memory", 2000, embedded, Durable.layerMemory])
const { NodeServices, NodeCrypto } = await import("@effect/platform-node")
const files = (options) => (name) =>
  Durable.layerFileSystem(join(directory, name), options).pipe(Layer.provide(NodeServices.layer))
rows.push(["files", 1000, embedded, files()("plain")])
rows.push(["files, `sync`", 500, embedded, files({ sync: true })("sync")])
rows.push(["`WorkflowEngine.layerMemory`", 1000, inWorkflow, WorkflowEngine.layerMemory])

const url = process.env.DATABASE_URL
if (url !== undefined) {
  const { PgClient } = await import("@effect/sql-pg")
  const { ClusterWorkflowEngine, SingleRunner } = await import("effect/cluster")
  const database = PgClient.layer({ url: Redacted.make(url) })
  const sql = Durable.layer.pipe(Layer.provide(KeyValueStore.layerSql({ table: `bench_${process.pid}` })))
  rows.push(["`KeyValueStore.layerSql`, PostgreSQL", 500, embedded, sql.pipe(Layer.provide(database))])
  const cluster = ClusterWorkflowEngine.layer.pipe(
    Layer.provide(SingleRunner.layer({ runnerStorage: "memory" })),
    Layer.provide(NodeCrypto.layerDigest),
    Layer.provide(database)
  )
  rows.push(["cluster of one, PostgreSQL", 100, inWorkflow, cluster])
}

console.log("\n| durable: µs for each step | recorded | replayed |\n|---|---:|---:|")
for (const [name, steps, run, layer] of rows) {
  const exit = await Effect.runPromiseExit(
    run(steps).pipe(Effect.provide(layer), Effect.provide(Logger.layer([])))
  )
  if (Exit.isFailure(exit)) console.log(`| ${name} | ${Cause.pretty(exit.cause).split("\n")[0]} | |`)
  else
    console.log(
      `| ${name} | ${exit.value.map((time) => time.toFixed(time < 100 ? 1 : 0)).join(" | ")} |${exit.value.length === 1 ? " |" : ""}`
    )
}
if (url === undefined) console.log("\nNo DATABASE_URL: without PostgreSQL.")
rmSync(directory, { recursive: true })
process.exit(0)
