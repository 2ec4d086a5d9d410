/** What the words of a description stand for, for those who make toolsets of it and those who say what they mean. */
import type { ToolDefinition } from "effect-toolset"
import type { Edit, Keep, Rename, When } from "./description.ts"

/** The arguments of all tools. */
export interface Args {
  readonly n: number
}

const isEven = ({ name }: { readonly name: string }): boolean => name.length % 2 === 0

export const keeps = (keep: Keep, tool: { readonly name: string }, step: number): boolean =>
  ({ all: true, none: false, even: isEven(tool), now: step % 2 === 1 })[keep]

export const asksAbout = (when: When, tool: { readonly name: string }, { n }: Args): boolean =>
  ({ all: true, never: false, odd: n % 2 === 1, even: isEven(tool) })[when]

export const narrow: ToolDefinition["parameters"] = {
  type: "object",
  properties: { n: { enum: [1] } },
  required: ["n"]
}

/** What a preparer makes of one definition; nothing, where it drops it. */
export const editedOne =
  (edit: Edit, step: number) =>
  (tool: ToolDefinition): ReadonlyArray<ToolDefinition> => {
    switch (edit) {
      case "copy":
        return [{ ...tool }]
      case "describe":
        return [{ ...tool, description: `${tool.description ?? "-"} at ${step}` }]
      case "narrow":
        return [{ ...tool, parameters: narrow }]
      case "external":
      case "unapproved":
        return [{ ...tool, kind: edit }]
      case "now":
        return step % 2 === 1 ? [tool] : []
      default:
        return [tool]
    }
  }

export const edited = (
  edit: Edit,
  tools: ReadonlyArray<ToolDefinition>,
  step: number
): ReadonlyArray<ToolDefinition> => {
  if (edit === "reverse") return tools.toReversed()
  return edit === "tail" ? tools.slice(1) : tools.flatMap(editedOne(edit, step))
}

/** The names to rename by: a function, or a record from new names to the ones that there are. */
export const renaming = (
  rename: Rename,
  names: ReadonlyArray<string>
): ((original: string) => string) | Readonly<Record<string, string>> => {
  const [a, b] = Array.from(new Set(names))
  switch (rename) {
    case "nothing":
      return (name) => name
    case "suffix":
      return (name) => `${name}2`
    case "swap":
      return a === undefined || b === undefined ? {} : { [a]: b, [b]: a }
    case "taken":
      return a === undefined || b === undefined ? {} : { [b]: a }
    case "missing":
      return { new: "nobody" }
    case "none":
      return {}
  }
}

/** The source that one refers to, where there is one before it. */
export const before = (own: number, other: number | "none"): number | undefined =>
  own === 0 || other === "none" ? undefined : other % own
