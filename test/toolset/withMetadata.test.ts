import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import { answering, defect, first, tools } from "./asking.ts"

const of = (metadata: Readonly<Record<string, unknown>> | undefined) =>
  Toolset.tool("t", { metadata, handler: () => Effect.void })

describe("withMetadata", () => {
  const table: ReadonlyArray<
    [
      what: string,
      own: Readonly<Record<string, unknown>> | undefined,
      added: Readonly<Record<string, unknown>>,
      merged: unknown
    ]
  > = [
    ["wins over what is there, and keeps the rest (P46)", { a: 0, b: 2 }, { a: 1 }, { a: 1, b: 2 }],
    ["is all there is where the tool has none (P46)", undefined, { a: 1 }, { a: 1 }],
    ["merges shallowly", { a: { x: 1, y: 1 } }, { a: { x: 2 } }, { a: { x: 2 } }],
    ["sets a key to undefined where it says so", { a: 0 }, { a: undefined }, { a: undefined }],
    ["of nothing is the identity", { a: 0 }, {}, { a: 0 }]
  ]
  for (const [what, own, added, merged] of table) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const before = yield* first(of(own))
        for (const tool of [
          of(own).pipe(Toolset.withMetadata(added)),
          Toolset.withMetadata(of(own), () => added)
        ]) {
          assert.deepStrictEqual(yield* first(tool), {
            ...before,
            metadata: merged as typeof before.metadata
          })
        }
        assert.deepStrictEqual(before.metadata, own ?? {})
      })
    )
  }

  it.effect("covers every tool, and a function sees each as it is there", () =>
    Effect.gen(function* () {
      const all = tools("a", "b").pipe(
        Toolset.prefixed("x"),
        Toolset.withMetadata(({ kind, name }) => ({ kind, name }))
      )
      assert.deepStrictEqual(
        (yield* Toolset.list(all)).map((tool) => tool.metadata),
        [
          { kind: "function", name: "x_a" },
          { kind: "function", name: "x_b" }
        ]
      )
    })
  )

  it.effect("of two, the last one added wins; a tool's own wins over none (P47)", () =>
    Effect.gen(function* () {
      const twice = of({ team: "y", n: 1 }).pipe(
        Toolset.withMetadata({ team: "x" }),
        Toolset.withMetadata({ team: "z" })
      )
      assert.deepStrictEqual((yield* first(twice)).metadata, { team: "z", n: 1 })
      const weak = of({ team: "y" }).pipe(
        Toolset.withMetadata(({ metadata }) => ({ team: "x", ...metadata }))
      )
      assert.deepStrictEqual((yield* first(weak)).metadata, { team: "y" })
    })
  )

  it.effect("holds the very objects that it was given", () =>
    Effect.gen(function* () {
      const client = { socket: {} }
      assert.strictEqual(
        (yield* first(answering("t").pipe(Toolset.withMetadata({ client })))).metadata["client"],
        client
      )
    })
  )

  it.effect("does not change what a call does", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* Toolset.call(answering("t").pipe(Toolset.withMetadata({ a: 1 })), "t", {}),
        "t"
      )
    })
  )

  it.effect("dies of a function that throws", () =>
    Effect.gen(function* () {
      const throwing = answering("t").pipe(
        Toolset.withMetadata(() => {
          throw new TypeError("no metadata")
        })
      )
      assert.strictEqual(yield* defect(Toolset.list(throwing)), "TypeError: no metadata")
    })
  )
})
