/** What was typed, as a toolset. */
import { Effect, FileSystem, Option, Path, Redacted, References } from "effect"
import type { HttpClient } from "effect/http"
import { make } from "../openapi/make.ts"
import type { Options } from "../openapi/options.ts"
import { documentOf } from "../openapi/place.ts"
import { read } from "../openapi/read.ts"
import { type Remark, report } from "../openapi/report.ts"
import { schemesOf } from "../openapi/security.ts"
import type { Secrets } from "../Secrets.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { ToolNameConflict, type ToolsetError } from "../ToolsetError.ts"
import { approvalRequired } from "../toolset/approvalRequired.ts"
import { filtered } from "../toolset/filtered.ts"
import { list } from "../toolset/list.ts"
import { masked } from "../toolset/masked.ts"
import type { Toolset } from "../toolset/model.ts"
import { prefixed } from "../toolset/prefixed.ts"
import { renamed } from "../toolset/renamed.ts"
import { withMetadata } from "../toolset/withMetadata.ts"
import { CommandFailed } from "./CommandFailed.ts"
import type { Input } from "./flags.ts"
import { inFlags, worded } from "./inFlags.ts"
import { listed, type Selectable, selecting } from "./selector.ts"

/** A toolset, the tools that it lists, and what was chosen and is no tool. */
export interface Typed {
  readonly toolset: Toolset<never, HttpClient.HttpClient | Secrets>
  readonly tools: ReadonlyArray<ToolDefinition>
  readonly skipped: ReadonlyArray<Remark>
  readonly remarks: ReadonlyArray<Remark>
}

export const toolsetOf = (
  input: Input
): Effect.Effect<Typed, CommandFailed, FileSystem.FileSystem | HttpClient.HttpClient | Path.Path | Secrets> =>
  Effect.gen(function* () {
    const document = yield* documentIn(input.openapi)
    const options = yield* optionsOf(document, input)
    const { remarks, skipped, tools } = yield* inFlags(input.openapi, report(document, options))
    const all = [...tools.map(selectable), ...skipped.map(noTool)]
    const selected = (flag: string, texts: ReadonlyArray<string>) =>
      Effect.fromResult(selecting(flag, texts, all))
    const isIncluded = yield* selected("include", input.include)
    const isExcluded = yield* selected("exclude", input.exclude)
    const asks = yield* selected("require-approval", input.requireApproval)
    const isChosen = (one: Selectable) => (input.include.length === 0 || isIncluded(one)) && !isExcluded(one)

    const chosen = tools.filter((tool) => isChosen(selectable(tool)))
    yield* renamable(input.rename, chosen)
    const made = yield* inFlags(input.openapi, make(document, options)).pipe(
      // What is left out is told in our own words.
      Effect.provideService(References.MinimumLogLevel, "Warn")
    )
    const toolset = made.pipe(
      filtered((tool) => isChosen(selectable(tool))),
      withMetadata((tool) => ({ approval: asks(selectable(tool)) })),
      approvalRequired((tool) => tool.metadata.approval === true),
      renamed(input.rename),
      prefixed(Option.getOrElse(input.prefix, () => "")),
      masked
    )
    const typed: Typed = {
      toolset,
      tools: yield* Effect.mapError(list(toolset), unlisted),
      skipped: skipped.filter((remark) => isChosen(noTool(remark))),
      remarks: remarks.filter((remark) => chosen.some(isOf(remark)))
    }
    return typed.tools.length === 0 ? yield* nothing(typed.skipped) : typed
  })

const documentIn = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const text = yield* Effect.mapError(fs.readFileString(file), ({ reason }) =>
      unreadable(file, path.resolve(file), reason._tag)
    )
    return yield* inFlags(file, read(text))
  })

const unreadable = (file: string, path: string, reason: string): CommandFailed =>
  /^https?:\/\//i.test(file)
    ? new CommandFailed({
        problem: `--openapi takes a file, and ${file} is a URL.`,
        hint: `Fetch it first: curl -L -o openapi.json ${file}`
      })
    : new CommandFailed({
        problem: `--openapi '${file}' cannot be read: ${path} (${reason}).`,
        hint: "It is the path of an OpenAPI document, from the folder where the command runs."
      })

const optionsOf = (document: unknown, input: Input): Effect.Effect<Options<"retry">, CommandFailed> =>
  Effect.gen(function* () {
    const { header, headerParam, tokenFor } = input
    const token = Option.getOrUndefined(input.token)
    const schemes = [...schemesOf(documentOf(document))].flatMap(([name, known]) =>
      known === undefined ? [] : name
    )
    const unknown = tokenFor.find((name) => !schemes.includes(name))
    if (unknown !== undefined) return yield* noScheme(unknown, schemes)
    const names = tokenFor.length === 0 ? schemes : tokenFor
    const headers: Record<string, Redacted.Redacted> = {}
    for (const [name, value] of Object.entries(header)) headers[name] = Redacted.make(value)
    if (token !== undefined && names.length === 0) {
      headers.Authorization ??= Redacted.make(`Bearer ${Redacted.value(token)}`)
    }
    return {
      baseUrl: Option.getOrUndefined(input.baseUrl),
      security: token === undefined ? {} : Object.fromEntries(names.map((name) => [name, token])),
      headers,
      headerParams: headerParam
    }
  })

const noScheme = (name: string, schemes: ReadonlyArray<string>): CommandFailed =>
  new CommandFailed({
    problem: `--token-for '${name}' is no security scheme of the document that a token can fill.`,
    hint:
      schemes.length === 0
        ? "It has none: without the flag, the token is sent as a bearer token."
        : `There are: ${schemes.map((scheme) => `'${scheme}'`).join(", ")}.`
  })

const selectable = ({ metadata, name }: ToolDefinition): Selectable => ({
  name,
  method: String(metadata.method),
  path: String(metadata.path),
  group: String(metadata.group)
})

const noTool = ({ group, method, path }: Remark): Selectable => ({ name: undefined, group, method, path })

const isOf =
  ({ method, path }: Remark) =>
  ({ metadata }: ToolDefinition): boolean =>
    metadata.method === method && metadata.path === path

/** The tools that are filtered could change from step to step, as far as `renamed` knows; here they are all there are. */
const renamable = (
  names: Readonly<Record<string, string>>,
  tools: ReadonlyArray<ToolDefinition>
): Effect.Effect<void, CommandFailed> => {
  const known = new Set(tools.map(({ name }) => name))
  const unknown = Object.entries(names).find(([, original]) => !known.has(original))
  if (unknown === undefined) return Effect.void
  const [name, original] = unknown
  return Effect.fail(
    new CommandFailed({
      problem: `--rename ${name}=${original}: there is no tool '${original}'.`,
      hint: known.has(name)
        ? "The new name comes first, then the old one."
        : `There are: ${listed([...known])}.`
    })
  )
}

/** What the finished toolset cannot be listed for. */
export const unlisted = (error: ToolsetError): CommandFailed =>
  error instanceof ToolNameConflict
    ? new CommandFailed({
        problem: `${error.sources.length} tools would be called '${error.toolName}'.`,
        hint: "Give one of them another name with --rename, or leave it out with --exclude."
      })
    : new CommandFailed({ problem: error.problem, hint: worded(error.hint) })

const nothing = (skipped: ReadonlyArray<Remark>): CommandFailed => {
  const [first] = skipped
  return new CommandFailed({
    problem: "No tool is left to offer.",
    hint:
      first === undefined
        ? "Select more with --include, or less with --exclude."
        : `${skipped.length} that were chosen cannot be tools, ${first.method} ${first.path} among them: ${first.reason}.`
  })
}
