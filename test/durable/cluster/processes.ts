/** Processes of a cluster, built and started as a user's would be. */
import { type ChildProcess, spawn } from "node:child_process"
import { createServer } from "node:net"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { build } from "tsup"
import { root } from "../../docs/fences.ts"

const folder = join(root, ".kill-cluster")

/** In one file each they start in a fraction of the time. */
export const built = async (): Promise<void> => {
  rmSync(folder, { recursive: true, force: true })
  const of = (name: string) => join(root, `test/durable/cluster/${name}.ts`)
  await build({
    entry: { runner: of("runner"), client: of("client") },
    outDir: folder,
    format: "esm",
    outExtension: () => ({ js: ".mjs" }),
    noExternal: [/./],
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);'
    },
    config: false,
    silent: true
  })
}

export const removed = (): void => rmSync(folder, { recursive: true, force: true })

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

export interface Runner {
  readonly name: string
  readonly process: ChildProcess
}

/** Started, and listening. */
export const startRunner = async (url: string, name: string): Promise<Runner> => {
  const args = [join(folder, "runner.mjs"), url, String(await freePort()), name]
  const process = spawn(globalThis.process.execPath, args)
  let said = ""
  await new Promise<void>((resolve, reject) => {
    const hear = (data: Buffer) => {
      said += String(data)
      if (said.includes("Listening on")) resolve()
    }
    process.stdout.on("data", hear)
    process.stderr.on("data", hear)
    process.on("exit", () => reject(new Error(`${name} has ended: ${said}`)))
  })
  return { name, process }
}

/** What the client prints. */
export const runClient = (url: string, orders: number): Promise<ReadonlyArray<string>> =>
  new Promise((resolve, reject) => {
    const client = spawn(process.execPath, [join(folder, "client.mjs"), url, String(orders)])
    let said = ""
    client.stdout.on("data", (data) => (said += data))
    client.stderr.on("data", (data) => (said += data))
    client.on("close", (code) => {
      const results = said.split("\n").find((line) => line.startsWith("["))
      if (code === 0 && results !== undefined) resolve(JSON.parse(results) as ReadonlyArray<string>)
      else reject(new Error(`${code}: ${said}`))
    })
  })
