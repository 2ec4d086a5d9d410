/** The bugs of `mutants.txt`, read. */
import { readFileSync } from "node:fs"

export interface Mutation {
  readonly law: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** The files of tests that have to find it. */
  readonly tests: ReadonlyArray<string>
}

const text = readFileSync(new URL("./mutants.txt", import.meta.url), "utf8")

/** Paragraphs: what they are about, then three lines for each bug. */
const paragraphs = text.trimEnd().split("\n\n").slice(1)

export const mutations: ReadonlyArray<Mutation> = paragraphs.flatMap((paragraph) => {
  const [head = "", ...lines] = paragraph.split("\n")
  const [file = "", names = ""] = head.split(": ")
  const tests = names.split(" ").map((name) => (name.includes("/") ? name : `test/laws/${name}.test.ts`))
  return Array.from({ length: lines.length / 3 }, (_, i) => {
    const [law = "", find = "", replace = ""] = lines.slice(3 * i, 3 * i + 3)
    return { law, file, find: find.slice(2), replace: replace.slice(2), tests }
  })
})
