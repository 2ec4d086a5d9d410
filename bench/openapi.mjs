// GitHub's OpenAPI document (13 MB, 1,223 operations), in one fresh process: read and mapped with all parameter schemas,
// and listed again. Memory is the peak above what the process had before. `.ci/documents` fetches the document.
const { Effect, Logger } = await import("effect")
const { FetchHttpClient } = await import("effect/http")
const { RunContext, Toolset } = await import("../dist/index.js")
const OpenApiToolset = await import("../dist/OpenApiToolset.js")
import { readFileSync } from "node:fs"

const limits = { ms: 600, mb: 120, againMs: 2 }
const text = readFileSync(new URL("../.documents/github.json", import.meta.url), "utf8")
const start = process.memoryUsage().rss

const program = Effect.gen(function* () {
  const t0 = performance.now()
  const toolset = yield* OpenApiToolset.make(text)
  const session = yield* Toolset.open(toolset)
  const tools = yield* session.tools
  const schemas = tools.map(({ definition }) => definition.parameters)
  const ms = performance.now() - t0
  const t1 = performance.now()
  const again = (yield* session.tools).map(({ definition }) => definition.parameters)
  const againMs = performance.now() - t1
  const mb = (process.resourceUsage().maxRSS * 1024 - start) / 1e6
  return { tools: tools.length, same: again.every((schema, i) => schema === schemas[i]), ms, mb, againMs }
})

const run = Effect.succeed({ runId: "bench", step: 1, messages: undefined, usage: undefined, retries: {} })
const row = await Effect.runPromise(
  program.pipe(
    Effect.provideServiceEffect(RunContext, run),
    Effect.scoped,
    Effect.provide([FetchHttpClient.layer, Logger.layer([])])
  )
)
console.log("\n| GitHub's OpenAPI document | | limit |\n|---|---:|---:|")
console.log(
  `| read and mapped, all parameter schemas (${row.tools} tools) | ${row.ms.toFixed(0)} ms | ${limits.ms} ms |`
)
console.log(`| peak memory above the start | ${row.mb.toFixed(0)} MB | ${limits.mb} MB |`)
console.log(
  `| listed again${row.same ? "" : ", and not the same"} | ${row.againMs.toFixed(2)} ms | ${limits.againMs} ms |`
)
