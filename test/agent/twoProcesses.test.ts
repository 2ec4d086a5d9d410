/** A run stops in one process, somebody answers in another, and it goes on in a third: all they share are files. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Prompt } from "effect/ai"
import { DeferredToolRequests, DeferredToolResults, ToolReturn } from "effect-toolset"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../docs/fences.ts"
import { answersIn, callsIn, resultsIn } from "./answers.ts"
import { inShort } from "./deferring.ts"

const tsx = join(root, "node_modules/tsx/dist/cli.mjs")
const program = join(root, "test/agent/process.ts")

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "effect-toolset-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

const started = (part: "ask" | "goOn", folder: string) => {
  const { stderr, stdout } = spawnSync(process.execPath, [tsx, program, part, folder], {
    cwd: root,
    encoding: "utf8"
  })
  assert.strictEqual(stderr + stdout, "")
}

const read = <A, I>(file: string, schema: Schema.Codec<A, I>) =>
  Schema.decodeEffect(Schema.fromJsonString(schema))(readFileSync(file, "utf8"))

describe("two processes", { timeout: 60_000 }, () => {
  it.effect("share a run through files: what waits, what was said, and what came before", () =>
    Effect.gen(function* () {
      const at = yield* folder
      started("ask", at)
      const requests = yield* read(join(at, "requests.json"), DeferredToolRequests)
      assert.deepStrictEqual(inShort(requests), {
        calls: [["c", "clock", {}]],
        approvals: [
          ["w", "wipe", { on: "2026-11-30T00:00:00.000Z" }],
          ["o/p", "paint", { on: "2027-01-01T00:00:00.000Z" }]
        ]
      })

      const results = DeferredToolResults.from(requests, {
        approvals: { w: { approve: { on: "2028-02-29" } } },
        approveAll: true,
        calls: {
          c: new ToolReturn({
            value: "21:30",
            content: [Prompt.filePart({ data: new Uint8Array([3]), mediaType: "image/png" })]
          })
        },
        metadata: { w: { by: "Ada" } }
      })
      const json = Schema.fromJsonString(DeferredToolResults)
      writeFileSync(join(at, "results.json"), yield* Schema.encodeEffect(json)(results))
      started("goOn", at)

      const ran = readFileSync(join(at, "ran.txt"), "utf8").trim().split("\n")
      assert.sameDeepMembers(
        ran.map((line) => JSON.parse(line)),
        [
          { part: "ask", name: "look", year: null, metadata: {} },
          { part: "goOn", name: "wipe", year: 2028, metadata: { by: "Ada" } },
          { part: "goOn", name: "paint", year: 2027, metadata: {} }
        ]
      )
      const End = Schema.Struct({ history: Prompt.Prompt, output: Schema.Unknown })
      const { history, output } = yield* read(join(at, "end.json"), End)
      assert.strictEqual(output, "Done.")
      assert.deepStrictEqual(resultsIn(history), [
        ["wipe", "wipe ran"],
        ["look", "look ran"],
        ["clock", "21:30"],
        ["crew", "Painted."]
      ])
      assert.deepStrictEqual(
        answersIn(history).map((part) => part.options["effect-toolset"]),
        [{ metadata: { part: "goOn" } }, { metadata: { part: "ask" } }, undefined, undefined]
      )
      assert.deepStrictEqual(
        callsIn(history).map((call) => call.params),
        ['{"on":"2026-11-30"}', {}, "", { task: "Paint it." }]
      )
      assert.deepStrictEqual(
        history.content.flatMap((message) =>
          message.role === "user"
            ? message.content.flatMap((part) => (part.type === "file" ? [part.data] : []))
            : []
        ),
        [[1, 2, 255], [1, 2, 255], [3]].map((bytes) => new Uint8Array(bytes))
      )
    })
  )
})
