/**
 * A process that starts orders, says yes to whatever they ask, and prints what they come to. Arguments: where the
 * database is, how many.
 */
import { Effect, Fiber, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as Durable from "effect-toolset/Durable"
import { client } from "./engines.ts"
import { Order } from "./orders.ts"

const [, , url = "", count = ""] = process.argv
const ids = Array.from({ length: Number(count) }, (_, i) => `order-${i}`)

const saysYes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const answered = new Set<string>()
  return yield* Effect.gen(function* () {
    const waiting = yield* sql<{ token: string }>`select distinct token from waiting`
    for (const { token } of waiting.filter(({ token }) => !answered.has(token))) {
      yield* Durable.answer(token, { approval: true })
      answered.add(token)
    }
  }).pipe(Effect.repeat(Schedule.spaced("100 millis")))
})

const program = Effect.gen(function* () {
  const yes = yield* Effect.forkChild(saysYes)
  const results = yield* Effect.forEach(ids, (id) => Order.execute({ id }), { concurrency: "unbounded" })
  yield* Fiber.interrupt(yes)
  console.log(JSON.stringify(results))
})

// What else is open here is nobody's concern.
await Effect.runPromise(program.pipe(Effect.provide(client(url))))
process.exit(0)
