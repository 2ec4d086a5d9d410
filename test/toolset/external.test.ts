import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { CallDeferred, Toolset } from "effect-toolset"
import { approved, conflict, first, flaw, names, retry, tag } from "./asking.ts"

const browser = Toolset.external([
  {
    name: "get_language",
    description: "The language of the reader.",
    parameters: { type: "object", properties: { fallback: { type: "string" } }, required: ["fallback"] },
    returns: { type: "string" },
    metadata: { where: "browser" }
  },
  { name: "reload" }
])

describe("external", () => {
  it.effect("lists what it was given, as tools of kind external, without a budget of their own (P117)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Toolset.list(browser), [
        {
          name: "get_language",
          description: "The language of the reader.",
          parameters: {
            type: "object",
            properties: { fallback: { type: "string" } },
            required: ["fallback"]
          },
          returns: { type: "string" },
          kind: "external",
          sequential: false,
          metadata: { where: "browser" },
          annotations: Context.empty()
        },
        {
          name: "reload",
          description: undefined,
          parameters: { type: "object", properties: {}, additionalProperties: false },
          returns: undefined,
          kind: "external",
          sequential: false,
          metadata: {},
          annotations: Context.empty()
        }
      ])
    })
  )

  it.effect("stays external whatever kind somebody gives it (P117)", () =>
    Effect.gen(function* () {
      const given = { name: "t", kind: "function" as const, maxRetries: 3 }
      assert.strictEqual((yield* first(Toolset.external([given]))).kind, "external")
    })
  )

  it.effect("defers a call whose arguments its schema accepts (P115)", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Toolset.call(browser, "get_language", { fallback: "en" }))
      assert.instanceOf(error, CallDeferred)
      assert.isUndefined(error.metadata)
      assert.strictEqual(yield* tag(Toolset.call(browser, "reload", undefined)), "CallDeferred")
    })
  )

  it.effect("asks for a retry where its schema does not accept them, so that nobody is bothered (2.4)", () =>
    Effect.gen(function* () {
      const cases = [
        [{}, `Missing key\n  at ["fallback"]`],
        [{ fallback: 1 }, `Expected string\n  at ["fallback"]`],
        [[], "Expected object"],
        ["nonsense", "the text is not JSON"]
      ] as const
      for (const [args, problem] of cases) {
        assert.deepStrictEqual(yield* retry(Toolset.call(browser, "get_language", args)), [
          "arguments",
          `Invalid arguments: ${problem}`
        ])
      }
      assert.deepStrictEqual(yield* retry(Toolset.call(browser, "reload", { hard: true })), [
        "arguments",
        `Invalid arguments: Expected never\n  at ["hard"]`
      ])
    })
  )

  it.effect("defers an approved call too: a yes is no result (P118)", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* tag(approved(Toolset.call(browser, "reload", {}))), "CallDeferred")
    })
  )

  it.effect("stays external under approvalRequired, which asks first", () =>
    Effect.gen(function* () {
      const careful = browser.pipe(Toolset.approvalRequired())
      assert.strictEqual((yield* first(careful)).kind, "external")
      assert.strictEqual(yield* tag(Toolset.call(careful, "reload", {})), "ApprovalRequired")
      assert.strictEqual(yield* tag(approved(Toolset.call(careful, "reload", {}))), "CallDeferred")
    })
  )

  it.effect("of nothing lists nothing", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* names(Toolset.external([])), [])
    })
  )

  it.effect("cannot list one name twice", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* conflict(Toolset.list(Toolset.external([{ name: "a" }, { name: "a" }]))),
        {
          toolName: "a",
          sources: ["external(a)", "external(a)"]
        }
      )
    })
  )

  const rootless = [{ type: "string" }, { type: "array", items: {} }, { properties: {} }, {}]
  for (const parameters of rootless) {
    it.effect(`cannot take ${JSON.stringify(parameters)} as parameters: the root is no object`, () =>
      Effect.gen(function* () {
        const tools = Toolset.external([{ name: "fine" }, { name: "t", parameters }])
        assert.deepStrictEqual(yield* flaw(Toolset.list(tools)), {
          source: "external(t)",
          problem: `The root of its parameters is ${JSON.stringify(parameters)}.`,
          hint: `A model sends an object: the root says "type": "object".`
        })
      })
    )
  }
})
