/** What was typed, as a toolset. */
import { Effect, FileSystem, Option, Path, Redacted, References, Result } from "effect"
import type { HttpClient } from "effect/http"
import { make } from "../openapi/make.ts"
import { namesOf } from "../openapi/names.ts"
import { type Operation, operationsOf } from "../openapi/operations.ts"
import type { Options } from "../openapi/options.ts"
import { documentOf } from "../openapi/place.ts"
import { read } from "../openapi/read.ts"
import { type Remark, report } from "../openapi/report.ts"
import { schemesOf } from "../openapi/security.ts"
import { survey } from "../openapi/survey.ts"
import type { Secrets } from "../Secrets.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { ToolNameConflict, type ToolsetError } from "../ToolsetError.ts"
import { approvalRequired } from "../toolset/approvalRequired.ts"
import { list } from "../toolset/list.ts"
import { masked } from "../toolset/masked.ts"
import type { Toolset } from "../toolset/model.ts"
import { prefixed } from "../toolset/prefixed.ts"
import { renamed } from "../toolset/renamed.ts"
import { withMetadata } from "../toolset/withMetadata.ts"
import { CommandFailed } from "./CommandFailed.ts"
import type { Input } from "./flags.ts"
import { inFlags, worded } from "./inFlags.ts"
import { selecting } from "./selector.ts"

/** A toolset, the tools that it lists, what was chosen and is no tool, and what is worth knowing about the others. */
export interface Typed {
  readonly toolset: Toolset<never, HttpClient.HttpClient | Secrets>
  readonly tools: ReadonlyArray<ToolDefinition>
  readonly skipped: ReadonlyArray<Remark>
  readonly remarks: Effect.Effect<ReadonlyArray<Remark>, CommandFailed>
}

export const toolsetOf = (
  input: Input
): Effect.Effect<Typed, CommandFailed, FileSystem.FileSystem | HttpClient.HttpClient | Path.Path | Secrets> =>
  Effect.gen(function* () {
    const { openapi } = input
    const document = yield* documentIn(openapi)
    const { asks, isChosen } = yield* Effect.fromResult(selection(document, input))
    // What is not chosen is not looked at any further: documents have a thousand operations.
    const options = { ...(yield* optionsOf(document, input)), include: isChosen }
    const { skipped } = yield* inFlags(openapi, survey(document, options))
    const made = yield* inFlags(openapi, make(document, options)).pipe(
      // What is left out is told in our own words.
      Effect.provideService(References.MinimumLogLevel, "Warn")
    )
    const toolset = made.pipe(
      withMetadata(({ metadata }) => ({ approval: asks(metadata as unknown as Place) })),
      approvalRequired((tool) => tool.metadata.approval === true),
      renamed(input.rename),
      prefixed(Option.getOrElse(input.prefix, () => "")),
      masked
    )
    const typed: Typed = {
      toolset,
      tools: yield* Effect.mapError(list(toolset), unlisted),
      skipped: skipped.map(([operation, fault]) => ({ ...operation, ...fault })),
      remarks: Effect.map(inFlags(openapi, report(document, options)), ({ remarks }) => remarks)
    }
    return typed.tools.length === 0 ? yield* nothing(typed.skipped) : typed
  })

type Place = Pick<Operation, "method" | "path">

/** What the selectors say of the operations of a document, by their place in it. */
const selection = (document: unknown, { exclude, include, requireApproval }: Input) =>
  Result.gen(function* () {
    const { broken, located } = operationsOf(documentOf(document))
    const operations = [
      ...located.map(({ operation }) => operation),
      ...broken.map(([operation]) => operation)
    ]
    const names = namesOf(located.map(({ operation }) => operation))
    const all = operations.map((operation) => ({ ...operation, name: names.get(operation) }))
    const selected = (flag: string, texts: ReadonlyArray<string>) =>
      Result.map(selecting(flag, texts, all), (selects) => {
        const places = new Set(all.filter(selects).map(placeOf))
        return (place: Place): boolean => places.has(placeOf(place))
      })
    const isIncluded = yield* selected("include", include)
    const isExcluded = yield* selected("exclude", exclude)
    return {
      isChosen: (place: Place) => (include.length === 0 || isIncluded(place)) && !isExcluded(place),
      asks: yield* selected("require-approval", requireApproval)
    }
  })

const placeOf = ({ method, path }: Place): string => `${method} ${path}`

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

/** What the finished toolset cannot be listed for. */
export const unlisted = (error: ToolsetError): CommandFailed =>
  error instanceof ToolNameConflict
    ? new CommandFailed({
        problem: `${error.sources.length} tools would be called '${error.toolName}'.`,
        hint: "Give one of them another name with --rename, or leave it out with --exclude."
      })
    : new CommandFailed({ problem: worded(error.problem), hint: worded(error.hint) })

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
