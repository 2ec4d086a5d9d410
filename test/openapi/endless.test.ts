/** Values that have no end, or have holes: they cost the operation that they are in, and say so in few words. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { anywhere, documentOf, type Fields, operationOf, reasonsOf } from "./served.ts"

const endless: Fields & { self?: unknown } = {}
endless.self = endless

/** As aliases of YAML make it: few objects, and more paths through them than anybody can walk. */
const manifold = Array.from({ length: 300 }).reduce<unknown>((inside) => [inside, inside], "x")

describe("values without end", () => {
  for (const [what, value] of [
    ["an object", endless],
    ["a list", manifold]
  ] as const) {
    it.effect(`${what} in place of a text is told in words`, () =>
      Effect.gen(function* () {
        const { skipped } = yield* reasonsOf(operationOf({ parameters: [{ in: value, name: value }] }))
        assert.deepStrictEqual(skipped, [`GET /call: a parameter has the place ${what} and the name ${what}`])
        const error = yield* Effect.flip(OpenApiToolset.make({ openapi: value, paths: {} }))
        assert.include(error.message, `says version ${what}`)
        const server = { url: "https://{v}.test", variables: { v: { default: "a", enum: [value] } } }
        yield* OpenApiToolset.make(documentOf({}, { servers: [server] }), {
          ...anywhere,
          serverVariables: { v: "b" }
        })
      })
    )
  }

  it.effect("a list with holes has nothing there", () =>
    Effect.gen(function* () {
      const parameters: Array<unknown> = []
      parameters[2] = { in: "query", name: "q", schema: {} }
      const { skipped } = yield* reasonsOf(operationOf({ parameters }))
      assert.deepStrictEqual(skipped, ["GET /call: the parameter is no object"])
    })
  )
})
