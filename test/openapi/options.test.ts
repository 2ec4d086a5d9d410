/** Configuration: servers, and what is selected; and what no configuration can be. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import {
  anywhere,
  definitionsOf,
  documentOf,
  type Fields,
  operationOf,
  schemes,
  secret,
  sent
} from "./served.ts"

describe("servers", () => {
  const url = (document: Fields, options: OpenApiToolset.Options = {}) =>
    Effect.map(OpenApiToolset.report(document, options), ({ remarks, skipped }) => [
      ...skipped.map(({ reason }) => reason),
      ...remarks.map(({ reason }) => /do not go to (\S+): /.exec(reason)?.[1] ?? reason)
    ])
  // A credential shows, in the report, that an operation's host is another one.
  const credential = { headers: { authorization: "x" } }
  const server = (url: string) => [{ url }]

  it.effect("the operation's come before those of its path, and those before the document's", () =>
    Effect.gen(function* () {
      const document = (own: Fields, item: Fields): Fields =>
        documentOf({ "/a": { ...item, get: { ...own } } }, { servers: server("https://root.example.com") })
      assert.deepStrictEqual(yield* url(document({}, {}), credential), [])
      assert.deepStrictEqual(
        yield* url(document({}, { servers: server("https://path.example.com/x") }), credential),
        ["https://path.example.com"]
      )
      const both = document(
        { servers: server("https://own.example.com") },
        { servers: server("https://path.example.com") }
      )
      assert.deepStrictEqual(yield* url(both, credential), ["https://own.example.com"])
      assert.deepStrictEqual(yield* url(both, { ...credential, baseUrl: "https://mine.example.com" }), [])
      assert.deepStrictEqual(yield* url(both, { ...credential, trustedHosts: ["own.example.com"] }), [])
      const other = document({ servers: server("http://root.example.com") }, {})
      assert.deepStrictEqual(yield* url(other, credential), ["http://root.example.com"])
    })
  )

  it.effect("relative ones, and those that nothing can be appended to, need a base URL", () =>
    Effect.gen(function* () {
      for (const servers of [
        undefined,
        [],
        server("/v1"),
        server("//x/y"),
        server("ftp://x"),
        server("https://x?a"),
        server("https://{x}.y"),
        [5],
        [{ url: 5 }]
      ]) {
        const document = operationOf({}, { servers })
        const error = yield* Effect.flip(OpenApiToolset.make(document))
        assert.strictEqual(error._tag, "OpenApiError")
        assert.match(error.message, /`baseUrl`/)
        yield* OpenApiToolset.make(document, anywhere)
      }
    })
  )

  it.effect("paths are appended to them, whatever their end", () =>
    Effect.gen(function* () {
      for (const [end, expected] of [
        ["", "/api/call"],
        ["/", "/api/call"],
        ["//", "/api/call"]
      ] as const) {
        const { url } = yield* sent(operationOf({}), {}, {})
        assert.strictEqual(url, expected)
        const { remarks } = yield* OpenApiToolset.report(operationOf({}), {
          baseUrl: `http://localhost${end}`
        })
        assert.deepStrictEqual(remarks, [])
      }
    })
  )
})

describe("cookies", () => {
  it.effect("a required one that nobody gives costs the operation, whatever it is called", () =>
    Effect.gen(function* () {
      const cookie = (name: string): Fields => ({
        in: "cookie",
        name,
        required: true,
        schema: { type: "string" }
      })
      for (const name of ["session", "constructor"]) {
        const document = operationOf({ parameters: [cookie(name)] })
        const { skipped } = yield* OpenApiToolset.report(document, anywhere)
        assert.deepStrictEqual(
          skipped.map(({ reason }) => reason),
          [`it needs the cookie '${name}': give it in \`cookies\``]
        )
        const { headers } = yield* sent(document, {}, { cookies: { [name]: "s" } })
        assert.strictEqual(headers.cookie, `${name}=s`)
      }
    })
  )
})

describe("what no configuration can be", () => {
  const document = documentOf(
    { "/a": { get: { tags: ["one"] }, put: { tags: ["one"] } }, "/b": { get: { tags: ["two"] } } },
    {
      servers: [
        { url: "https://{region}.example.com", variables: { region: { default: "eu", enum: ["eu", "us"] } } }
      ],
      components: { securitySchemes: schemes }
    }
  )
  const cases: ReadonlyArray<readonly [what: string, options: OpenApiToolset.Options, problem: RegExp]> = [
    ["a scheme", { security: { nobody: secret("x") } }, /'nobody'.*There are: 'basic', 'bearer'/],
    ["a scheme that nothing is sent for", { security: { mutual: secret("x") } }, /'mutual'/],
    ["a variable", { serverVariables: { zone: "x" } }, /'zone'.*There are: 'region'/],
    ["a value of a variable", { serverVariables: { region: "mars" } }, /'mars'.*There are: 'eu', 'us'/],
    ["a group", { include: ["three"] }, /group 'three'.*There are: 'one', 'two'/],
    ["a method of a group", { include: { two: ["PUT"] } }, /method 'PUT' of 'two'.*There are: 'GET'/],
    ["a path of a method", { exclude: { one: { get: ["/b"] } } }, /path '\/b'.*There are: '\/a'/],
    ["a base URL", { baseUrl: "example.com" }, /baseUrl/],
    ["retries", { maxRetries: -1 }, /-1/],
    ["items", { maxItems: 1.5 }, /1\.5/]
  ]
  for (const [what, options, problem] of cases) {
    it.effect(`${what} that is not there is refused, with what there is`, () =>
      Effect.gen(function* () {
        for (const effect of [
          OpenApiToolset.make(document, options),
          OpenApiToolset.report(document, options)
        ]) {
          const error = yield* Effect.flip(effect as Effect.Effect<unknown, OpenApiToolset.OpenApiError>)
          assert.strictEqual(error._tag as string, "ToolsetDefinitionError")
          assert.match(error.message, problem)
          assert.match(error.message, /^openapi-test: /)
        }
      })
    )
  }
})

describe("selection, id and retries", () => {
  const document = documentOf({
    "/a": {
      get: { operationId: "a", tags: ["one", "two"] },
      put: { operationId: "b", tags: ["two"], deprecated: true }
    },
    "/c/{id}": { get: { operationId: "c" } }
  })
  const names = (options: OpenApiToolset.Options) => Effect.map(definitionsOf(document, options), Object.keys)

  it.effect("by group, method and path, or by a predicate; exclude after include", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* names({ include: ["two"] }), ["b"])
      assert.deepStrictEqual(yield* names({ include: ["c", "one"] }), ["a", "c"])
      assert.deepStrictEqual(yield* names({ include: { c: { get: ["/c/{id}"] } } }), ["c"])
      assert.deepStrictEqual(yield* names({ include: [] }), [])
      assert.deepStrictEqual(yield* names({ exclude: { one: ["GET"] } }), ["b", "c"])
      assert.deepStrictEqual(
        yield* names({
          include: ({ operationId }) => operationId !== "a",
          exclude: ({ deprecated }) => deprecated
        }),
        ["c"]
      )
    })
  )

  it.effect("metadata is the operation, the id comes from the title, retries are the toolset's", () =>
    Effect.gen(function* () {
      const { b } = yield* definitionsOf(document, { maxRetries: 3 })
      assert.deepStrictEqual(b!.metadata, {
        operationId: "b",
        method: "PUT",
        path: "/a",
        tags: ["two"],
        group: "two",
        deprecated: true
      })
      assert.strictEqual(b!.maxRetries, 3)
      const made = (info: unknown, options: OpenApiToolset.Options = {}) =>
        Effect.map(OpenApiToolset.make({ ...document, info }, { ...anywhere, ...options }), ({ id }) => id)
      assert.strictEqual(yield* made({ title: "The Pet Store!" }), "openapi-the-pet-store")
      assert.strictEqual(yield* made({ title: 5 }), "openapi")
      assert.strictEqual(yield* made({}, { id: "pets" }), "pets")
    })
  )

  it.effect("filtering afterwards is the same, and nothing is opened for it", () =>
    Effect.gen(function* () {
      const toolset = yield* OpenApiToolset.make(document, anywhere)
      const reading = Toolset.filtered(toolset, (tool) => tool.metadata.method === "GET")
      assert.strictEqual(Toolset.describe(reading).includes("openapi-test"), true)
    })
  )
})
