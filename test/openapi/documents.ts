/** Public documents, where `.ci/documents` has put them. */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { root } from "../docs/fences.ts"

const place = (name: string): string => `${root}.documents/${name}`

/** The names that stand in titles of tests where the files are not there. */
export const isHere = existsSync(place("swagger-client.cjs"))

export const unlessHere = isHere ? "" : " (skipped: run .ci/documents)"

export const textOf = (name: string): string => readFileSync(place(name), "utf8")

/** Another implementation of the requests of a document; it is made for browsers. */
export const swaggerClient = (): any => {
  Object.assign(globalThis, { window: globalThis })
  return createRequire(import.meta.url)(place("swagger-client.cjs"))
}
