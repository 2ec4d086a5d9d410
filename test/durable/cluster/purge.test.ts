/** What a cluster keeps of an execution is removed as a whole, once it has ended. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Queue, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Agent, Toolset } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"
import { doing } from "../attempts.ts"
import { scripted } from "../models.ts"
import { ordering } from "../workflows.ts"
import { databaseAt, databaseUrl, singleRunner } from "./engines.ts"

const { calls, text } = ScriptedModel

/** A process of its own, as far as engines are concerned. */
const inProcess = <A, E, R>(program: Effect.Effect<A, E, R>) =>
  Effect.suspend(() =>
    program.pipe(
      Effect.scoped,
      Effect.provide(
        Layer.fresh(
          Layer.mergeAll(
            singleRunner(databaseUrl!),
            Durable.layerWorkflow,
            scripted([calls({ pay: {} }), text("Done.")])
          )
        )
      )
    )
  )

describe.skipIf(databaseUrl === undefined)("Durable.purge", () => {
  it.live("removes what is kept of an execution that has ended, and of no other; it can run again", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const pay = Toolset.tool("pay", {
        parameters: Schema.Struct({}),
        requiresApproval: true,
        handler: () => does("paid", "paid")
      })
      const agent = Agent.make({ toolsets: [Toolset.withId(pay, "bank")] })
      const sql = yield* SqlClient.SqlClient
      const kept = (id: string) =>
        Effect.map(sql`select id from cluster_messages where entity_id = ${id}`, (rows) => rows.length)
      const replies = (id: string) =>
        Effect.map(
          sql`select r.id from cluster_replies r join cluster_messages m on m.id = r.request_id
            where m.entity_id = ${id}`,
          (rows) => rows.length
        )

      const name = `Test-${crypto.randomUUID()}`
      const first = yield* Effect.gen(function* () {
        const { executionId, inbox, start, workflow } = yield* ordering(agent, name)
        yield* start
        const { token } = yield* Queue.take(inbox)
        const early = yield* Effect.flip(Durable.purge(workflow, executionId))
        assert.deepStrictEqual([early.reason, early.isRetryable], ["Workflow", false])
        assert.include(early.message, "has not ended")
        yield* Durable.answer(token, { approval: true })
        yield* workflow.execute({ id: "1" })
        assert.deepStrictEqual(done, ["paid"])

        const other = yield* ordering(agent)
        yield* other.start
        yield* Queue.take(other.inbox)
        const before = yield* kept(other.executionId)
        assert.isAbove(before, 2)

        assert.isAbove(yield* kept(executionId), 5)
        assert.isAbove(yield* replies(executionId), 5)
        yield* Durable.purge(workflow, executionId)
        assert.deepStrictEqual([yield* kept(executionId), yield* replies(executionId)], [0, 0])
        assert.isAtLeast(yield* kept(other.executionId), before)
        // Nothing of it is there: nothing to do.
        yield* Durable.purge(workflow, executionId)
        return token
      }).pipe(inProcess)

      // The process before may still know it for a while.
      yield* Effect.gen(function* () {
        const { inbox, start, workflow } = yield* ordering(agent, name)
        yield* start
        const { token } = yield* Queue.take(inbox)
        assert.strictEqual(token, first)
        yield* Durable.answer(token, { approval: true })
        yield* workflow.execute({ id: "1" })
        assert.deepStrictEqual(done, ["paid", "paid"])
      }).pipe(inProcess)
    }).pipe(Effect.provide(databaseAt(databaseUrl!)))
  )
})

it.skipIf(databaseUrl !== undefined)("Durable.purge is not tested: there is no DATABASE_URL", () => {})
