/** What `toModelOutput` says is what the model reads. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Prompt } from "effect/ai"
import { ModelRetry, ToolFailed } from "effect-toolset"
import { observed } from "../interop/observing.ts"
import { call, tools } from "./tools.ts"

const saying = (said: unknown) => ({ execute: () => ({ rows: 3 }), toModelOutput: () => said })
const result = (said: unknown) => observed(tools(saying(said)), "t", {})

const shown = (parts: ReadonlyArray<Prompt.ToolModelOutputPart> | undefined) =>
  parts?.map((part) =>
    part.type === "text"
      ? part.text
      : [part.mediaType, part.data instanceof URL ? part.data.href : part.data, part.fileName]
  )

const png = "iVBORw0KGgo="
const bytes = new Uint8Array([1, 2, 3])

describe("toModelOutput", () => {
  it.effect("is told of the call, and may promise", () =>
    Effect.gen(function* () {
      const told: Array<unknown> = []
      const toModelOutput = async (of: unknown) => {
        told.push(of)
        return { type: "text", value: "three rows" }
      }
      const given = yield* observed(tools({ execute: () => ({ rows: 3 }), toModelOutput }), "t", { a: 1 })
      assert.strictEqual(given.value, "three rows")
      assert.deepStrictEqual(told, [{ toolCallId: "call-1", input: { a: 1 }, output: { rows: 3 } }])
    })
  )

  it.effect("gives a text or JSON in the place of the output, which is metadata", () =>
    Effect.gen(function* () {
      for (const said of [
        { type: "text", value: "three" },
        { type: "json", value: { n: [3, null] } },
        { type: "json", value: null }
      ]) {
        const { metadata, modelOutput, value } = yield* result(said)
        assert.deepStrictEqual(value, said.value)
        assert.deepStrictEqual(metadata, { output: { rows: 3 } })
        assert.isUndefined(modelOutput)
      }
    })
  )

  it.effect("gives an output that is not JSON a form that is", () =>
    Effect.gen(function* () {
      const rows = new Map([["a", 1]])
      const toModelOutput = ({ output }: { output: typeof rows }) => ({
        type: "json",
        value: [...output.keys()]
      })
      const { metadata, value } = yield* observed(tools({ execute: () => rows, toModelOutput }), "t", {})
      assert.deepStrictEqual(value, ["a"])
      assert.strictEqual(metadata.output, rows)
    })
  )

  it.effect("that says an error has failed the call, whatever the policy", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(call(saying({ type: "error-text", value: "No such table." })))
      assert.deepStrictEqual(error, new ToolFailed({ message: "No such table." }))
      const stack = "No such table.\n    at query (/home/me/db.ts:3:7)"
      assert.deepStrictEqual(yield* Effect.flip(call(saying({ type: "error-text", value: stack }))), error)
      const details = { code: 7 }
      assert.deepStrictEqual(
        yield* Effect.flip(call(saying({ type: "error-json", value: details }))),
        new ToolFailed({ message: "The tool failed.", details })
      )
    })
  )

  it.effect("that denies has failed the call too", () =>
    Effect.gen(function* () {
      const denied = (said: object) => Effect.flip(call(saying({ type: "execution-denied", ...said })))
      assert.deepStrictEqual(
        yield* denied({ reason: "Not at night." }),
        new ToolFailed({ message: "Not at night." })
      )
      assert.deepStrictEqual(yield* denied({}), new ToolFailed({ message: "The call was not approved." }))
    })
  )

  it.effect("that throws does what the policy says", () =>
    Effect.gen(function* () {
      const toModelOutput = () => Promise.reject(new Error("no renderer"))
      const error = yield* Effect.flip(call({ execute: () => 1, toModelOutput }))
      assert.deepStrictEqual(error, new ModelRetry({ message: "no renderer", reason: "body" }))
    })
  )
})

describe("content", () => {
  const content = (...value: ReadonlyArray<unknown>) => result({ type: "content", value })

  it.effect("of texts is a text, or a list of them", () =>
    Effect.gen(function* () {
      const one = yield* content({ type: "text", text: "hello" })
      assert.deepStrictEqual([one.value, one.modelOutput], ["hello", undefined])
      const two = yield* content({ type: "text", text: "a" }, { type: "text", text: "b" })
      assert.deepStrictEqual([two.value, two.modelOutput], [["a", "b"], undefined])
      assert.isNull((yield* content()).value)
    })
  )

  const files: ReadonlyArray<[what: string, part: object, shown: unknown]> = [
    [
      "base64",
      { type: "file", mediaType: "image/png", data: { type: "data", data: png } },
      ["image/png", png, undefined]
    ],
    [
      "bytes, with a name",
      { type: "file", mediaType: "application/pdf", filename: "a.pdf", data: { type: "data", data: bytes } },
      ["application/pdf", bytes, "a.pdf"]
    ],
    [
      "a buffer",
      { type: "file", mediaType: "audio", data: { type: "data", data: bytes.buffer } },
      ["audio/*", bytes, undefined]
    ],
    [
      "a URL",
      { type: "file", mediaType: "image", data: { type: "url", url: new URL("https://x.test/a.png") } },
      ["image/*", "https://x.test/a.png", undefined]
    ],
    [
      "a URL that holds the bytes",
      { type: "file", mediaType: "image/png", data: { type: "url", url: `data:image/png;base64,${png}` } },
      ["image/png", png, undefined]
    ],
    [
      "file-data",
      { type: "file-data", mediaType: "text/csv", data: png, filename: "a.csv" },
      ["text/csv", png, "a.csv"]
    ],
    ["image-data", { type: "image-data", mediaType: "image/png", data: png }, ["image/png", png, undefined]],
    [
      "file-url",
      { type: "file-url", url: "https://x.test/a" },
      ["application/octet-stream", "https://x.test/a", undefined]
    ],
    ["image-url", { type: "image-url", url: "https://x.test/a" }, ["image/*", "https://x.test/a", undefined]]
  ]
  for (const [what, part, expected] of files) {
    it.effect(`may be a file: ${what}`, () =>
      Effect.gen(function* () {
        const { modelOutput, value } = yield* content({ type: "text", text: "Look:" }, part)
        assert.deepStrictEqual(shown(modelOutput), ["Look:", expected])
        const [mediaType, , fileName] = expected as ReadonlyArray<string | undefined>
        assert.deepStrictEqual(value, [
          "Look:",
          fileName === undefined ? { type: "file", mediaType } : { type: "file", mediaType, fileName }
        ])
      })
    )
  }

  it.effect("may be a text in a file", () =>
    Effect.gen(function* () {
      const part = { type: "file", mediaType: "text/plain", data: { type: "text", text: "hello" } }
      assert.strictEqual((yield* content(part)).value, "hello")
    })
  )

  const unknown: ReadonlyArray<object> = [
    { type: "file", mediaType: "image/png", data: { type: "reference", reference: { openai: "file-1" } } },
    { type: "file-id", fileId: "file-1" },
    { type: "image-file-reference", providerReference: { openai: "file-1" } },
    { type: "file-url", url: "no URL" },
    { type: "custom" }
  ]
  for (const part of unknown) {
    it.effect(`that only a provider could read is named: ${JSON.stringify(part)}`, () =>
      Effect.gen(function* () {
        const { modelOutput, value } = yield* content(part)
        assert.deepStrictEqual(value, JSON.stringify({ type: (part as { type: string }).type }))
        assert.isUndefined(modelOutput)
      })
    )
  }
})
