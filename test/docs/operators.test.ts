/** Every operator for production has a law, an example, a row in the table, and bugs that its tests have to find. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { mutations } from "../laws/mutations.ts"
import { filesBelow, root } from "./fences.ts"

const read = (file: string): string => readFileSync(file, "utf8")
const page = read(join(root, "src/Toolset.ts"))

/** Those of the contents page that have their tests here: what `house.test.ts` holds them to. */
const operators = filesBelow("test/operators", ".test.ts")
  .map((file) => basename(file, ".test.ts"))
  .filter((name) => page.includes(`"./toolset/${name}.ts"`))
const laws = filesBelow("test/laws", ".test.ts").map(read).join("\n")
const examples = filesBelow("examples", ".ts")
  .filter((file) => /^\d\d-/.test(basename(file)))
  .map(read)
  .join("\n")
const [, table = ""] = read(join(root, "docs/operators.md")).split("## Which one")

describe("an operator for production", () => {
  it("is one of those", () => {
    assert.includeMembers(
      [...operators],
      [
        "masked",
        "traced",
        "metered",
        "truncated",
        "cached",
        "retried",
        "limited",
        "concurrency",
        "rateLimited"
      ]
    )
    assert.includeMembers(
      [...operators],
      ["guard", "stubbed", "searchable", "named", "hasMetadata", "orElse"]
    )
  })

  for (const name of operators) {
    it(`has its law: ${name}`, () => {
      // `traced` and `metered` have the same ones.
      assert.match(laws, new RegExp(`describe\\("${name}"|^  ${name}: Toolset`, "m"))
    })

    it(`has an example: ${name}`, () => assert.match(examples, new RegExp(`Toolset\\.${name}\\b`)))

    it(`has its row in the table: ${name}`, () => assert.match(table, new RegExp(`^\\|.*\`${name}\\b`, "m")))

    it(`has bugs that have to be found: ${name}`, () =>
      assert.isTrue(mutations.some(({ file }) => file === `src/toolset/${name}.ts`)))
  }
})
