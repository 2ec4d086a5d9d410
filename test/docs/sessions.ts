/** Sessions at a prompt in Markdown: commands, and what they print. */
import { readFileSync } from "node:fs"
import { relative } from "node:path"
import { root } from "./fences.ts"

export interface Session {
  /** Where it stands: `docs/cli.md:40`. */
  readonly place: string
  /** What is typed after the prompt, and the lines that come then. */
  readonly commands: ReadonlyArray<{ readonly typed: string; readonly printed: string }>
}

export const sessionsOf = (file: string): ReadonlyArray<Session> => {
  const text = readFileSync(file, "utf8")
  return Array.from(text.matchAll(/^```console\n([\s\S]*?)^```$/gm), ({ 1: inside = "", index }) => ({
    place: `${relative(root, file)}:${text.slice(0, index).split("\n").length}`,
    commands: inside
      .split(/^\$ /m)
      .slice(1)
      .map((command) => {
        const [typed = "", ...lines] = command.split("\n")
        return { typed, printed: lines.join("\n").trimEnd() }
      })
  }))
}
