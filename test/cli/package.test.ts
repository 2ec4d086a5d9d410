/** The command line as people get it: packed, installed alone, and run as a process. */
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { filesBelow, root } from "../docs/fences.ts"
import { sessionsOf } from "../docs/sessions.ts"
import { inspected } from "../mcp/inspecting.ts"
import { document, library } from "./library.ts"
import { type Installed, installed, run } from "./packed.ts"

let there: Installed

beforeAll(async () => {
  there = await installed()
  writeFileSync(join(there.folder, "library.yaml"), document)
}, 300_000)

afterAll(() => there !== undefined && rmSync(dirname(there.folder), { recursive: true, force: true }))

/** Both sides of what is printed, in the order of a terminal where only one of them is used. */
const typed = (args: ReadonlyArray<string>) =>
  run(there.bin, args, there.folder).then(
    ({ stderr, stdout }) => ({ code: 0, stderr, stdout }),
    (error: { code: number; stderr: string; stdout: string }) => error
  )

const key = "k3y-for-the-library"
const flags = "--exclude DELETE --require-approval POST --prefix library".split(" ")
const served = (baseUrl: string) => {
  const file = join(there.folder, "library.yaml")
  return ["mcp", "--openapi", file, "--base-url", baseUrl, ...flags]
}

describe("the command line, installed", { timeout: 300_000 }, () => {
  it("is one file that needs nothing else", async () => {
    const modules = join(there.folder, "node_modules")
    assert.deepStrictEqual(
      readdirSync(modules).filter((name) => !name.startsWith(".")),
      ["effect-toolset"]
    )
    assert.deepStrictEqual(readdirSync(join(modules, "effect-toolset/dist")), ["bin.js"])
    assert.isFalse(existsSync(join(modules, "effect-toolset/node_modules")))
    const { stdout } = await run("npx", ["--no", "--", "effect-toolset", "--version"], there.folder)
    assert.match(stdout, /^effect-toolset v\d+\.\d+\.\d+\n$/)
  })

  for (const { commands, place } of filesBelow("docs", ".md").flatMap(sessionsOf)) {
    it(`${place} prints what it says`, async () => {
      assert.isNotEmpty(commands)
      for (const { printed, typed: text } of commands) {
        const words = text.split(" ")
        assert.deepStrictEqual(words.slice(0, 2), ["npx", "effect-toolset"])
        const { stderr, stdout } = await typed(words.slice(2))
        assert.strictEqual((stdout + stderr).trimEnd(), printed)
      }
    })
  }

  it("ends a mistake with 1, a sentence on stderr, and nothing on stdout", async () => {
    const mistakes = [
      ["mcp"],
      ["mcp", "--openapi", "nowhere.yaml"],
      ["mcp", "--openapi", "library.yaml", "--include", "bok"],
      ["mcp", "--openapi", "library.yaml", "--token", "abc"],
      ["mpc"]
    ]
    for (const args of mistakes) {
      const { code, stderr, stdout } = await typed(args)
      assert.deepStrictEqual([code, stdout], [1, ""], args.join(" "))
      assert.notMatch(stderr, /^\s+at /m)
      assert.isNotEmpty(stderr)
    }
  })

  for (const mode of ["legacy", "auto"] as const) {
    it.live(`serves the official client, and asks its user (${mode})`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { baseUrl, seen } = yield* library
          const questions: Array<string> = []
          const answers = [{ action: "accept", content: { approve: true } }, { action: "decline" }] as const
          yield* Effect.promise(async () => {
            const client = new Client(
              { name: "test", version: "1" },
              { capabilities: { elicitation: {} }, versionNegotiation: { mode } }
            )
            client.setRequestHandler("elicitation/create", async ({ params }) => {
              questions.push(params.message)
              return answers[questions.length - 1]!
            })
            const env = { PATH: process.env.PATH!, API_TOKEN: key }
            const transport = new StdioClientTransport({
              command: there.bin,
              args: served(baseUrl),
              env,
              stderr: "pipe"
            })
            let err = ""
            transport.stderr!.on("data", (chunk) => (err += String(chunk)))
            await client.connect(transport)
            try {
              const { tools } = await client.listTools()
              assert.deepStrictEqual(
                tools.map(({ name }) => name),
                ["library_listBooks", "library_addBook", "library_getBook"]
              )
              const book = { path_params: { isbn: "978" } }
              const found = await client.callTool({ name: "library_getBook", arguments: book })
              assert.deepInclude(found.structuredContent, { method: "GET", url: "/books/978", key: "***" })
              const emma = { request_body: { title: "Emma" } }
              const added = await client.callTool({ name: "library_addBook", arguments: emma })
              assert.deepInclude(added.structuredContent, { method: "POST", body: '{"title":"Emma"}' })
              const refused = await client.callTool({ name: "library_addBook", arguments: emma })
              assert.deepInclude(refused, { isError: true })
            } finally {
              await client.close()
            }
            assert.include(err, "Serving 3 tools of ")
            assert.notInclude(err, key)
          })
          assert.lengthOf(questions, 2)
          assert.include(questions[0], '"title": "Emma"')
          assert.deepStrictEqual(
            seen.map(({ headers, method }) => [method, headers["x-api-key"]]),
            [
              ["GET", key],
              ["POST", key]
            ]
          )
        })
      )
    )
  }

  it.live("serves the inspector's command line", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { baseUrl, seen } = yield* library
        const target = [there.bin, ...served(baseUrl)]
        const { err, exitCode, json } = yield* inspected(...target, "--method", "tools/list", "--strict")
        assert.strictEqual(exitCode, 0, err)
        assert.lengthOf(json.tools, 3)
        const call = (tool: string, arg: string) =>
          inspected(...target, "--method", "tools/call", "--tool-name", tool, "--tool-arg", arg)
        const found = yield* call("library_getBook", 'path_params={"isbn":"978"}')
        assert.strictEqual(found.exitCode, 0, found.err)
        assert.deepInclude(found.json.structuredContent, { method: "GET", url: "/books/978" })
        // It cannot ask anybody: the call is not made.
        const added = yield* call("library_addBook", 'request_body={"title":"Emma"}')
        assert.strictEqual(added.exitCode, 5)
        assert.isTrue(added.json.isError)
        assert.deepStrictEqual(
          seen.map(({ method }) => method),
          ["GET"]
        )
      })
    )
  )

  it("has a page that says each of its flags", async () => {
    const { stdout } = await typed(["mcp", "--help"])
    const own = stdout.split("GLOBAL FLAGS")[0]!
    const flags = Array.from(own.matchAll(/^ {2}(--[a-z-]+)/gm), ([, flag]) => flag!)
    assert.isAbove(flags.length, 9)
    const page = readFileSync(join(root, "docs/cli.md"), "utf8")
    for (const flag of flags) assert.include(page, `\`${flag}`, flag)
  })
})
