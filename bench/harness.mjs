// Shared harness. A peer module calls main({name, versions, setup}) where
//   setup(T) -> { run(steps, parallel) -> Promise<{text, seen}> }   (tools already built; agent may be rebuilt per run)
//   build(T) -> built tool collection (from scratch, incl. schema objects)
// Every tool call increments `counter.n`; the harness checks the count and the final text.
import { performance } from "node:perf_hooks"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"

export const counter = { n: 0, listed: 0 }
export const toolName = (i) => `tool_${i}`
export const ARGS = { query: "hello world", limit: 10, tags: ["a", "b"], options: { deep: true, lang: "en" } }
export const ARGS_JSON = JSON.stringify(ARGS)
export const jsonSchema = () => ({
  type: "object",
  properties: {
    query: { type: "string", description: "what to look for" },
    limit: { type: "integer", minimum: 1, maximum: 100 },
    tags: { type: "array", items: { type: "string" } },
    options: {
      type: "object",
      properties: { deep: { type: "boolean" }, lang: { type: "string", enum: ["en", "fr", "de"] } },
      required: ["deep", "lang"],
      additionalProperties: false
    }
  },
  required: ["query", "limit", "tags", "options"],
  additionalProperties: false
})
export const zodSchema = (z) =>
  z.object({
    query: z.string().describe("what to look for"),
    limit: z.number().int().min(1).max(100),
    tags: z.array(z.string()),
    options: z.object({ deep: z.boolean(), lang: z.enum(["en", "fr", "de"]) })
  })
export const execute = (a) => {
  counter.n++
  return { ok: true, n: a.limit }
}

/** A script: steps x parallel calls, then the text "done". Stateless: derived from (callIndex). */
export class Script {
  constructor(T, steps, parallel) {
    this.T = T
    this.steps = steps
    this.parallel = parallel
    this.i = 0
  }
  next() {
    const k = this.i++
    if (k >= this.steps) return undefined
    const calls = []
    for (let j = 0; j < this.parallel; j++)
      calls.push({ id: `call_${k}_${j}`, name: toolName((k * 7 + j * 3) % this.T) })
    return calls
  }
}
/** What a real provider does to the tools of each request: read every name and JSON schema. */
export const touch = (name, schema) => {
  if (name && schema) counter.listed++
}

const stats = (xs) => {
  const s = [...xs].sort((a, b) => a - b)
  const q = (p) => s[Math.min(s.length - 1, Math.floor(p * s.length))]
  return { median: q(0.5), p10: q(0.1), p90: q(0.9), min: s[0], n: s.length }
}
const timed = async (fn, { warmMs = 1500, runs = 1000, maxMs = 2500, min = 9 } = {}) => {
  let t0 = performance.now()
  // By time and not by runs: until the engine has compiled what it is going to compile, for long code too.
  for (let i = 0; i < 2 || performance.now() - t0 < warmMs; i++) await fn()
  const xs = []
  t0 = performance.now()
  for (let i = 0; i < runs && (i < min || performance.now() - t0 < maxMs); i++) {
    const a = performance.now()
    await fn()
    xs.push(performance.now() - a)
  }
  return stats(xs)
}
const once = async (peer, T, steps, parallel) => {
  const s = await peer.setup(T)
  return async () => {
    const before = counter.n
    const text = await s.run(steps, parallel)
    if (counter.n - before !== steps * parallel)
      throw new Error(`${peer.name}: ${counter.n - before} tool calls, wanted ${steps * parallel}`)
    if (text !== "done") throw new Error(`${peer.name}: final text ${JSON.stringify(text)}`)
  }
}
const gc = () => {
  for (let i = 0; i < 4; i++) globalThis.gc?.()
}

