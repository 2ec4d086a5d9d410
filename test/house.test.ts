/** What the house keeps: rules about the sources themselves. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import packageJson from "../package.json" with { type: "json" }
import { filesBelow, root } from "./docs/fences.ts"

const sources = filesBelow("src", ".ts").map((file) => ({
  path: relative(join(root, "src"), file),
  text: readFileSync(file, "utf8")
}))
const everything = ["src", "test", "examples"].flatMap((folder) => filesBelow(folder, ".ts"))

/** Those that `package.json` exports. */
const entries = Object.keys(packageJson.exports).flatMap((entry) => {
  const name = entry === "." ? "index" : entry.slice("./".length)
  return entry === "./package.json" ? [] : [`${name}.ts`]
})

const importsOf = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/from "(\.\.?\/[^"]+)"/g), ([, specifier]) => specifier!)

const code = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "")

/** Whether a text imports values, or exports them again, on one line or over several, from what is named like that. */
const importsValues = (text: string, named: RegExp): boolean =>
  Array.from(text.matchAll(/^(?:import|export(?= [{*])) (?!type )[^"]*"([^"]+)"/gm)).some(([, specifier]) =>
    named.test(specifier!)
  )

/** What a contents page exports from files, each with the text of its file. */
const exportsOf = (page: string) =>
  Array.from(
    readFileSync(join(root, "src", page), "utf8").matchAll(
      /^export (?:type )?\{([^}]*)\} from "\.\/([^"]+)"/gm
    ),
    ([, names, file]) => ({ names: names!, text: readFileSync(join(root, "src", file!), "utf8") })
  ).flatMap(({ names, text }) =>
    Array.from(names.matchAll(/(?:type )?(\w+)(?: as \w+)?/g), ([, name]) => ({ name: name!, text }))
  )

/** Whether a declaration of that name has a doc comment of its own. */
const isDocumented = (name: string, text: string): boolean =>
  new RegExp(`\\*/\\nexport (interface|type|class|const|function) ${name}\\b`).test(text)

describe("the house", () => {
  it("has no drawers: every file is named after what is in it", () => {
    const drawers = /^(utils?|helpers?|common|misc|types)\.ts$/
    assert.deepStrictEqual(
      sources.filter(({ path }) => drawers.test(basename(path))).map(({ path }) => path),
      []
    )
  })

  it("has files that one can read in one go", () => {
    const long = everything.filter((file) => readFileSync(file, "utf8").split("\n").length > 300)
    assert.deepStrictEqual(long, [])
  })

  it("has contents pages without code, which nobody inside imports", () => {
    const pages = ["Toolset.ts", "Agent.ts", ...entries]
    for (const page of pages) {
      assert.notMatch(code(readFileSync(join(root, "src", page), "utf8")), /=>|function|const /, page)
    }
    const importers = sources.filter(
      ({ path, text }) =>
        !pages.includes(path) &&
        importsOf(text).some((specifier) => pages.includes(join(dirname(path), specifier)))
    )
    assert.deepStrictEqual(
      importers.map(({ path }) => path),
      []
    )
  })

  it("fails with typed errors: nothing throws, and no error is only a text", () => {
    const offenders = sources.filter(({ text }) => /\bthrow\b|new Error\(|Effect\.die\("/.test(code(text)))
    assert.deepStrictEqual(
      offenders.map(({ path }) => path),
      []
    )
  })

  it("takes values from the unstable modules only at its edges", () => {
    const edges =
      /^(agent|sources|interop|neutral|anthropic|aisdk|langchain|aci|testing|durable|rest|httpapi|openapi|mcp|cli)\/|^bin\.ts$/
    const offenders = sources.filter(
      ({ path, text }) => !edges.test(path) && importsValues(text, /^effect\/(ai|http|http-api|cli)$/)
    )
    // The history of a run outside of runs is empty, and only effect/ai can make an empty one; requests hold histories.
    assert.deepStrictEqual(
      offenders.map(({ path }) => path),
      ["Deferred.ts", "RunContext.ts"]
    )
  })

  it("says of everything that it exports what it is", () => {
    const silent = ["Toolset.ts", "Agent.ts", ...entries].flatMap((page) =>
      exportsOf(page)
        .filter(({ name, text }) => !isDocumented(name, text))
        .map(({ name }) => `${page}: ${name}`)
    )
    assert.deepStrictEqual(silent, [])
  })

  it("sees an import over several lines, and not one of types", () => {
    const http = /^effect\/http$/
    assert.isTrue(importsValues('import {\n  HttpClient,\n  type Headers\n} from "effect/http"\n', http))
    assert.isTrue(
      importsValues('import { Effect } from "effect"\nimport { HttpClient } from "effect/http"', http)
    )
    assert.isFalse(importsValues('import type {\n  HttpClient\n} from "effect/http"\n', http))
    assert.isFalse(
      importsValues(
        'import {\n  Effect\n} from "effect"\nimport type { HttpClient } from "effect/http"',
        http
      )
    )
  })

  it("catches signals in one place", () => {
    const catchers = sources.filter(({ text }) =>
      /catch\w*\([^)]*"(ModelRetry|ToolFailed|ApprovalRequired|CallDeferred)"/.test(code(text))
    )
    assert.deepStrictEqual(
      catchers.map(({ path }) => path),
      []
    )
  })

  it("has a test for every combinator and source", () => {
    const page = readFileSync(join(root, "src/Toolset.ts"), "utf8")
    const modules = Array.from(page.matchAll(/"\.\/((?:toolset|interop)\/\w+)\.ts"/g), ([, path]) => path!)
    const pages = ["toolset/model", "toolset/failure"]
    const isTested = (path: string) =>
      [path, path.replace("toolset/", "operators/")].some((path) =>
        existsSync(join(root, `test/${path}.test.ts`))
      )
    const untested = modules.filter((path) => !pages.includes(path) && !isTested(path))
    assert.deepStrictEqual(untested, ["toolset/empty"])
  })

  it("promises nothing it does not have", () => {
    const offenders = everything.filter(
      (file) => !file.endsWith("house.test.ts") && /\b(TODO|FIXME|XXX)\b/.test(readFileSync(file, "utf8"))
    )
    assert.deepStrictEqual(offenders, [])
  })
})
