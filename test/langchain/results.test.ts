/** What tools of LangChain.js give besides plain values: messages, artifacts, content blocks. */
import { ToolMessage } from "@langchain/core/messages"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Prompt } from "effect/ai"
import { ToolFailed } from "effect-toolset"
import * as z from "zod"
import { observed } from "../interop/observing.ts"
import { retry } from "../toolset/asking.ts"
import { call, only } from "./tools.ts"

const result = (value: unknown, fields: object = {}) =>
  observed(
    only(async () => value, fields),
    "t",
    {}
  )

const shown = (parts: ReadonlyArray<Prompt.ToolModelOutputPart> | undefined) =>
  parts?.map((part) =>
    part.type === "text"
      ? part.text
      : [part.mediaType, part.data instanceof URL ? part.data.href : part.data, part.fileName]
  )

const png = "iVBORw0KGgo="
const bytes = new Uint8Array([1, 2, 3])

describe("a tool with artifacts", () => {
  const fields = { responseFormat: "content_and_artifact" }

  it.effect("gives the content, and the artifact as metadata", () =>
    Effect.gen(function* () {
      const artifact = { rows: [1, 2, 3] }
      const { metadata, value } = yield* result(["three rows", artifact], fields)
      assert.deepStrictEqual([value, metadata], ["three rows", { artifact }])
    })
  )

  it.effect("decodes its arguments as every other", () =>
    Effect.gen(function* () {
      const schema = z.object({ n: z.number().default(3) })
      const run = async (input: object) => [JSON.stringify(input), undefined]
      assert.strictEqual(yield* call(run, {}, { ...fields, schema }), '{"n":3}')
    })
  )

  it.effect("fails where it gives no pair", () =>
    Effect.gen(function* () {
      const [reason, message] = yield* retry(call(async () => "alone", {}, fields))
      assert.strictEqual(reason, "body")
      assert.match(message!, /the output was not a two-tuple/)
    })
  )
})

describe("a message", () => {
  const message = (fields: object) =>
    new ToolMessage({ content: "hello", tool_call_id: "1", ...fields } as never)

  it.effect("is its content and its artifact", () =>
    Effect.gen(function* () {
      const plain = yield* result(message({}))
      assert.deepStrictEqual([plain.value, plain.metadata], ["hello", {}])
      const rich = yield* result(message({ status: "success", artifact: { rows: 1 } }))
      assert.deepStrictEqual([rich.value, rich.metadata], ["hello", { artifact: { rows: 1 } }])
    })
  )

  it.effect("of an error has failed the call, whatever the policy", () =>
    Effect.gen(function* () {
      const failed = (content: unknown) =>
        Effect.flip(call(async () => message({ status: "error", content })))
      assert.deepStrictEqual(yield* failed("No such row."), new ToolFailed({ message: "No such row." }))
      const blocks = [
        { type: "text", text: "No" },
        { type: "text", text: "row." }
      ]
      assert.deepStrictEqual(yield* failed(blocks), new ToolFailed({ message: "No\nrow." }))
      assert.deepStrictEqual(yield* failed(""), new ToolFailed({ message: "The tool failed." }))
    })
  )

  it.effect("may have files, and an artifact too", () =>
    Effect.gen(function* () {
      const content = [{ type: "image", mimeType: "image/png", data: png }]
      const { metadata, modelOutput, value } = yield* result(message({ content, artifact: 7 }))
      assert.deepStrictEqual(value, { type: "file", mediaType: "image/png" })
      assert.deepStrictEqual(shown(modelOutput), [["image/png", png, undefined]])
      assert.deepStrictEqual(metadata, { artifact: 7 })
    })
  )
})

describe("content blocks", () => {
  const files: ReadonlyArray<[what: string, block: object, shown: unknown]> = [
    [
      "an image of OpenAI",
      { type: "image_url", image_url: { url: "https://x.test/a" } },
      ["image/*", "https://x.test/a", undefined]
    ],
    [
      "one in its short form",
      { type: "image_url", image_url: `data:image/png;base64,${png}` },
      ["image/png", png, undefined]
    ],
    ["an image", { type: "image", mimeType: "image/png", data: png }, ["image/png", png, undefined]],
    ["bytes", { type: "audio", mimeType: "audio/wav", data: bytes }, ["audio/wav", bytes, undefined]],
    ["a URL", { type: "video", url: "https://x.test/v" }, ["video/*", "https://x.test/v", undefined]],
    [
      "a file with a name",
      { type: "file", mimeType: "application/pdf", data: png, metadata: { filename: "a.pdf" } },
      ["application/pdf", png, "a.pdf"]
    ],
    [
      "a block as before 1.0",
      { type: "image", source_type: "base64", mime_type: "image/jpeg", data: png },
      ["image/jpeg", png, undefined]
    ]
  ]
  for (const [what, block, expected] of files) {
    it.effect(`go to the model as files: ${what}`, () =>
      Effect.gen(function* () {
        const { modelOutput, value } = yield* result([{ type: "text", text: "Look:" }, block])
        assert.deepStrictEqual(shown(modelOutput), ["Look:", expected])
        assert.lengthOf(value as ReadonlyArray<unknown>, 2)
        assert.deepInclude((value as ReadonlyArray<object>)[1], {
          type: "file",
          mediaType: (expected as ReadonlyArray<string>)[0]!
        })
      })
    )
  }

  it.effect("that are no files are the value as it is", () =>
    Effect.gen(function* () {
      for (const value of [
        [{ type: "text", text: "hello" }],
        [{ type: "row", id: 1 }],
        [{ type: "image", id: "file-1" }],
        [{ type: "file", path: "/a" }, 1],
        []
      ]) {
        const given = yield* result(value)
        assert.deepStrictEqual(given.value, value)
        assert.isUndefined(given.modelOutput)
      }
    })
  )

  it.effect("beside files, those that nobody knows are told as they are", () =>
    Effect.gen(function* () {
      const block = { type: "row", id: 1 }
      const { modelOutput } = yield* result([{ type: "image", data: png }, block])
      assert.deepStrictEqual(shown(modelOutput), [["image/*", png, undefined], JSON.stringify(block)])
    })
  )
})
