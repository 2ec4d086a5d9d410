/** The demo runs as a reader runs it, and shows what it is there to show. */
import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "./fences.ts"

/** But for the date, for how long calls took, and for the order in which those of one step end. */
const expected = `
opened   the HTTP client of the stations
step 1   the model sees stations_all, weather_at, almanac_today, almanac_feels_like, announce
called   almanac_today({}): "DATE"
called   stations_all({}): [{"id":"rvk","name":"Reykjavík","country":"IS"},{"id":"ler","name":"Lerwick","country":"GB"}]
step 2   the model sees stations_all, weather_at, almanac_today, almanac_feels_like, announce
called   weather_at({"station":"rvk"}): {"celsius":4.5,"wind":11,"sky":"sleet"}
step 3   the model sees stations_all, weather_at, almanac_today, almanac_feels_like, announce
called   weather_at({"station":"ler"}): {"celsius":9,"wind":17,"sky":"rain"}
step 4   the model sees stations_all, weather_at, almanac_today, almanac_feels_like, announce
called   almanac_feels_like({"celsius":9,"wind":17}): {"celsius":3.6}
step 5   the model sees stations_all, weather_at, almanac_today, almanac_feels_like, announce
asked    announce({"text":"Lerwick it is."})? Yes.
called   announce({"text":"Lerwick it is."}): "announced at https://radio:***@host: Lerwick it is."
step 6   the model sees stations_all, weather_at, almanac_today, almanac_feels_like, announce
closed   the HTTP client of the stations
answer   Lerwick is warmer, though in its wind it feels like 3.6 °C. I have said so. (6 requests, 6 calls)
`

const inOrder = (output: string): string =>
  output
    .replaceAll(/"\d{4}-\d\d-\d\d"/g, '"DATE"')
    .replaceAll(/ in \d+\.\d{3} s:/g, ":")
    .replaceAll(/(^called .*\n)+/gm, (calls) => `${calls.trimEnd().split("\n").toSorted().join("\n")}\n`)
    .trim()

describe("the demo", () => {
  it(
    "shows REST, an MCP server over stdio, an approval and a masked secret",
    { timeout: 300_000 },
    async () => {
      const tsx = join(root, "node_modules/tsx/dist/cli.mjs")
      const run = promisify(execFile)(process.execPath, [tsx, "examples/demo.ts"], { cwd: root })
      const { stderr, stdout } = await run
      assert.strictEqual(stderr, "")
      assert.strictEqual(inOrder(stdout), expected.trim())
    }
  )

  it("is a page", () => {
    assert.isBelow(readFileSync(join(root, "examples/demo.ts"), "utf8").trimEnd().split("\n").length, 60)
  })
})
