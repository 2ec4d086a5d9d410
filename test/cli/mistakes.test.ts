import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { document } from "./library.ts"
import { documentOf, listing, servers } from "./listing.ts"
import { ran } from "./running.ts"

describe("a mistake", () => {
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
    ["a base URL with a query", document, ["--base-url", "https://a.b/c?d"], "without a query, a fragment"],
    ["a base URL with a password", document, ["--base-url", "https://ada:pw@a.b/c"], "a user or a password"],
    [
      "a name given to two tools",
      document,
      ["--rename", "a=addBook", "--rename", "a=getBook"],
      "Invalid value for flag --rename. Expected: each NEW once"
    ],
    ["a renaming without a name", document, ["--rename", "addBook"], "--rename. Expected: NEW=OLD"],
    [
      "a header given twice",
      document,
      ["--header", "X-A=1", "--header", "x-a=2"],
      "Invalid value for flag --header. Expected: each NAME once"
    ],
    ["a header that is none", document, ["--header", "X A=1"], "--header. Expected: NAME=VALUE"],
    [
      "a header that cannot be sent",
      document,
      ["--header", "X-A=1\n2"],
      "Its --header give 'X-A' a value that cannot be sent."
    ],
    [
      "a token that cannot be sent",
      document,
      ["--token", "se€cret"],
      "Its --token fills 'key' with what cannot be sent."
    ],
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
        ["--token", "s3cr3t-value", "--include", "x"],
        ["--header", "Authorization: Bearer s3cr3t-value"],
        ["--header", "Authorization: Bearer s3cr3t=value"],
        ["--header", "X-Key=s3cr3t\nvalue"],
        ["--header", "X-Key=s3cr3t-value", "--header", "x-key=s3cr3t-value"],
        ["--base-url", "https://ada:s3cr3t@a.b/c"],
        ["--token", "s3cr3t€-value"]
      ]) {
        const { err, failed, out } = yield* listing(document, flags)
        assert.isTrue(failed)
        assert.notInclude(err + out, "s3cr3t")
      }
      const before = yield* ran(["--token", "s3cr3t-value", "list", "--openapi", "library.yaml"])
      assert.isTrue(before.failed)
      assert.notInclude(before.err + before.out, "s3cr3t")
    })
  )
})
