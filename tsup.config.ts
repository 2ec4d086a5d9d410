import { defineConfig } from "tsup"

// Declarations are made by `tsc`: TypeScript 7 has no compiler API for tsup to bundle them with.
export default defineConfig({
  entry: ["src/index.ts", "src/McpToolset.ts", "src/McpSdk.ts", "src/testing.ts"],
  format: "esm",
  target: "es2023",
  sourcemap: true,
  clean: true,
  dts: false
})
