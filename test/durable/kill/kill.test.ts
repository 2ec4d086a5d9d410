/** Processes that are killed at any moment: what is recorded is not done again, and every run ends as if nothing had been. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { build } from "tsup"
import { afterAll, beforeAll } from "vitest"
import { root } from "../../docs/fences.ts"

const rounds = Number(process.env.KILL_ROUNDS ?? 5)
const folder = join(root, ".kill")

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await build({
    entry: { child: join(root, "test/durable/kill/child.ts") },
    outDir: folder,
    format: "esm",
    outExtension: () => ({ js: ".mjs" }),
    // In one file it starts in a fraction of the time.
    noExternal: [/./],
    config: false,
    silent: true
  })
}, 300_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Place {
  readonly records: string
  readonly effects: string
}

const newPlace = (): Place => {
  const directory = mkdtempSync(join(folder, "run-"))
  return { records: join(directory, "records"), effects: join(directory, "effects") }
}

/** Runs the child until it ends, or is killed so long after it has begun. */
const attempt = ({ effects, records }: Place, killAfter?: number): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(folder, "child.mjs"), records, effects])
    let printed = ""
    let complained = ""
    let timer: NodeJS.Timeout | undefined
    child.stderr.on("data", (data) => (complained += data))
    child.stdout.on("data", (data) => {
      const isFirst = printed === ""
      printed += data
      if (isFirst && killAfter !== undefined) timer = setTimeout(() => child.kill("SIGKILL"), killAfter)
    })
    child.on("close", (code, signal) => {
      clearTimeout(timer)
      if (signal === "SIGKILL") resolve(undefined)
      else if (code === 0) resolve(printed.split("\n")[1])
      else reject(new Error(`${code}: ${complained}${printed}`))
    })
  })

/** What was done, in order: names and keys. */
const effectsOf = ({ effects }: Place): ReadonlyArray<readonly [name: string, key: string]> =>
  existsSync(effects)
    ? readFileSync(effects, "utf8")
        .trim()
        .split("\n")
        .map((line) => line.split(" ") as [string, string])
    : []

const filesOf = ({ records }: Place) => readdirSync(join(records, "records")).map(decodeURIComponent)

/** The keys of the records that are there. Every one of them is whole. */
const recordedIn = (place: Place): ReadonlySet<string> =>
  new Set(
    filesOf(place).map((file) => {
      const text = readFileSync(join(place.records, "records", encodeURIComponent(file)), "utf8")
      return (JSON.parse(text) as { key?: string }).key ?? file
    })
  )

describe("a process that is killed", () => {
  it(`does nothing twice that is recorded, in ${rounds} runs`, { timeout: 3_600_000 }, async () => {
    const undisturbed = newPlace()
    const expected = await attempt(undisturbed)
    const whole = effectsOf(undisturbed)
    assert.lengthOf(whole, 15)
    assert.lengthOf(new Set(whole.map(([, key]) => key)), 15)
    let kills = 0
    let repeated = 0

    for (let round = 0; round < rounds; round++) {
      const place = newPlace()
      let transcript: string | undefined
      let attempts = 0
      while (transcript === undefined) {
        const before = effectsOf(place)
        const recorded = existsSync(join(place.records, "records")) ? recordedIn(place) : new Set()
        transcript = await attempt(place, attempts < 4 ? Math.random() * 150 : undefined)
        if (transcript === undefined) kills++
        attempts++
        const now = effectsOf(place).slice(before.length)
        const again = now.filter(([, key]) => recorded.has(key))
        assert.deepStrictEqual(again, [], "what is recorded was done again")
        assert.lengthOf(new Set(now.map(([, key]) => key)), now.length, "one attempt did something twice")
      }
      assert.strictEqual(transcript, expected)
      const done = effectsOf(place)
      assert.deepStrictEqual(
        new Set(done.map(([name, key]) => `${name} ${key}`)),
        new Set(whole.map(([name, key]) => `${name} ${key}`)),
        "the same was done, under the same keys"
      )
      repeated += done.length - whole.length
      assert.isAtMost(done.length - whole.length, 3 * attempts, "only what was under way is in doubt")
      assert.deepStrictEqual(filesOf(place), ["run/result"])
      // It has ended.
      assert.strictEqual(await attempt(place), expected)
      assert.lengthOf(effectsOf(place), done.length)
    }
    console.log(`${rounds} runs, ${kills} kills, ${repeated} steps done once more`)
    assert.isAtLeast(kills, rounds / 2)
  })
})
