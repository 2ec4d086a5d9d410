/** What cannot be a tool of a toolset. */
import { assert, describe, it } from "@effect/vitest"
import { jsonSchema } from "ai"
import { type } from "arktype"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import * as v from "valibot"
import * as z from "zod"
import { flaw } from "../toolset/asking.ts"
import { tools } from "./tools.ts"

const only = (fields: object) => tools({ execute: async () => "done", ...fields })

describe("what cannot be a tool", () => {
  it.effect("is what the model's provider defines", () =>
    Effect.gen(function* () {
      for (const isProviderExecuted of [true, false]) {
        const search = only({ type: "provider", id: "openai.web_search", args: {}, isProviderExecuted })
        assert.deepStrictEqual(yield* flaw(Toolset.list(search)), {
          source: "aiSdk(t)",
          problem: "The tool is defined by the model's provider, as 'openai.web_search'.",
          hint: "Leave it out; give it to the model itself."
        })
      }
    })
  )

  const rootless: ReadonlyArray<[what: string, schema: unknown]> = [
    ["a text of zod", z.string()],
    ["a list of ArkType", type("string[]")],
    ["a number of jsonSchema", jsonSchema({ type: "number" })],
    ["anything", jsonSchema({})]
  ]
  for (const [what, schema] of rootless) {
    it.effect(`is what takes no object: ${what}`, () =>
      Effect.gen(function* () {
        const { hint, problem, source } = yield* flaw(Toolset.list(only({ inputSchema: schema })))
        assert.strictEqual(source, "aiSdk(t)")
        assert.match(problem, /^The root of its parameters is /)
        assert.strictEqual(hint, `A model sends an object: the root says "type": "object".`)
      })
    )
  }

  const unprintable: ReadonlyArray<[what: string, schema: unknown, problem: RegExp]> = [
    ["a date of zod", z.object({ at: z.date() }), /Date cannot be represented/],
    ["valibot without its converter", v.object({ a: v.string() }), /'valibot' does not support JSON Schema/],
    ["a promise that is rejected", jsonSchema(async () => Promise.reject(new Error("offline"))), /offline/],
    [
      "a schema that is none",
      jsonSchema({ type: "object", default: () => 1 } as never),
      /could not be cloned/
    ]
  ]
  for (const [what, schema, problem] of unprintable) {
    it.effect(`is what has no JSON form: ${what}`, () =>
      Effect.gen(function* () {
        const found = yield* flaw(Toolset.list(only({ inputSchema: schema })))
        assert.match(found.problem, /^Its `inputSchema` cannot be printed as JSON Schema: /)
        assert.match(found.problem, problem)
      })
    )
  }
})
