import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import packageJson from "../../package.json" with { type: "json" }
import { version } from "../../src/cli/command.ts"
import { document } from "./library.ts"
import { documentOf, listing, servers } from "./listing.ts"

const requiring = {
  parameters: [{ in: "header", name: "Notion-Version", required: true, schema: { type: "string" } }]
}

const names = (text: string) =>
  text
    .split("\n\n")[0]!
    .split("\n")
    .slice(1)
    .map((line) => line.split(" ")[0])

describe("list", () => {
  it("has the version of the package", () => assert.strictEqual(version, packageJson.version))

  const chosen: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
    [[], "listBooks addBook getBook removeBook"],
    [["--include", "GET"], "listBooks getBook"],
    [["--include", "/books", "--include", "removeBook"], "listBooks addBook removeBook"],
    [["--include", "books", "--exclude", "GET"], "addBook removeBook"],
    [["--exclude", "*Book"], "listBooks"],
    [["--rename", "find=getBook", "--rename", "add=addBook"], "listBooks add find removeBook"],
    [["--rename", "getBook=addBook", "--rename", "addBook=getBook"], "listBooks getBook addBook removeBook"],
    [["--prefix", "lib", "--include", "getBook"], "lib_getBook"],
    [["--prefix", "lib", "--rename", "find=getBook", "--include", "getBook"], "lib_find"]
  ]
  for (const [flags, expected] of chosen) {
    it.effect(`${flags.join(" ") || "without flags"} gives ${expected}`, () =>
      Effect.gen(function* () {
        const { err, failed, out } = yield* listing(document, flags)
        assert.deepStrictEqual([failed, err], [false, ""])
        assert.strictEqual(names(out).join(" "), expected)
      })
    )
  }

  it.effect("reads JSON as well", () =>
    Effect.gen(function* () {
      const json = documentOf({ "/a": { get: { operationId: "a" } } }, { servers })
      assert.deepStrictEqual(names((yield* listing(json)).out), ["a"])
    })
  )

  it.effect("says which tools are asked about, in the table and as JSON", () =>
    Effect.gen(function* () {
      const flags = ["--require-approval", "POST", "--require-approval", "removeBook"]
      const { out } = yield* listing(document, flags)
      const asking = out.split("\n").filter((line) => line.includes(" asks "))
      assert.deepStrictEqual(
        asking.map((line) => line.split(" ")[0]),
        ["addBook", "removeBook"]
      )
      const json = JSON.parse((yield* listing(document, [...flags, "--json"])).out) as ReadonlyArray<any>
      assert.deepStrictEqual(
        json.map(({ approval }) => approval),
        [false, true, false, true]
      )
      assert.deepStrictEqual(json[2], {
        name: "getBook",
        description: "One book.",
        method: "GET",
        path: "/books/{isbn}",
        group: "books",
        approval: false,
        parameters: {
          type: "object",
          properties: {
            path_params: {
              type: "object",
              properties: { isbn: { type: "string" } },
              required: ["isbn"],
              additionalProperties: false
            }
          },
          required: ["path_params"],
          additionalProperties: false
        }
      })
    })
  )

  it.effect("says what is no tool, and what is missing, of what was chosen", () =>
    Effect.gen(function* () {
      const all = yield* listing(document)
      assert.include(
        all.out,
        "1 operation is no tool:\n  PUT /books/{isbn}/cover: its request body is image/png"
      )
      assert.include(all.out, "it needs key, which --token does not give")
      const given = yield* listing(document, ["--exclude", "PUT", "--token", "k3y-for-the-library"])
      assert.notInclude(given.out, "no tool")
      assert.notInclude(given.out, "Worth knowing")
      assert.notInclude(
        (yield* listing(document, [], { API_TOKEN: "k3y-for-the-library" })).out,
        "Worth knowing"
      )
    })
  )

  it.effect("says which flag gives a header that is required, and takes it", () =>
    Effect.gen(function* () {
      const notion = documentOf(
        { "/a": { get: { operationId: "a", ...requiring } }, "/b": { get: { operationId: "b" } } },
        { servers }
      )
      const without = yield* listing(notion)
      assert.include(
        without.out,
        "GET /a: it needs the header 'Notion-Version': give it in --header, or let the model fill it in with --header-param"
      )
      for (const flags of [
        ["--header", "Notion-Version=2"],
        ["--header-param", "Notion-Version"]
      ]) {
        assert.deepStrictEqual(names((yield* listing(notion, flags)).out), ["a", "b"])
      }
    })
  )

  it.effect("keeps a long list of operations with one fault short, and long descriptions to a line", () =>
    Effect.gen(function* () {
      const upload = { put: { requestBody: { content: { "image/png": {} } } } }
      const paths = Object.fromEntries(["/a", "/b", "/c", "/d", "/e"].map((path) => [path, upload]))
      const long = { get: { operationId: "long", summary: `${"word ".repeat(40)}\nsecond line` } }
      const { out } = yield* listing(documentOf({ ...paths, "/long": long }, { servers }))
      assert.include(out, "5 operations are no tools:\n  PUT /a, PUT /b, PUT /c and 2 more: ")
      assert.match(out, /word word…$/m)
      assert.notInclude(out, "second line")
    })
  )

  it.effect("prints nothing of a document that a terminal would obey", () =>
    Effect.gen(function* () {
      const paths = {
        "/a": { get: { operationId: "a", summary: "Clears\u001B[2J the \u202Escreen.\r\nsecond line" } },
        "/b\u0007": { put: { requestBody: { content: { "image/\u001B[31m": {} } } } }
      }
      const { out } = yield* listing(documentOf(paths, { servers }))
      assert.match(out, /Clears\[2J the screen\.$/m)
      assert.include(out, "PUT /b: ")
      assert.notMatch(out, /[^\P{Cc}\n]|\u202E/u)
    })
  )
})
