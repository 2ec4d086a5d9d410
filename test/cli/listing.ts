/** What `list` prints. */
import { Effect } from "effect"
import { join } from "node:path"
import { folderWith } from "./library.ts"
import { ran } from "./running.ts"

/** A document of paths, as JSON, and what else it says. */
export const documentOf = (paths: object, rest: object = {}) =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths, ...rest })

export const servers = [{ url: "https://api.example.com" }]
/** What is printed for a document. */
export const listing = (text: string, flags: ReadonlyArray<string> = [], env: Record<string, string> = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* folderWith({ document: text })
      const file = join(folder, "document")
      const { err, failed, out } = yield* ran(["list", "--openapi", file, ...flags], env)
      return { failed, out, err: err.replaceAll(file, "FILE") }
    })
  )
