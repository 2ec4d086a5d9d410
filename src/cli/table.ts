/** Tools as a table, for whoever reads a terminal. */
import { CliOutput } from "effect/cli"
import type { Remark } from "../openapi/report.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { worded } from "./inFlags.ts"
import type { Typed } from "./toolsetOf.ts"

export const table = ({ skipped, tools }: Typed, remarks: ReadonlyArray<Remark>): string =>
  [
    aligned([["NAME", "METHOD", "PATH", "APPROVAL", "DESCRIPTION"], ...tools.map(row)]),
    ...section(`${noTools(skipped.length)}:`, skipped),
    ...section("Worth knowing:", remarks)
  ].join("\n")

const row = ({ description, metadata, name }: ToolDefinition): ReadonlyArray<string> => [
  name,
  String(metadata.method),
  String(metadata.path),
  metadata.approval === true ? "asks" : "",
  firstLine(description ?? "")
]

const aligned = (texts: ReadonlyArray<ReadonlyArray<string>>): string => {
  const rows = texts.map((row) => row.map(plain))
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => CliOutput.displayWidth(row[i]!))))
  const padded = (text: string, i: number) => text + " ".repeat(widths[i]! - CliOutput.displayWidth(text))
  return rows.map((row) => row.map(padded).join("  ").trimEnd()).join("\n")
}

/** Without what a terminal would obey: the document is somebody else's. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, "")

const firstLine = (text: string): string => {
  const [line = ""] = text.split(/\r\n?|\n/)
  return line.length <= longest ? line : `${line.slice(0, longest - 1).trimEnd()}…`
}

const longest = 60

/** That so many operations are no tools. */
export const noTools = (count: number): string =>
  count === 1 ? "1 operation is no tool" : `${count} operations are no tools`

/** What is said of several operations is said once. */
const section = (title: string, remarks: ReadonlyArray<Remark>): ReadonlyArray<string> => {
  if (remarks.length === 0) return []
  const said = new Map<string, Array<string>>()
  for (const { method, path, reason } of remarks) {
    said.set(reason, [...(said.get(reason) ?? []), plain(`${method} ${path}`)])
  }
  const lines = Array.from(said, ([reason, places]) => `  ${shortened(places)}: ${plain(worded(reason))}`)
  return ["", title, ...lines]
}

const shortened = (places: ReadonlyArray<string>): string =>
  places.length <= most
    ? places.join(", ")
    : `${places.slice(0, most).join(", ")} and ${places.length - most} more`

const most = 3
