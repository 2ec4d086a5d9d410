/** Requests that are sent again, without a turn of the model. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber, Schedule } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { RequestFailure } from "../../src/rest/failure.ts"
import { retrying } from "../../src/rest/retrying.ts"
import { asking, real } from "./asking.ts"

describe("a schedule", () => {
  const thrice = { schedule: Schedule.recurs(2) }

  real("sends transient failures again, and gives the first success", () =>
    Effect.gen(function* () {
      const { asked, seen } = yield* asking(
        (_seen, index) => (index === 0 ? { status: 503 } : index === 1 ? "hang up" : { body: "third" }),
        thrice
      )
      assert.strictEqual(yield* asked, "third")
      assert.strictEqual(seen.length, 3)
    })
  )

  real("that is used up leaves the last failure to the policy", () =>
    Effect.gen(function* () {
      const { asked, seen } = yield* asking(
        (_seen, index) => ({ status: 503, body: `attempt ${index}` }),
        thrice
      )
      assert.strictEqual(
        String(yield* Effect.flip(asked)),
        "ModelRetry: GET /users/:id returned 503: attempt 2"
      )
      assert.strictEqual(seen.length, 3)
    })
  )

  real("is for idempotent methods only", () =>
    Effect.gen(function* () {
      const counted: Record<string, number> = {}
      for (const method of ["GET", "PUT", "DELETE", "POST", "PATCH"] as const) {
        const { asked, seen } = yield* asking(() => ({ status: 503 }), thrice, method)
        yield* Effect.flip(asked)
        counted[method] = seen.length
      }
      assert.deepStrictEqual(counted, { GET: 3, PUT: 3, DELETE: 3, POST: 1, PATCH: 1 })
    })
  )

  real("is for what may be gone the next time: not for other statuses, nor for a bad success", () =>
    Effect.gen(function* () {
      for (const answer of [{ status: 404 }, { status: 500 }, { body: "bad" }]) {
        const { asked, seen } = yield* asking(() => answer, { ...thrice, retryOn: [503] })
        yield* Effect.flip(asked)
        assert.strictEqual(seen.length, 1)
      }
    })
  )

  real("works on the same request: what a transform adds is added to each", () =>
    Effect.gen(function* () {
      let count = 0
      const { asked, seen } = yield* asking(() => ({ status: 503 }), {
        ...thrice,
        transformClient: HttpClient.mapRequest((request) =>
          HttpClientRequest.setHeader(request, "x-attempt", String(++count))
        )
      })
      yield* Effect.flip(asked)
      assert.deepStrictEqual(
        seen.map(({ headers }) => headers["x-attempt"]),
        ["1", "2", "3"]
      )
    })
  )
})

describe("the wait between attempts", () => {
  const failure = (retryAfter: Duration.Input | undefined, isTransient = true) =>
    new RequestFailure({
      endpoint: { method: "GET", path: "/x" },
      reason: "status",
      status: 503,
      isTransient,
      message: "GET /x returned 503.",
      retryAfter: retryAfter === undefined ? undefined : Duration.fromInputUnsafe(retryAfter),
      error: new HttpClientError.HttpClientError({
        reason: new HttpClientError.TransportError({ request: HttpClientRequest.get("/x") })
      })
    })

  /** When each attempt starts, in seconds. */
  const startsOf = (schedule: Schedule.Schedule<unknown>, failures: ReadonlyArray<RequestFailure>) =>
    Effect.gen(function* () {
      const starts: Array<number> = []
      const begin = yield* Clock.currentTimeMillis
      const attempt = Effect.gen(function* () {
        starts.push(((yield* Clock.currentTimeMillis) - begin) / 1000)
        return yield* Effect.fail(failures[starts.length - 1] ?? failure(undefined, false))
      })
      const fiber = yield* Effect.forkChild(Effect.flip(retrying(schedule)(attempt)))
      yield* TestClock.adjust("1 day")
      yield* Fiber.join(fiber)
      return starts
    })

  it.effect("is what the schedule says, or what the server asks for if that is longer", () =>
    Effect.gen(function* () {
      const spaced = Schedule.spaced("2 seconds")
      assert.deepStrictEqual(yield* startsOf(spaced, [failure(undefined), failure(undefined)]), [0, 2, 4])
      assert.deepStrictEqual(yield* startsOf(spaced, [failure("5 seconds"), failure("1 second")]), [0, 5, 7])
      assert.deepStrictEqual(yield* startsOf(spaced, [failure(0)]), [0, 2])
      assert.deepStrictEqual(
        yield* startsOf(Schedule.exponential("1 second"), [
          failure(undefined),
          failure("60 seconds"),
          failure(undefined)
        ]),
        [0, 1, 61, 65]
      )
    })
  )

  it.effect("is not one that a run cannot afford: over a minute the failure goes on at once", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* startsOf(Schedule.forever, [failure("61 seconds"), failure(0)]), [0])
      assert.deepStrictEqual(
        yield* startsOf(Schedule.forever, [failure("60 seconds"), failure("2 hours")]),
        [0, 60]
      )
    })
  )

  it.effect("ends with the schedule, and never starts for what is not transient", () =>
    Effect.gen(function* () {
      const five = Array.from({ length: 5 }, () => failure(undefined))
      assert.deepStrictEqual(yield* startsOf(Schedule.recurs(2), five), [0, 0, 0])
      assert.deepStrictEqual(yield* startsOf(Schedule.recurs(0), five), [0])
      assert.deepStrictEqual(yield* startsOf(Schedule.forever, [failure("1 second", false)]), [0])
    })
  )

  it.effect("is not for failures of another kind", () =>
    Effect.gen(function* () {
      let count = 0
      const attempt = Effect.suspend(() => Effect.fail(++count))
      assert.strictEqual(yield* Effect.flip(retrying(Schedule.forever)(attempt)), 1)
    })
  )
})
