/** Engines on PostgreSQL, where there is one: `.ci/postgres` starts it. */
import { NodeClusterSocket, NodeCrypto } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Layer, Logger, Option, Redacted } from "effect"
import { ClusterWorkflowEngine, RunnerAddress, SingleRunner } from "effect/cluster"

export const databaseUrl = process.env.DATABASE_URL

export const databaseAt = (url: string) => Layer.orDie(PgClient.layer({ url: Redacted.make(url) }))

/** In one process, with what `purge` needs. */
export const singleRunner = (url: string) =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(SingleRunner.layer({ runnerStorage: "memory" })),
    Layer.provide(NodeCrypto.layerDigest),
    Layer.provide(databaseAt(url)),
    // Runs that tests have left behind are looked for in vain.
    Layer.provide(Logger.layer([])),
    Layer.orDie
  )

export const onPostgres = databaseUrl === undefined ? undefined : singleRunner(databaseUrl)

/** Shorter than usual, so that others take over soon; longer than any step, so that a move repeats none. */
export const intervals = {
  refreshAssignmentsInterval: "250 millis",
  entityMessagePollInterval: "1 second",
  shardLockExpiration: "6 seconds",
  entityTerminationTimeout: "5 seconds"
} as const

/** A process that runs workflows, with others. */
export const runner = (url: string, port: number) =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(
      NodeClusterSocket.layer({
        storage: "sql",
        shardingConfig: { ...intervals, runnerAddress: Option.some(RunnerAddress.make("127.0.0.1", port)) }
      })
    ),
    Layer.provideMerge(databaseAt(url))
  )

/** One that starts them, and says what they are to know. */
export const client = (url: string) =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(
      NodeClusterSocket.layer({
        storage: "sql",
        clientOnly: true,
        shardingConfig: { ...intervals, runnerAddress: Option.none() }
      })
    ),
    Layer.provideMerge(databaseAt(url))
  )
