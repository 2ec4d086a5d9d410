/** Engines on PostgreSQL, where there is one: `.ci/postgres` starts it. */
import { NodeCrypto } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Layer, Logger, Redacted } from "effect"
import { ClusterWorkflowEngine, SingleRunner } from "effect/cluster"

export const databaseUrl = process.env.DATABASE_URL

/** In one process. */
export const onPostgres =
  databaseUrl === undefined
    ? undefined
    : ClusterWorkflowEngine.layer.pipe(
        Layer.provide(SingleRunner.layer({ runnerStorage: "memory" })),
        Layer.provide(NodeCrypto.layerDigest),
        Layer.provide(PgClient.layer({ url: Redacted.make(databaseUrl) })),
        // Runs that tests have left behind are looked for in vain.
        Layer.provide(Logger.layer([])),
        Layer.orDie
      )
