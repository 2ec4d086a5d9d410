/** Every fence that says it runs is checked by the compiler, run, and prints what it says. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { format } from "node:util"
import { afterAll, beforeAll } from "vitest"
import { type Fence, fencesOf, filesBelow, root, unwrapped } from "./fences.ts"

const files = [join(root, "README.md"), ...filesBelow("docs", ".md"), ...filesBelow("src", ".ts")]
const fences = files.flatMap(fencesOf)
const folder = join(root, ".fences")
const fileOf = (fence: Fence): string => join(folder, `${fence.place.replace(/[^\w]+/g, "_")}.ts`)

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const fence of fences) writeFileSync(fileOf(fence), `${fence.code}\nexport {}\n`)
  const config = {
    extends: "../tsconfig.json",
    compilerOptions: { noUnusedLocals: false },
    files: fences.map(fileOf)
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a module and gives what it printed. */
const printed = async (file: string): Promise<string> => {
  const lines: Array<string> = []
  const { log } = console
  console.log = (...args: ReadonlyArray<unknown>) => lines.push(format(...args))
  try {
    await import(/* @vite-ignore */ file)
  } finally {
    console.log = log
  }
  return lines.join("\n")
}

describe("docs", () => {
  it("fences compile", { timeout: 300_000 }, () => {
    const tsc = join(root, "node_modules/typescript/bin/tsc")
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" })
    assert.strictEqual(stdout, "")
  })

  for (const fence of fences) {
    it(`${fence.place} prints what it says`, { timeout: 60_000 }, async () => {
      assert.isNotEmpty(fence.expected)
      assert.strictEqual(unwrapped(await printed(fileOf(fence))), unwrapped(fence.expected.join("\n")))
    })
  }
})
