/** What a document may be, and what is said where it is none. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { anywhere, definitionsOf, documentOf } from "./served.ts"

const names = (document: unknown) => Effect.map(definitionsOf(document), (tools) => Object.keys(tools))

const error = (document: unknown, options: OpenApiToolset.Options = {}) =>
  Effect.flip(OpenApiToolset.make(document, { ...anywhere, ...options }))

const document = documentOf({ "/a": { get: { operationId: "a" } } })

describe("reading a document", () => {
  it.effect("a value, and text of JSON or YAML, of 3.0, 3.1 and what comes after", () =>
    Effect.gen(function* () {
      const json = JSON.stringify(document)
      const yaml = "openapi: 3.0.3\npaths:\n  /a:\n    get:\n      operationId: a\n"
      for (const given of [
        document,
        json,
        `\uFEFF${json}`,
        ` \n${json}`,
        yaml,
        `\uFEFF${yaml}`,
        `%YAML 1.2\n---\n${yaml}`
      ]) {
        assert.deepStrictEqual(yield* names(given), ["a"])
      }
      for (const openapi of ["3.0.0", "3.0", "3.1.2", "3.2.0"]) {
        assert.deepStrictEqual(yield* names({ ...document, openapi }), ["a"])
      }
      assert.deepStrictEqual(yield* names({ openapi: "3.1.0", webhooks: {} }), [])
    })
  )

  it.effect(
    "YAML: merge keys, flow style that is no JSON, dates that stay text, statuses that are numbers",
    () =>
      Effect.gen(function* () {
        const text = `
openapi: 3.1.0
x-base: &base { operationId: a, summary: 2024-01-02 }
paths:
  /a:
    get:
      <<: *base
      responses: { 200: { content: { application/json: { schema: { type: boolean } } } } }
  /b: { get: {operationId: b,}, }
`
        const tools = yield* definitionsOf(text)
        assert.deepStrictEqual(Object.keys(tools), ["a", "b"])
        assert.strictEqual(tools.a!.description, "2024-01-02")
        assert.deepStrictEqual(tools.a!.returns, { type: "boolean" })
        assert.deepStrictEqual(yield* names(`{openapi: 3.1.0, paths: {/a: {get: {operationId: a}}},}`), ["a"])
      })
  )

  const roots: ReadonlyArray<readonly [unknown, string, RegExp]> = [
    [null, "#", /no object/],
    [[], "#", /no object/],
    ["", "#", /no object|neither JSON nor YAML/],
    ["just text", "#", /no object/],
    [{ swagger: "2.0", paths: {} }, "#/swagger", /OpenAPI 2 .*Convert it/],
    [{ paths: {} }, "#/openapi", /does not say its version/],
    [{ openapi: "4.0.0", paths: {} }, "#/openapi", /says version "4\.0\.0"/],
    [{ openapi: 3.1, paths: {} }, "#/openapi", /says version 3\.1/],
    [{ openapi: "3.0.0" }, "#/paths", /no object/],
    [{ openapi: "3.1.0", paths: [] }, "#/paths", /no object/],
    ["https://example.com/openapi.json", "#", /Fetch it first/],
    ["a: b: c", "#", /neither JSON nor YAML/],
    [`{"openapi": "3.1.0", "paths": {`, "#", /neither JSON nor YAML/],
    ["a: 1\na: 2", "#", /neither JSON nor YAML/],
    ["a: !!js/function x", "#", /neither JSON nor YAML/],
    ["[".repeat(100_000), "#", /neither JSON nor YAML/],
    [`${"[".repeat(100_000)}${"]".repeat(100_000)}`, "#", /no object|neither/]
  ]
  for (const [given, pointer, problem] of roots) {
    it.effect(`${JSON.stringify(given).slice(0, 50)} is refused at ${pointer}`, () =>
      Effect.gen(function* () {
        const failure = yield* error(given)
        assert.instanceOf(failure, OpenApiToolset.OpenApiError)
        if (failure._tag !== "OpenApiError") return
        assert.strictEqual(failure.pointer, pointer)
        assert.match(failure.message, problem)
        assert.notMatch(failure.message, /\n\s+at /)
      })
    )
  }

  it.effect("aliases that unfold into millions of nodes cost one operation, and no time", () =>
    Effect.gen(function* () {
      const level = (i: number): string =>
        `x${i}: &x${i} { type: object, properties: {${Array.from({ length: 9 }, (_, k) => `p${k}: *x${i - 1}`).join(", ")}} }`
      const levels = Array.from({ length: 9 }, (_, i) => level(i + 1)).join("\n")
      const body = (schema: string) =>
        `{ requestBody: { content: { application/json: { schema: ${schema} } } } }`
      const report = yield* OpenApiToolset.report(
        `
openapi: 3.1.0
x0: &x0 { type: string }
${levels}
paths:
  /a: { post: ${body("*x9")} }
  /b: { post: ${body("{ type: object, default: *x9, enum: [*x9] }")} }
`,
        anywhere
      )
      assert.deepStrictEqual(
        report.skipped.map(({ path, reason }) => [path, reason]),
        [["/a", "the schema is too large"]]
      )
      assert.deepStrictEqual(report.tools[0]!.parameters.properties, { request_body: { type: "object" } })
    })
  )

  it.effect("values that contain themselves cost one operation", () =>
    Effect.gen(function* () {
      const schema: Record<string, unknown> = { type: "object" }
      schema.properties = { again: schema }
      schema.default = schema
      const cyclic = documentOf({
        "/a": { post: { requestBody: { content: { "application/json": { schema } } } } },
        "/b": { get: { operationId: "b" } }
      })
      const report = yield* OpenApiToolset.report(cyclic, anywhere)
      assert.deepStrictEqual(
        report.skipped.map(({ reason }) => reason),
        ["the schema is too large"]
      )
      assert.deepStrictEqual(
        report.tools.map(({ name }) => name),
        ["b"]
      )
    })
  )

  it.effect("references out of the document, to themselves and to nothing cost one operation each", () =>
    Effect.gen(function* () {
      const post = (schema: unknown) => ({
        post: { requestBody: { content: { "application/json": { schema } } } }
      })
      const report = yield* OpenApiToolset.report(
        documentOf(
          {
            "/file": post({ $ref: "file:///etc/passwd" }),
            "/url": post({ type: "array", items: { $ref: "https://example.com/a.json#/b" } }),
            "/nothing": post({ $ref: "#/components/schemas/Nothing" }),
            "/anchor": post({ $ref: "#pet" }),
            "/circle": post({ $ref: "#/components/schemas/A" }),
            "/parameter": { get: { parameters: [{ $ref: "#/components/parameters/none" }] } },
            "/item": { $ref: "#/paths/~1none" },
            "/fine": post({ type: "object" })
          },
          {
            components: {
              schemas: { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } }
            }
          }
        ),
        anywhere
      )
      assert.deepStrictEqual(
        report.skipped.map(({ method, path, reason }) => [`${method} ${path}`, reason]).toSorted(),
        [
          ["* /item", "$ref #/paths/~1none points to nothing"],
          ["GET /parameter", "$ref #/components/parameters/none points to nothing"],
          ["POST /anchor", "$ref #pet is no JSON pointer"],
          ["POST /circle", "$ref #/components/schemas/A refers to itself"],
          ["POST /file", "$ref file:///etc/passwd leads out of the document: bundle the document first"],
          ["POST /nothing", "$ref #/components/schemas/Nothing points to nothing"],
          [
            "POST /url",
            "$ref https://example.com/a.json#/b leads out of the document: bundle the document first"
          ]
        ]
      )
      assert.deepStrictEqual(
        report.tools.map(({ name }) => name),
        ["post_fine"]
      )
    })
  )
})
