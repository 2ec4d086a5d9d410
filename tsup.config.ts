import { defineConfig } from "tsup"
import packageJson from "./package.json" with { type: "json" }

const exports: Record<string, string | { readonly types: string }> = packageJson.exports

// Declarations are made by `tsc`: TypeScript 7 has no compiler API for tsup to bundle them with.
export default defineConfig({
  entry: Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [entry.types.replace("./dist/", "src/").replace(".d.ts", ".ts")]
  ),
  format: "esm",
  target: "es2023",
  sourcemap: true,
  clean: true,
  dts: false
})
