/** Calls of functions of ACI.dev. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schedule, Tracer } from "effect"
import { FetchHttpClient, HttpClientError } from "effect/http"
import { TestClock } from "effect/testing"
import {
  Agent,
  JsonSchemaValidator,
  ModelRetry,
  RunContext,
  ToolCall,
  ToolFailed,
  Toolset
} from "effect-toolset"
import * as Aci from "effect-toolset/Aci"
import { ScriptedModel, TestModel, ToolsetLaws } from "effect-toolset/testing"
import { inspect } from "node:util"
import { resultsIn, retry as retryText } from "../agent/answers.ts"
import { json, recording } from "../rest/server.ts"
import { retry } from "../toolset/asking.ts"
import { type AciFunction, apiKey, key, query, serving, toolset } from "./service.ts"

const overHttp = Effect.provide(FetchHttpClient.layer)

/** One function, `A`, which answers this. */
const answering = (run: AciFunction["run"]) => ({ A: { parameters: query, run } })
const good = { query: "x" }

/** A call of it. */
const called = <const Mode extends "retry" | "recover" | "fail" = "retry">(
  run: AciFunction["run"],
  options?: Partial<Aci.Options<Mode, never, never>>
) => Effect.flatMap(toolset(answering(run), options), ({ tools }) => Toolset.call(tools, "A", good))

describe("a call", () => {
  it.live("sends the arguments and the owner, with the key, and gives the data", () =>
    Effect.gen(function* () {
      const data = { results: ["a", { b: null }] }
      const { seen, tools } = yield* toolset(answering(() => ({ success: true, data, error: null })))
      assert.deepStrictEqual(yield* Toolset.call(tools, "A", good), data)
      const { body, headers, method, url } = seen.at(-1)!
      assert.deepStrictEqual([method, url, headers["x-api-key"]], ["POST", "/v1/functions/A/execute", key])
      assert.strictEqual(headers["content-type"], "application/json")
      assert.deepStrictEqual(JSON.parse(body), { function_input: good, linked_account_owner_id: "ada" })
    }).pipe(overHttp)
  )

  it.live("gives any JSON, and null for nothing", () =>
    Effect.gen(function* () {
      for (const data of [1, "text", false, [], null]) {
        assert.deepStrictEqual(yield* called(() => ({ success: true, data })), data)
      }
      assert.isNull(yield* called(() => ({ success: true })))
    }).pipe(overHttp)
  )

  it.live("with bad arguments is the model's to mend, and nothing is sent", () =>
    Effect.gen(function* () {
      const { seen, tools } = yield* toolset(answering(() => ({ success: true })))
      assert.deepStrictEqual(yield* retry(Toolset.call(tools, "A", {})), [
        "arguments",
        'Invalid arguments: Missing key\n  at ["query"]'
      ])
      for (const args of [{ query: 1 }, { ...good, more: 1 }, [], "x", null]) {
        assert.strictEqual((yield* retry(Toolset.call(tools, "A", args)))[0], "arguments")
      }
      const never: JsonSchemaValidator.Compile = () => () => Effect.succeed("no")
      const picky = Effect.provideService(JsonSchemaValidator.JsonSchemaValidator, never)
      assert.deepStrictEqual(yield* retry(picky(Toolset.call(tools, "A", good))), [
        "arguments",
        "Invalid arguments: no"
      ])
      assert.deepStrictEqual(
        seen.map(({ method }) => method),
        ["GET"]
      )
    }).pipe(overHttp)
  )

  it.live("may be on behalf of whoever the call is for", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* serving(answering((_, owner) => ({ success: true, data: owner })))
      const owner = Effect.gen(function* () {
        const { id } = yield* ToolCall
        const { step } = yield* RunContext
        return id === "direct" ? `user-${step}` : yield* Effect.fail("nobody" as const)
      })
      const tools = yield* Aci.make({ functions: ["A"], linkedAccountOwnerId: owner, apiKey, baseUrl })
      assert.strictEqual(yield* Toolset.call(tools, "A", good), "user-1")
      const agent = Agent.make({ toolsets: [tools] })
      assert.strictEqual(yield* Effect.flip(Agent.run(agent, { prompt: "Go." })), "nobody")
    }).pipe(overHttp, Effect.provide(ScriptedModel.layer([ScriptedModel.calls({ A: good })])))
  )
})

