// Runs an example by its name or number: npm run example -- 02
import { readdirSync } from "node:fs"

const names = readdirSync(new URL(".", import.meta.url)).filter((file) => /^\d\d-.*\.ts$/.test(file))
const [wanted = ""] = process.argv.slice(2)
const file = names.find((name) => wanted !== "" && name.includes(wanted))
if (file === undefined) {
  console.error(
    `There is no example '${wanted}'. There are:\n  ${names.map((name) => name.slice(0, -3)).join("\n  ")}`
  )
  process.exitCode = 1
} else {
  await import(`./${file}`)
}
