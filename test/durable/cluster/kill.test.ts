/**
 * A cluster on PostgreSQL whose processes are killed, frozen and joined by others while they work: every run ends once,
 * with the right answer, and what was done twice was in the hands of one of those.
 */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll } from "vitest"
import { newDatabase, query } from "./databases.ts"
import { databaseUrl, intervals } from "./engines.ts"
import { tables } from "./orders.ts"
import { built, removed, type Runner, runClient, startRunner } from "./processes.ts"

const rounds = Number(process.env.CLUSTER_ROUNDS ?? 1)
const orders = 3
const lockExpiration = Duration.toMillis(intervals.shardLockExpiration)

interface Done {
  readonly run: string
  readonly name: string
  readonly key: string
  readonly process: string
  /** In milliseconds, by the clock of this machine. */
  readonly time: number
}

const done = (url: string): Promise<ReadonlyArray<Done>> =>
  query(
    url,
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<Done>`select run, name, key, process, (extract(epoch from time) * 1000)::float8 as time
          from effects order by at`
    )
  )

const grouped = <A>(
  all: ReadonlyArray<A>,
  key: (one: A) => string
): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one])
  return groups
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const started = async (url: string): Promise<Array<Runner>> => {
  const runners = await Promise.all(["a", "b", "c"].map((name) => startRunner(url, name)))
  // Until they have shared out their work.
  await sleep(1500)
  return runners
}

const ended = (runners: ReadonlyArray<Runner>) => runners.forEach(({ process }) => process.kill("SIGKILL"))

/** Something has been done. */
const begun = async (url: string): Promise<void> => {
  while ((await done(url)).length === 0) await sleep(50)
}

describe.skipIf(databaseUrl === undefined)("a cluster whose processes are killed", () => {
  beforeAll(built, 300_000)
  afterAll(removed)

  it(`ends every run once, in ${rounds} rounds of ${orders}`, { timeout: 3_600_000 }, async () => {
    const undisturbed = await newDatabase(tables)
    const quiet = [await startRunner(undisturbed, "alone")]
    const [expected = ""] = await runClient(undisturbed, 1)
    ended(quiet)
    const whole = await done(undisturbed)
    assert.lengthOf(whole, 11)
    const namesOf = (effects: ReadonlyArray<Done>) => Array.from(new Set(effects.map(keyed))).toSorted()
    const keyed = ({ key, name }: Done) => `${key} ${name}`

    for (let round = 0; round < rounds; round++) {
      const url = await newDatabase(tables)
      const runners = await started(url)
      const [a, b, c] = runners as [Runner, Runner, Runner]
      const running = runClient(url, orders)
      try {
        await begun(url)
        const within = (ms: number, event: () => unknown) => sleep(Math.random() * ms).then(event)
        /** When processes were killed or frozen. */
        const stopped = new Map<string, number>()
        const stop = ({ name, process }: Runner, signal: NodeJS.Signals) => {
          stopped.set(name, Date.now())
          process.kill(signal)
        }
        let thawed = Infinity
        await Promise.all([
          running,
          within(1500, () => stop(a, "SIGKILL")),
          within(3000, async () => runners.push(await startRunner(url, "d"))),
          within(3000, async () => {
            stop(b, "SIGSTOP")
            // So long that others have what was its: when it wakes up it may read what is theirs, which they get ten
            // minutes later. So not in every round.
            await sleep(round % 3 === 0 ? lockExpiration + 3000 : lockExpiration - 2000)
            thawed = Date.now()
            b.process.kill("SIGCONT")
          }),
          within(6000, () => stop(c, "SIGKILL"))
        ])
        assert.deepStrictEqual(
          await running,
          Array.from({ length: orders }, () => expected)
        )

        const effects = await done(url)
        const byRun = grouped(effects, ({ run }) => run)
        assert.strictEqual(byRun.size, orders)
        for (const of of byRun.values()) {
          const names = new Set(of.map(keyed))
          assert.lengthOf(names, whole.length, "nothing more, under other keys")
          assert.deepStrictEqual(
            Array.from(names, (name) => name.slice(33)).toSorted(),
            namesOf(whole)
              .map((name) => name.slice(33))
              .toSorted()
          )
        }
        for (const [key, times] of grouped(effects, ({ key }) => key)) {
          const told = `${key}: ${JSON.stringify(times)}, ${JSON.stringify([...stopped])}`
          // Whoever was frozen may do it late, once: after another one did, or where it was frozen in the middle of it.
          const isLate = ({ process, time }: Done) => process === b.name && time >= thawed
          assert.isAtMost(times.filter(isLate).length, 1, `late: ${told}`)
          const inTime = times.filter((one) => !isLate(one))
          for (const [i, { process }] of inTime.slice(0, -1).entries())
            assert.isBelow(stopped.get(process) ?? Infinity, inTime[i + 1]!.time, `not stopped: ${told}`)
        }
        const took = effects.filter(
          ({ process, time }) => process !== b.name && time > stopped.get(b.name)! + lockExpiration
        )

        // They have ended.
        assert.deepStrictEqual(await runClient(url, orders), await running)
        assert.lengthOf(await done(url), effects.length)
        console.log(
          `round ${round + 1}: ${orders} runs, ${effects.length - orders * whole.length} steps done once more, ` +
            `${took.length} by others while one was frozen`
        )
      } finally {
        ended(runners)
      }
    }
  })
})

it.skipIf(databaseUrl !== undefined)("a cluster is not tested: there is no DATABASE_URL", () => {})
