import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

// The reporter of vitest 5 prints failures with `Map.groupBy`, which Node 20 lacks.
Map.groupBy ??= (items, key) => {
  const groups = new Map()
  let index = 0
  for (const item of items) {
    const name = key(item, index++)
    groups.set(name, [...(groups.get(name) ?? []), item])
  }
  return groups
}

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^effect-toolset$/, replacement: source("index.ts") },
      { find: /^effect-toolset\/(.*)$/, replacement: source("$1.ts") }
    ]
  },
  test: {
    include: ["test/**/*.test.ts"],
    // No test changes what others see, and to load everything anew for each file takes longer than the tests.
    isolate: false,
    // Property tests take as long as they take; this is for those that hang.
    testTimeout: 120_000,
    typecheck: { enabled: true, include: ["test/types/**/*.test-d.ts"], tsconfig: "./tsconfig.json" }
  }
})
