/** Code in Markdown and in doc comments that says it runs, and what it says it prints. */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"

export interface Fence {
  /** Where it stands: `src/toolset/tool.ts:51`. */
  readonly place: string
  readonly code: string
  /** What it prints, a line each. */
  readonly expected: ReadonlyArray<string>
}

/** A fence opens with this; the lines after `//>` are what the code before them prints. */
const opening = /^```ts run\s*$/

export const root = new URL("../../", import.meta.url).pathname

export const filesBelow = (folder: string, ending: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(root, folder, file))
    .toSorted()

export const fencesOf = (file: string): ReadonlyArray<Fence> => {
  const isComment = file.endsWith(".ts")
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => (isComment ? line.replace(/^\s*\* ?/, "") : line))
  const fences: Array<Fence> = []
  for (let i = 0; i < lines.length; i++) {
    if (!opening.test(lines[i]!)) continue
    const end = lines.indexOf("```", i)
    const inside = lines.slice(i + 1, end)
    fences.push({
      place: `${relative(root, file)}:${i + 1}`,
      code: inside.filter((line) => !isOutput(line)).join("\n"),
      expected: inside.filter(isOutput).map(outputOf)
    })
    i = end
  }
  return fences
}

const isOutput = (line: string): boolean => /^\s*\/\/>/.test(line)

const outputOf = (line: string): string => line.replace(/^\s*\/\/> ?/, "")

/** The lines after `//>` of a whole program. */
export const outputsIn = (program: string): ReadonlyArray<string> =>
  program.split("\n").filter(isOutput).map(outputOf)

/** Output, but for where its lines break. */
export const unwrapped = (output: string): string => output.replace(/\s+/g, " ").trim()
