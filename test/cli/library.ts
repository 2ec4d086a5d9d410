/** The document of docs/cli.md, and a service that is as it says. */
import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Path } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { json, recording } from "../rest/server.ts"
import { root } from "../docs/fences.ts"

const page = readFileSync(join(root, "docs/cli.md"), "utf8")
const [, yaml = ""] = /^```yaml library\.yaml\n([\s\S]*?)^```$/m.exec(page) ?? []

export const document = yaml

/** A folder with files. */
export const folderWith = (files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = yield* fs.makeTempDirectoryScoped()
    for (const [name, text] of Object.entries(files)) yield* fs.writeFileString(path.join(folder, name), text)
    return folder
  }).pipe(Effect.provide(NodeServices.layer), Effect.orDie)

/** The service: it repeats what it was sent, the key too. */
export const library = recording(({ body, headers, method, url }) =>
  url.includes("missing")
    ? json({ error: `no such book, ${headers["x-api-key"]}` }, 404)
    : json({ method, url, key: headers["x-api-key"], body })
)
