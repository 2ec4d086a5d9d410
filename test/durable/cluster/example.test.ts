/** The example with a cluster runs as a reader runs it, and prints what it says. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { outputsIn, root, unwrapped } from "../../docs/fences.ts"
import { newDatabase } from "./databases.ts"
import { databaseUrl } from "./engines.ts"

const file = join(root, "examples/durable-cluster.ts")

it.skipIf(databaseUrl === undefined)("prints what it says", { timeout: 300_000 }, async () => {
  const url = await newDatabase(Effect.void)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, "node_modules/tsx/dist/cli.mjs"), file],
    { cwd: root, env: { ...process.env, DATABASE_URL: url } }
  )
  assert.strictEqual(unwrapped(stdout), unwrapped(outputsIn(readFileSync(file, "utf8")).join("\n")))
})
