/** Databases of tests: what is left in one is looked for in vain by the next cluster. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { databaseAt, databaseUrl } from "./engines.ts"

export const query = <A, E>(url: string, program: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<A> =>
  Effect.runPromise(Effect.provide(program, databaseAt(url)))

let databases = 0

/** A new one, with what is made in it. */
export const newDatabase = async <A, E>(made: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<string> => {
  const name = `test_${process.pid}_${databases++}`
  await query(
    databaseUrl!,
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql`create database ${sql(name)}`)
  )
  const url = new URL(databaseUrl!)
  url.pathname = `/${name}`
  await query(url.href, made)
  return url.href
}
