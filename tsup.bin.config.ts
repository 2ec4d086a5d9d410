import { defineConfig } from "tsup"

/** The command line in one file: `npx` installs neither development dependencies nor optional peers. */
export default defineConfig({
  entry: ["src/bin.ts"],
  format: "esm",
  platform: "node",
  target: "node20",
  noExternal: [/./],
  splitting: false,
  minify: true,
  banner: {
    js: '#!/usr/bin/env node\nimport { createRequire } from "node:module"; const require = createRequire(import.meta.url);'
  },
  dts: false
})
