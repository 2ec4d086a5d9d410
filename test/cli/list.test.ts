import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { version } from "../../src/cli/command.ts"
import { document, folderWith } from "./library.ts"
import { ran } from "./running.ts"

/** A document of paths, as JSON, and what else it says. */
const documentOf = (paths: object, rest: object = {}) =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths, ...rest })

const servers = [{ url: "https://api.example.com" }]
const requiring = {
  parameters: [{ in: "header", name: "Notion-Version", required: true, schema: { type: "string" } }]
}

/** What is printed for a document. */
const listing = (text: string, flags: ReadonlyArray<string> = [], env: Record<string, string> = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* folderWith({ document: text })
      const file = join(folder, "document")
      const { err, failed, out } = yield* ran(["list", "--openapi", file, ...flags], env)
      return { failed, out, err: err.replaceAll(file, "FILE") }
    })
  )

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

  const wrong: ReadonlyArray<readonly [string, string, ReadonlyArray<string>, string]> = [
    [
      "a selector of nothing",
      document,
      ["--include", "bok"],
      "--include 'bok' selects nothing. There are the groups 'books';"
    ],
    [
      "an approval of nothing",
      document,
      ["--require-approval", "/nope"],
      "--require-approval '/nope' selects nothing."
    ],
    [
      "nothing left",
      document,
      ["--exclude", "*"],
      "No tool is left to offer. Select more with --include, or less with --exclude."
    ],
    [
      "only what cannot be a tool",
      document,
      ["--include", "PUT"],
      "No tool is left to offer. 1 that were chosen cannot be tools, PUT /books/{isbn}/cover among them: its request body is image/png."
    ],
    [
      "an unknown original",
      document,
      ["--rename", "a=b"],
      "There is no tool 'b' to rename. There are: 'listBooks',"
    ],
    [
      "an original that is left out",
      document,
      ["--rename", "a=getBook", "--exclude", "GET"],
      "There is no tool 'getBook' to rename."
    ],
    [
      "a map the wrong way round",
      document,
      ["--rename", "getBook=find"],
      "It goes from new names to original ones."
    ],
    [
      "a name that is taken",
      document,
      ["--rename", "addBook=getBook"],
      "2 tools would be called 'addBook'. Give one of them another name with --rename"
    ],
    ["a name that is none", document, ["--prefix", "my library"], "--rename gives a tool another name."],
    ["a base URL that is none", document, ["--base-url", "library"], "--base-url"],
    ["a base URL with a query", document, ["--base-url", "https://a.b/c?d"], "without a query or a fragment"],
    ["a short token", document, ["--token", "abc"], "at least 6 characters"],
    ["an empty token", document, ["--token", ""], "at least 6 characters"],
    ["an unknown scheme", document, ["--token-for", "oauth"], "There are: 'key'."],
    [
      "a scheme where there is none",
      documentOf({ "/a": { get: {} } }, { servers }),
      ["--token-for", "oauth"],
      "without the flag, the token is sent as a bearer token."
    ],
    [
      "no server",
      documentOf({ "/a": { get: {} } }),
      [],
      "FILE: No operation can be sent: it has no server: give a --base-url (at #/servers)."
    ],
    [
      "Swagger 2",
      JSON.stringify({ swagger: "2.0" }),
      [],
      "FILE: The document is of OpenAPI 2 (Swagger) (at #/swagger). Convert it to OpenAPI 3 first."
    ],
    [
      "another file",
      "hello",
      [],
      "FILE: The document is no object (at #). Give an OpenAPI 3.0 or 3.1 document."
    ],
    ["half a file", '{"openapi":', [], "FILE: The text is neither JSON nor YAML:"],
    ["a flag that is none", document, ["--inclde", "a"], "--include"],
    ["a stray argument", document, ["books"], "There is an argument without a flag before it."]
  ]
  for (const [what, text, flags, message] of wrong) {
    it.effect(`${what} is one message, and nothing on stdout`, () =>
      Effect.gen(function* () {
        const { err, failed, out } = yield* listing(text, flags)
        assert.deepStrictEqual([failed, out], [true, ""])
        assert.include(err, message)
        assert.notMatch(err, /^\s+at |`/m)
      })
    )
  }

  it.effect("a file that is not there, a folder and a URL are told apart", () =>
    Effect.gen(function* () {
      const there = yield* ran(["list", "--openapi", "nowhere.yaml"])
      assert.include(there.err, "--openapi 'nowhere.yaml' cannot be read: ")
      assert.include(there.err, "nowhere.yaml (NotFound). It is the path of an OpenAPI document")
      assert.isTrue((yield* ran(["list", "--openapi", "."])).failed)
      const url = yield* ran(["list", "--openapi", "https://api.example.com/openapi.json"])
      assert.include(url.err, "Fetch it first: curl -L -o openapi.json https://api.example.com/openapi.json")
    })
  )

  it.effect("no message repeats a secret that was typed behind a misspelled flag, or the token", () =>
    Effect.gen(function* () {
      for (const flags of [
        ["--tokn", "s3cr3t-value"],
        ["s3cr3t-value"],
        ["--token", "s3cr3t-value", "--include", "x"]
      ]) {
        const { err, failed, out } = yield* listing(document, flags)
        assert.isTrue(failed)
        assert.notInclude(err + out, "s3cr3t")
      }
    })
  )
})
