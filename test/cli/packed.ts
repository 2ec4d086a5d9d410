/** The package as it is published, installed where there is nothing else: no peers, and no network. */
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "../docs/fences.ts"

export interface Installed {
  /** A folder in which the package is installed. */
  readonly folder: string
  /** The command. */
  readonly bin: string
}

/** Without the token of whoever runs the tests, and without the package that `npx` runs them with: it is not ours. */
const { API_TOKEN: _token, npm_config_package: _package, npm_config_yes: _yes, ...environment } = process.env

export const run = (command: string, args: ReadonlyArray<string>, cwd: string) =>
  promisify(execFile)(command, args, { cwd, env: { ...environment, npm_config_cache: join(cwd, ".npm") } })

/** Builds the command line, packs the package and installs it. */
export const installed = async (): Promise<Installed> => {
  const place = mkdtempSync(join(tmpdir(), "effect-toolset-"))
  const source = join(place, "package")
  const folder = join(place, "app")
  for (const each of [source, folder]) mkdirSync(each)
  for (const file of ["package.json", "README.md", "LICENSE"]) cpSync(join(root, file), join(source, file))
  const tsup = join(root, "node_modules/tsup/dist/cli-default.js")
  const out = join(source, "dist")
  await run(process.execPath, [tsup, "--config", "tsup.bin.config.ts", "--out-dir", out], root)
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", place], source)
  const archive = readdirSync(place).find((file) => file.endsWith(".tgz"))!
  writeFileSync(join(folder, "package.json"), "{}")
  const bare = ["--offline", "--legacy-peer-deps", "--no-audit", "--no-fund"]
  await run("npm", ["install", ...bare, join(place, archive)], folder)
  return { folder, bin: join(folder, "node_modules/.bin/effect-toolset") }
}
