/** Every example runs in a process of its own, as a reader runs it, and prints what it says. */
import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { filesBelow, outputsIn, root, unwrapped } from "./fences.ts"

const examples = filesBelow("examples", ".ts").filter((file) => /^\d\d-/.test(basename(file)))
const tsx = join(root, "node_modules/tsx/dist/cli.mjs")

describe.concurrent("examples", () => {
  for (const file of examples) {
    it(`${basename(file)} prints what it says`, { timeout: 300_000 }, async () => {
      const expected = outputsIn(readFileSync(file, "utf8"))
      assert.isNotEmpty(expected)
      const { stderr, stdout } = await promisify(execFile)(process.execPath, [tsx, file], { cwd: root })
      assert.strictEqual(stderr, "")
      assert.strictEqual(unwrapped(stdout), unwrapped(expected.join("\n")))
    })
  }
})