export async function main(peer) {
  const mode = process.argv[2] ?? "all"
  const out = {
    name: peer.name,
    versions: peer.versions,
    node: process.version,
    importMs: peer.importMs,
    rows: {}
  }
  const row = (k, v) => {
    out.rows[k] = v
    console.error(peer.name, k, typeof v === "object" ? JSON.stringify(v) : v)
  }
  if (mode === "once") {
    // for profiling: node --cpu-prof bench/x.mjs once T steps parallel repeat
    const [, , , T, steps, parallel, repeat] = process.argv.map(Number)
    const f = await once(peer, T, steps, parallel)
    const t0 = performance.now()
    for (let i = 0; i < repeat; i++) await f()
    console.error(peer.name, "mean ms", (performance.now() - t0) / repeat)
    process.exit(0)
  }
  if (mode === "hot") {
    // median and least of one row: node bench/x.mjs hot T steps parallel
    const [T, steps, parallel] = process.argv.slice(3, 6).map(Number)
    const s = await timed(await once(peer, T, steps, parallel), { runs: 3000, maxMs: 6000 })
    console.error(peer.name, T, steps, parallel, JSON.stringify(s))
    process.exit(0)
  }
  if (mode === "cpu") {
    // the processor time of the main thread per run (Linux), for a machine that does other things too
    const [T, steps, parallel, repeat] = process.argv.slice(3, 7).map(Number)
    const f = await once(peer, T, steps, parallel)
    const used = () => Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[0]) / 1e6
    const xs = []
    for (let round = 0; round < 12; round++) {
      const before = used()
      for (let i = 0; i < repeat; i++) await f()
      xs.push((used() - before) / repeat)
    }
    console.error(peer.name, T, steps, parallel, JSON.stringify(stats(xs.slice(4))))
    process.exit(0)
  }
  if (mode === "check") {
    // how many tool definitions the model was handed in one run (must be (steps + 1) * T)
    const f = await once(peer, 10, 10, 1)
    await f()
    counter.listed = 0
    await f()
    console.error(
      peer.name,
      "definitions seen in a 10-step run over 10 tools:",
      counter.listed,
      "(110 = every tool at each of the 11 model calls)"
    )
    process.exit(0)
  }
  if (mode === "mem") {
    const f = await once(peer, 10, 10, 1)
    for (let i = 0; i < 150; i++) await f()
    gc()
    const r0 = process.memoryUsage().heapUsed
    const N = 300
    for (let i = 0; i < N; i++) await f()
    await new Promise((r) => setTimeout(r, 50))
    gc()
    const retained = (process.memoryUsage().heapUsed - r0) / N / 1024
    const xs = []
    for (let i = 0; i < 15; i++) {
      // big young generation: no GC inside a run
      gc()
      const a = process.memoryUsage().heapUsed
      await f()
      xs.push((process.memoryUsage().heapUsed - a) / 1024)
    }
    row("mem.allocKBperRun", stats(xs))
    row("mem.retainedKBperRun", retained)
    row("mem.rssMB", process.memoryUsage().rss / 1048576)
    // 1000 built tools kept alive
    gc()
    const b0 = process.memoryUsage().heapUsed
    const kept = await peer.build(1000)
    gc()
    row("mem.KBper1000ToolsBuilt", (process.memoryUsage().heapUsed - b0) / 1024)
    globalThis.kept = kept
  } else {
    const cold = performance.now()
    await (
      await once(peer, 10, 1, 1)
    )()
    row("cold.firstRunMs", performance.now() - cold)
    for (const T of [10, 100, 1000])
      row(
        `a.steps10.T${T}`,
        await timed(await once(peer, T, 10, 1), T === 1000 ? { maxMs: 4000, warmMs: 3000 } : {})
      )
    for (const s of [1, 50]) row(`a.steps${s}.T10`, await timed(await once(peer, 10, s, 1)))
    row("b.parallel100.T10", await timed(await once(peer, 10, 1, 100)))
    row("b.parallel100.T1000", await timed(await once(peer, 1000, 1, 100), { maxMs: 4000 }))
    row(
      "c.build1000",
      await timed(
        async () => {
          await peer.build(1000)
        },
        { runs: 60 }
      )
    )
    row(
      "c.buildAndFirstList1000",
      await timed(
        async () => {
          const s = await peer.setup(1000)
          if ((await s.run(0, 1)) !== "done") throw new Error("list")
        },
        { runs: 40 }
      )
    )
    row("c.relist1000", await timed(await once(peer, 1000, 0, 1), { runs: 400 }))
  }
  mkdirSync(new URL("./out/", import.meta.url), { recursive: true })
  writeFileSync(new URL(`./out/${peer.name}.${mode}.json`, import.meta.url), JSON.stringify(out, null, 1))
  process.exit(0)
}

/** The version of an installed package. */
export const version = (name) => {
  const here = ["./node_modules", "../node_modules"].map(
    (folder) => new URL(`${folder}/${name}/package.json`, import.meta.url)
  )
  return JSON.parse(readFileSync(here.find((file) => existsSync(file)))).version
}
