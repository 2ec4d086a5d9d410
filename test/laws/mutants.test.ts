/** The bugs of `mutants.txt` can be put where they say; that the laws find them is seen with `npm run mutants`. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { mutations } from "./mutations.ts"

const at = (path: string) => new URL(`../../${path}`, import.meta.url)

describe("a mutant", () => {
  for (const { file, find, law, replace, tests } of mutations) {
    it(`has its place, once: ${law} (${file})`, () => {
      assert.strictEqual(readFileSync(at(file), "utf8").split(find).length, 2, find)
      assert.notStrictEqual(replace, find)
      assert.isTrue(tests.length > 0 && tests.every((test) => existsSync(at(test))))
    })
  }
})
