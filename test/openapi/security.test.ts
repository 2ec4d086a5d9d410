/** Security schemes, filled from the configuration. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { definitionsOf, type Fields, operationOf, reasonsOf, schemes, secret, sent } from "./served.ts"

const secured = (security: unknown, root: unknown = undefined): Fields =>
  operationOf(security === undefined ? {} : { security }, {
    ...(root === undefined ? {} : { security: root }),
    components: { securitySchemes: schemes }
  })

describe("security", () => {
  const cases: ReadonlyArray<
    readonly [scheme: string, credential: OpenApiToolset.Credential, header: string]
  > = [
    ["basic", { username: "me", password: secret("pä:ss") }, `Basic ${btoa("me:p\u00c3\u00a4:ss")}`],
    ["basic", secret("me:pass"), `Basic ${btoa("me:pass")}`],
    ["bearer", secret("t"), "Bearer t"],
    ["oauth", secret("t"), "Bearer t"],
    ["openId", secret("t"), "Bearer t"],
    ["referred", secret("t"), "Bearer t"],
    ["header", secret("Token token=t"), "Token token=t"]
  ]
  for (const [scheme, credential, expected] of cases) {
    it.effect(`${scheme} is sent as ${expected}`, () =>
      Effect.gen(function* () {
        const { headers } = yield* sent(
          secured([{ [scheme]: [] }]),
          {},
          { security: { [scheme]: credential } }
        )
        assert.strictEqual(headers.authorization, expected)
      })
    )
  }

  it.effect("keys in queries and cookies, and no model ever sees their parameters", () =>
    Effect.gen(function* () {
      const document = operationOf(
        {
          security: [{ query: [], cookie: [] }],
          parameters: [
            { in: "query", name: "api key", required: true, schema: { type: "string" } },
            { in: "cookie", name: "sid", required: true, schema: { type: "string" } },
            { in: "query", name: "q", schema: { type: "string" } }
          ]
        },
        { components: { securitySchemes: schemes } }
      )
      const options = { security: { query: secret("k&k"), cookie: secret("c") }, cookies: { more: "m" } }
      const { headers, url } = yield* sent(document, { query: { q: "x y" } }, options)
      assert.strictEqual(new URL(url, "http://x").searchParams.get("api key"), "k&k")
      assert.strictEqual(new URL(url, "http://x").searchParams.get("q"), "x y")
      assert.strictEqual(headers.cookie, "sid=c; more=m")
      const { call } = yield* definitionsOf(document, options)
      assert.deepStrictEqual(Object.keys((call!.parameters.properties as Fields).query.properties), ["q"])
    })
  )

  it.effect("the operation's own requirements come before those of the document; none is none", () =>
    Effect.gen(function* () {
      const security = { bearer: secret("b"), oauth: secret("o") }
      const header = (document: Fields) =>
        Effect.map(sent(document, {}, { security }), ({ headers }) => headers.authorization)
      assert.strictEqual(yield* header(secured([{ oauth: [] }], [{ bearer: [] }])), "Bearer o")
      assert.strictEqual(yield* header(secured(undefined, [{ bearer: [] }])), "Bearer b")
      assert.isUndefined(yield* header(secured([], [{ bearer: [] }])))
      assert.isUndefined(yield* header(secured([{}])))
      assert.strictEqual(yield* header(secured([{}, { bearer: [] }])), "Bearer b")
      // A document that says nothing about security leaves it to the configuration.
      assert.strictEqual(yield* header(secured(undefined)), "Bearer o")
    })
  )

  it.effect("configured headers come before schemes", () =>
    Effect.gen(function* () {
      const options = { security: { bearer: secret("b") }, headers: { authorization: "mine" } }
      assert.strictEqual((yield* sent(secured([{ bearer: [] }]), {}, options)).headers.authorization, "mine")
    })
  )

  it.effect("a configured header or cookie fills a scheme", () =>
    Effect.gen(function* () {
      const document = secured([{ bearer: [], cookie: [] }])
      const given = { headers: { Authorization: "mine" }, cookies: { sid: "s" } }
      const { headers } = yield* sent(document, {}, given)
      assert.deepStrictEqual([headers.authorization, headers.cookie], ["mine", "sid=s"])
      assert.deepStrictEqual((yield* reasonsOf(document, given)).remarks, [])
      const { remarks } = yield* reasonsOf(document, { headers: given.headers })
      assert.deepStrictEqual(remarks, [
        "GET /call: it needs bearer and cookie, which `security` does not give"
      ])
    })
  )

  it.effect("what is needed and not given is in the report; what is optional is not", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        (yield* reasonsOf(secured([{ bearer: [] }, { query: [], cookie: [] }]))).remarks,
        ["GET /call: it needs bearer, or query and cookie, which `security` does not give"]
      )
      assert.deepStrictEqual((yield* reasonsOf(secured([{ bearer: [] }, {}]))).remarks, [])
    })
  )
})
