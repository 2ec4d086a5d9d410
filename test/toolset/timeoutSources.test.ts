/** A timeout bounds the tools of other sources as it does functions. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { FetchHttpClient } from "effect/http"
import { HttpApiEndpoint } from "effect/http-api"
import { Toolset } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { apiOf } from "../httpapi/only.ts"
import { only } from "../langchain/tools.ts"
import { operationOf } from "../openapi/served.ts"
import { recording } from "../rest/server.ts"
import { retry } from "./asking.ts"

const get = HttpApiEndpoint.get("x", "/call", { success: Schema.String }).annotate(HttpApiToolset.ToolMeta, {
  name: "call"
})

const sources = {
  HttpApiToolset: (baseUrl: string) => Effect.succeed(HttpApiToolset.make(apiOf(get), { baseUrl })),
  OpenApiToolset: (baseUrl: string) => OpenApiToolset.make(operationOf({}), { baseUrl })
}

describe("a timeout of tools from elsewhere", () => {
  for (const [name, source] of Object.entries(sources)) {
    it.live(`interrupts a request that nobody answers: ${name}`, () =>
      Effect.gen(function* () {
        const { baseUrl, seen } = yield* recording(() => "hang")
        const bounded = Toolset.timeout(yield* source(baseUrl), "1 second")
        const told = yield* retry(Toolset.call(bounded, "call", {}))
        assert.deepStrictEqual(told, ["timeout", "Timed out after 1 second."])
        assert.deepStrictEqual(
          seen.map(({ method, url }) => `${method} ${url}`),
          ["GET /call"]
        )
      }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
    )
  }

  it.effect("aborts the signal of a promise that never settles: LangChain.fromTools", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<AbortSignal>()
      const run = (_: unknown, { signal }: { signal: AbortSignal }) => {
        Deferred.doneUnsafe(begun, Effect.succeed(signal))
        return new Promise(() => {})
      }
      const fiber = yield* Effect.forkChild(
        retry(Toolset.call(Toolset.timeout(only(run), "1 second"), "t", {}))
      )
      const signal = yield* Deferred.await(begun)
      assert.isFalse(signal.aborted)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(fiber), ["timeout", "Timed out after 1 second."])
      assert.isTrue(signal.aborted)
    })
  )
})
