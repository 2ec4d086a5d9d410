/** Header parameters: what the model is asked for, and what never. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { asked, brokenValues, neverAsked } from "../rest/neverAsked.ts"
import {
  anywhere,
  definitionsOf,
  type Fields,
  operationOf,
  reasonsOf,
  refused,
  secret,
  sent
} from "./served.ts"

const header = (name: string, required = false): Fields => ({
  in: "header",
  name,
  required,
  schema: { type: "string" }
})

const document = (names: ReadonlyArray<string>, required = false): Fields =>
  operationOf({ parameters: names.map((name) => header(name, required)) })

describe("header parameters", () => {
  it.effect("are offered but for credentials and what frames or routes a request", () =>
    Effect.gen(function* () {
      const { call } = yield* definitionsOf(document([...neverAsked, ...asked]), { headerParams: true })
      const { headers } = call!.parameters.properties as Fields
      assert.deepStrictEqual(Object.keys(headers.properties), asked)
      const { call: none } = yield* definitionsOf(document(neverAsked), { headerParams: true })
      assert.deepStrictEqual(none!.parameters.properties, {})
    })
  )

  it.effect("that no model may fill in cannot be named, nor those of a security scheme", () =>
    Effect.gen(function* () {
      const scheme = { type: "apiKey", in: "header", name: "X-Tenant" }
      const secured = { ...document(asked), components: { securitySchemes: { scheme } } }
      for (const name of [...neverAsked, "x-tenant"]) {
        const error = yield* Effect.flip(
          OpenApiToolset.report(secured, { ...anywhere, headerParams: ["If-Match", name] })
        )
        assert.strictEqual(error._tag, "ToolsetDefinitionError")
        assert.include(error.message, `'${name}', which no model may fill in`)
      }
    })
  )

  it.effect("that are needed cost the operation, but for those that clients send anyway", () =>
    Effect.gen(function* () {
      for (const name of ["X-Api-Key", "Cookie", "X-Forwarded-For", "Referer"]) {
        const { skipped } = yield* reasonsOf(document([name], true), { headerParams: true })
        assert.deepStrictEqual(skipped, [`GET /call: it needs the header '${name}': give it in \`headers\``])
        const { headers } = yield* sent(document([name], true), {}, { headers: { [name]: secret("given") } })
        assert.strictEqual(headers[name.toLowerCase()], "given")
      }
      for (const name of ["Host", "Content-Length", "Connection", "Accept", "Authorization"]) {
        assert.deepStrictEqual((yield* reasonsOf(document([name], true), { headerParams: true })).skipped, [])
      }
    })
  )

  it.effect("cannot break out of their line", () =>
    Effect.gen(function* () {
      const loose = operationOf({ parameters: [{ in: "header", name: "X-A", schema: {} }] })
      for (const value of brokenValues) {
        for (const shape of [value, [value], { [value]: 1 }, { a: value }]) {
          const args = { headers: { "X-A": shape } }
          const { message, requests, tag } = yield* refused(loose, args, { headerParams: true })
          assert.deepStrictEqual([requests, tag], [0, "ModelRetry"])
          assert.match(message, /headers\.X-A (has characters that no header can have|is not well-formed)/)
        }
      }
    })
  )

  it.effect("and cookies have names that can be sent, or cost the operation", () =>
    Effect.gen(function* () {
      for (const place of ["header", "cookie"]) {
        for (const name of ["", "a b", "a\r\nx: y", "a:b", "é", "a;b"]) {
          const { skipped } = yield* reasonsOf(operationOf({ parameters: [{ in: place, name, schema: {} }] }))
          assert.strictEqual(skipped.length, 1)
          assert.include(
            skipped[0],
            `a parameter has the place "${place}" and the name ${JSON.stringify(name)}`
          )
        }
      }
    })
  )
})
