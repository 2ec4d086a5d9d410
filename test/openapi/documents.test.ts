/** Whole public documents: what is taken of them, what is left out and why, and that every schema is one. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { isHere, textOf, unlessHere } from "./documents.ts"
import { compilerProblem, schemaProblem } from "./metaSchema.ts"
import { anywhere } from "./served.ts"

const documents: ReadonlyArray<{
  readonly file: string
  readonly tools: number
  readonly skipped: ReadonlyArray<string>
  readonly unchecked: number
}> = [
  {
    file: "github.json",
    tools: 1221,
    skipped: [
      "GET /octocat: its response is application/octocat-stream",
      "POST /repos/{owner}/{repo}/releases/{release_id}/assets: its request body is application/octet-stream"
    ],
    unchecked: 13
  },
  {
    file: "directus.json",
    tools: 133,
    skipped: [
      "GET /server/ping: its response is application/text",
      "POST /utils/import: its request body is multipart/form-data",
      "POST /utils/import/{collection}: its request body is multipart/form-data"
    ],
    unchecked: 0
  },
  {
    file: "blockfrost.yaml",
    tools: 125,
    skipped: [
      "POST /tx/submit: its request body is application/cbor",
      "POST /utils/txs/evaluate: its request body is application/cbor",
      "POST /ipfs/add: its request body is multipart/form-data",
      "GET /ipfs/gateway/{IPFS_path}: its response is application/octet-stream"
    ],
    unchecked: 0
  }
]

describe(`public documents${unlessHere}`, () => {
  for (const { file, skipped, tools, unchecked } of documents) {
    it.effect.skipIf(!isHere)(
      `${file}: every operation is a tool, or is left out for a reason`,
      () =>
        Effect.gen(function* () {
          const report = yield* OpenApiToolset.report(textOf(file), anywhere)
          assert.strictEqual(report.tools.length, tools)
          assert.deepStrictEqual(
            report.skipped.map(({ method, path, reason }) => `${method} ${path}: ${reason}`),
            skipped
          )
          const names = report.tools.map(({ name }) => name)
          assert.deepStrictEqual(
            names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name)),
            []
          )
          assert.strictEqual(new Set(names).size, names.length)
          assert.isAtMost(Math.max(...report.tools.map(({ description }) => description!.length)), 1024)
          assert.strictEqual(
            report.remarks.filter(({ reason }) => reason.includes("not checked")).length,
            unchecked
          )
        }),
      120_000
    )

    it.effect.skipIf(!isHere)(
      `${file}: every schema is one of draft 2020-12 without loose ends`,
      () =>
        Effect.gen(function* () {
          const report = yield* OpenApiToolset.report(textOf(file), anywhere)
          const all = {
            parameters: report.tools.map(({ parameters }) => parameters),
            returns: report.tools.map(({ returns }) => returns).filter((schema) => schema !== undefined)
          }
          assert.isAtLeast(all.returns.length, tools / 2)
          for (const schemas of [all.parameters, all.returns]) {
            assert.deepStrictEqual(
              schemas.flatMap((schema) => schemaProblem(schema) ?? []),
              []
            )
            assert.isUndefined(compilerProblem(schemas))
          }
        }),
      120_000
    )
  }
})