describe("a function that fails", () => {
  const failed = () => ({ success: false, data: { code: 7 }, error: "Quota used up." })

  it.live("does what the policy says", () =>
    Effect.gen(function* () {
      const message = "Quota used up."
      const details = { code: 7 }
      assert.deepStrictEqual(yield* Effect.flip(called(failed)), new ModelRetry({ message, reason: "body" }))
      assert.deepStrictEqual(
        yield* Effect.flip(called(failed, { onError: "recover" })),
        new ToolFailed({ message, details })
      )
      const echo = () => ({ success: false, data: [`sent ${key}`] })
      assert.deepStrictEqual(
        yield* Effect.flip(called(echo, { onError: "recover" })),
        new ToolFailed({ message: "The function failed.", details: ["sent ***"] })
      )
      const error = yield* Effect.flip(called(failed, { onError: "fail" }))
      assert.deepStrictEqual(
        error,
        new Aci.AciFunctionError({ functionName: "A", problem: message, details })
      )
      assert.strictEqual(error.message, "The ACI.dev function 'A' failed: Quota used up.")
    }).pipe(overHttp)
  )

  const errors: ReadonlyArray<[what: string, error: unknown, text: string]> = [
    ["nothing", undefined, "The function failed."],
    ["null", null, "The function failed."],
    ["blanks", " ", "The function failed."],
    ["an object", { code: 7 }, '{"code":7}'],
    ["the key", `bad key ${key}`, "bad key ***"],
    ["a stack", "Bad row.\n  at f (/srv/app.js:1:2)", "Bad row."]
  ]
  for (const [what, error, text] of errors) {
    it.live(`may say ${what}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* retry(called(() => ({ success: false, error }))), ["body", text])
      }).pipe(overHttp)
    )
  }
})

describe("a request that fails", () => {
  it.live("with a status that may be gone the next time, is the model's to try again", () =>
    Effect.gen(function* () {
      const busy = () => json({ error: "busy" }, 503, { "retry-after": "2" })
      assert.deepStrictEqual(yield* retry(called(busy)), [
        "body",
        'POST /functions/A/execute returned 503 (retry after 2 seconds): {"error":"busy"}'
      ])
      assert.instanceOf(yield* Effect.flip(called(busy, { onError: "recover" })), ToolFailed)
      assert.isTrue(HttpClientError.isHttpClientError(yield* Effect.flip(called(busy, { onError: "fail" }))))
      assert.instanceOf(yield* Effect.flip(called(busy, { retryOn: [] })), ToolFailed)
    }).pipe(overHttp)
  )

  it.live("with any other, is told to the model", () =>
    Effect.gen(function* () {
      for (const onError of ["retry", "recover", "fail"] as const) {
        const error = yield* Effect.flip(called(() => json({ error: "No linked account" }, 404), { onError }))
        assert.deepStrictEqual(
          error,
          new ToolFailed({
            message: 'POST /functions/A/execute returned 404: {"error":"No linked account"}'
          })
        )
      }
    }).pipe(overHttp)
  )

  it.live("is not sent again: the function may have run", () =>
    Effect.gen(function* () {
      const { seen, tools } = yield* toolset(
        answering(() => json({}, 503)),
        { schedule: Schedule.recurs(3) }
      )
      yield* Effect.flip(Toolset.call(tools, "A", good))
      yield* Effect.flip(Toolset.call(tools, "A", good))
      assert.lengthOf(
        seen.filter(({ method }) => method === "POST"),
        2
      )
    }).pipe(overHttp)
  )

  it.live("is one that is not answered as ACI.dev answers", () =>
    Effect.gen(function* () {
      for (const body of ["<html>", "{}", '{"success":"yes"}', "null"]) {
        const error = yield* Effect.flip(called(() => ({ status: 200, body })))
        assert.instanceOf(error, ToolFailed)
        assert.match(
          error.message,
          /^POST \/functions\/A\/execute returned 200, but not what the API declares/
        )
      }
      assert.match(
        String(yield* Effect.flip(called(() => "hang up" as never))),
        /got no answer: the connection failed/
      )
    }).pipe(overHttp)
  )

  it.effect("is bounded by a timeout", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const { baseUrl } = yield* recording(({ method }) => {
        if (method === "GET") return json({ function: { name: "A", parameters: query } })
        Deferred.doneUnsafe(arrived, Effect.void)
        return "hang"
      })
      const functions = { functions: ["A"], linkedAccountOwnerId: "ada", apiKey, baseUrl }
      const tools = yield* Aci.make({ ...functions, timeout: "1 second" })
      const fiber = yield* Effect.forkChild(Effect.flip(Toolset.call(tools, "A", good)))
      yield* Deferred.await(arrived)
      yield* TestClock.adjust("1 second")
      assert.match(String(yield* Fiber.join(fiber)), /no answer within 1 second/)
    }).pipe(overHttp)
  )

  it.live("does not follow redirects, and shows the key to nobody", () =>
    Effect.gen(function* () {
      const other = yield* recording(() => json({ success: true }))
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      for (const status of [302, 400, 503]) {
        for (const onError of ["retry", "recover", "fail"] as const) {
          const error = yield* called(
            (_input, _owner, seen) => ({
              status,
              headers: { location: other.baseUrl },
              body: JSON.stringify(seen)
            }),
            { onError }
          ).pipe(Effect.flip, Effect.withTracer(tracer))
          const shown = [String(error), inspect(error), JSON.stringify(error)].join()
          assert.notInclude(shown, key)
        }
      }
      assert.isAbove(spans.length, 0)
      assert.notInclude(JSON.stringify(spans.map((span) => [...span.attributes])), key)
      assert.lengthOf(other.seen, 0)
    }).pipe(overHttp)
  )
})

describe("an agent", () => {
  it.live("runs functions, and reads each of the outcomes", () =>
    Effect.gen(function* () {
      let calls = 0
      const { tools } = yield* toolset(
        answering(({ query }) =>
          ++calls === 1 ? { success: false, error: "Too vague." } : { success: true, data: [query] }
        )
      )
      const agent = Agent.make({ toolsets: [Toolset.prefixed(tools, "aci")] })
      const { messages } = yield* Agent.run(agent, { prompt: "Look." })
      assert.deepStrictEqual(resultsIn(messages), [
        ["aci_A", retryText("Too vague.")],
        ["aci_A", ["effect"]]
      ])
    }).pipe(
      overHttp,
      Effect.provide(
        ScriptedModel.layer([
          ScriptedModel.calls({ aci_A: { query: "e" } }),
          ScriptedModel.calls({ aci_A: { query: "effect" } }),
          ScriptedModel.text("Found.")
        ])
      )
    )
  )

  it.live("keeps the laws of toolsets, and calls whatever there is", () =>
    Effect.gen(function* () {
      const { tools } = yield* toolset(answering(() => ({ success: true, data: 7 })))
      yield* ToolsetLaws.check(tools, { calls: { A: good } })
      const { output } = yield* Agent.run(Agent.make({ toolsets: [tools] }), { prompt: "Go." })
      assert.strictEqual(output, '{"A":7}')
    }).pipe(overHttp, Effect.provide(TestModel.layer()))
  )
})
