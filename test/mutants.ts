/**
 * A law counts once it has been seen to fail: applies the bugs of `laws/mutants.txt`, one at a time, to a copy of the
 * project, and runs the laws that have to find them. With words after it, `npm run mutants --` applies only those of
 * which the law or the file has one of them.
 */
import { spawn } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { mutations, type Mutation } from "./laws/mutations.ts"

const root = new URL("../", import.meta.url).pathname

/** Milliseconds after which tests are said to hang. */
const patience = 120_000

const words = process.argv.slice(2)
const selected = mutations.filter(
  ({ file, law }) => words.length === 0 || words.some((word) => law.includes(word) || file.includes(word))
)
const allTests = Array.from(new Set(selected.flatMap(({ tests }) => tests)))

/** What the mutants need of the project, in a folder of its own. */
const copied = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "effect-toolset-mutants-"))
  for (const path of [
    "src",
    "package.json",
    "tsconfig.json",
    "vitest.config.ts",
    "test/laws",
    "test/agent",
    "test/durable",
    "test/operators",
    "test/secrets",
    "test/toolset",
    ...allTests
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  return folder
}

interface Failure {
  readonly test: string
  readonly title: string
}

/** The tests that fail; the first one, where that is enough. */
const failing = (folder: string, tests: ReadonlyArray<string>, isOneEnough: boolean, limit = patience) =>
  new Promise<ReadonlyArray<Failure>>((resolve) => {
    const report = join(folder, "report.json")
    rmSync(report, { force: true })
    const vitest = join(root, "node_modules/vitest/vitest.mjs")
    const options = ["--typecheck.enabled=false", "--no-isolate", "--reporter=json", `--outputFile=${report}`]
    if (isOneEnough) options.push("--bail=1")
    const env = { ...process.env, LAWS_SHRINKS: "0" }
    const child = spawn(process.execPath, [vitest, "run", ...tests, ...options], {
      cwd: folder,
      env,
      stdio: "ignore"
    })
    const hanging = setTimeout(() => child.kill("SIGKILL"), limit)
    child.on("exit", () => {
      clearTimeout(hanging)
      resolve(existsSync(report) ? failuresIn(report, folder) : [{ test: "", title: "It comes to no end." }])
    })
  })

interface Report {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: ReadonlyArray<{ readonly fullName: string; readonly status: string }>
  }>
}

const failuresIn = (report: string, folder: string): ReadonlyArray<Failure> => {
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report
  return testResults.flatMap(({ assertionResults, message, name, status }) => {
    const test = relative(folder, name)
    const failed = assertionResults.filter((result) => result.status === "failed")
    if (failed.length === 0 && status === "failed") return [{ test, title: message }]
    return failed.map(({ fullName }) => ({ test, title: fullName }))
  })
}

/** How a mutant fared, and what found it. `known`: what fails without any mutant, and so finds none. */
const judged = async (
  folder: string,
  { file, find, replace, tests }: Mutation,
  known: ReadonlyArray<Failure>
) => {
  const path = join(folder, file)
  const source = readFileSync(path, "utf8")
  if (source.split(find).length !== 2) return { verdict: "not there", reason: find }
  writeFileSync(
    path,
    source.replace(find, () => replace)
  )
  const before = known.filter(({ test }) => tests.includes(test)).map(({ title }) => title)
  const failures = await failing(folder, tests, before.length === 0)
  writeFileSync(path, source)
  const killer = failures.find(({ title }) => !before.includes(title))
  return killer === undefined
    ? { verdict: "survived", reason: tests.join(" ") }
    : { verdict: "killed", reason: killer.title }
}

const start = performance.now()
const folders = Array.from({ length: Math.min(availableParallelism(), 4) }, copied)
const known = await failing(folders[0]!, allTests, false, 15 * patience)
for (const { title } of known) console.log(`fails without a mutant: ${title}`)

const queue = [...selected]
let killed = 0
await Promise.all(
  folders.map(async (folder) => {
    for (let mutation = queue.shift(); mutation !== undefined; mutation = queue.shift()) {
      const { reason, verdict } = await judged(folder, mutation, known)
      if (verdict === "killed") killed++
      console.log(`${verdict}: ${mutation.law} (${mutation.file})\n  ${reason}`)
    }
    rmSync(folder, { recursive: true })
  })
)
const seconds = Math.round((performance.now() - start) / 1000)
console.log(`${killed} of ${selected.length} mutants killed, in ${seconds} s.`)
process.exitCode = killed === selected.length ? 0 : 1
