/** How much is looked at: about as much as there is, however it hangs together. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { anywhere, documentOf, type Fields } from "./served.ts"

const ref = (name: string): Fields => ({ $ref: `#/components/schemas/${name}` })

const operationsOf = (count: number, schemaOf: (i: number) => Fields): Fields =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `/p${i}`,
      {
        post: {
          operationId: `p${i}`,
          parameters: [{ in: "query", name: "q", schema: schemaOf(i) }],
          requestBody: { content: { "application/json": { schema: schemaOf(i) } } },
          responses: { 200: { content: { "application/json": { schema: schemaOf(i) } } } }
        }
      }
    ])
  )

const schemasOf = (count: number, schemaOf: (i: number) => Fields): Fields =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`S${i}`, schemaOf(i)]))

/** Documents of which the parts hang together in another way each. */
const shapes: Readonly<Record<string, (n: number) => Fields>> = {
  "a chain of references to references": (n) =>
    documentOf(
      operationsOf(n, (i) => ref(`S${i}`)),
      {
        components: { schemas: schemasOf(n, (i) => (i === n - 1 ? { type: "string" } : ref(`S${i + 1}`))) }
      }
    ),
  "a chain of references to nothing": (n) =>
    documentOf(
      operationsOf(n, (i) => ref(`S${i}`)),
      {
        components: { schemas: schemasOf(n, (i) => ref(`S${i + 1}`)) }
      }
    ),
  "a ring of references": (n) =>
    documentOf(
      operationsOf(n, (i) => ref(`S${i}`)),
      {
        components: { schemas: schemasOf(n, (i) => ref(`S${(i + 1) % n}`)) }
      }
    ),
  "a ring of schemas": (n) =>
    documentOf(
      operationsOf(n, (i) => ref(`S${i}`)),
      {
        components: {
          schemas: schemasOf(n, (i) => ({ type: "object", properties: { next: ref(`S${(i + 1) % n}`) } }))
        }
      }
    ),
  "a ring of schemas with a fault in it": (n) =>
    documentOf(
      operationsOf(n, (i) => ref(`S${i}`)),
      {
        components: {
          schemas: schemasOf(n, (i) => ({
            type: "object",
            properties: {
              next: ref(i === 7 ? "Nothing" : `S${(i + 1) % n}`),
              back: ref(`S${(i + n - 1) % n}`)
            }
          }))
        }
      }
    ),
  "one schema that all hold": (n) =>
    documentOf(
      operationsOf(n, (i) => ref(`S${i}`)),
      {
        components: {
          schemas: schemasOf(n, (i) => (i === 0 ? { type: "string" } : { type: "array", items: ref("S0") }))
        }
      }
    ),
  "names that are alike": (n) =>
    documentOf(
      operationsOf(n, (i) => ref(`${"x".repeat(i)}/${"y".repeat(70)}`.replace("/", "~1"))),
      {
        components: {
          schemas: Object.fromEntries(
            Array.from({ length: n }, (_, i) => [`${"x".repeat(i)}/${"y".repeat(70)}`, { type: "string" }])
          )
        }
      }
    ),
  "parameters that are references": (n) =>
    documentOf(
      operationsOf(n, () => ({})),
      {
        components: {
          parameters: Object.fromEntries(
            Array.from({ length: n }, (_, i) => [`P${i}`, { $ref: `#/components/parameters/P${i + 1}` }])
          )
        }
      }
    )
}

/** A document that counts how often something of its components is looked up. */
const counting = (document: Fields) => {
  let lookUps = 0
  const handler: ProxyHandler<object> = {
    get: (target, key) => {
      lookUps++
      const value: unknown = Reflect.get(target, key)
      return typeof value === "object" && value !== null ? watched(value) : value
    }
  }
  const known = new WeakMap<object, object>()
  const watched = (value: object): object => {
    const before = known.get(value)
    if (before !== undefined) return before
    const proxy = new Proxy(value, handler)
    known.set(value, proxy)
    return proxy
  }
  const components: unknown = document.components
  return {
    document: { ...document, components: watched(components as object) },
    lookUps: () => lookUps
  }
}

describe("the work that a document makes", () => {
  for (const [name, shape] of Object.entries(shapes)) {
    it.effect(`grows with its size and no faster: ${name}`, () =>
      Effect.gen(function* () {
        const lookUps = (n: number) =>
          Effect.gen(function* () {
            const counted = counting(shape(n))
            yield* Effect.ignore(OpenApiToolset.make(counted.document, anywhere))
            return counted.lookUps()
          })
        const [few, many] = [yield* lookUps(100), yield* lookUps(400)]
        assert.isAtMost(many, few * 4.5 + 100)
      })
    )
  }

  // What is looked up inside does not count there; whatever looks at every schema for every operation takes much longer.
  for (const name of ["a ring of schemas", "a ring of schemas with a fault in it"]) {
    it.effect(
      `of 10,000 operations and as many schemas is done soon: ${name}`,
      () => Effect.ignore(OpenApiToolset.make(shapes[name]!(10_000), anywhere)),
      60_000
    )
  }
})
