/** What the servers of the tests offer, whatever they are built on. */
import { appendFileSync, existsSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"

const draft07 = "http://json-schema.org/draft-07/schema#"
const object = (properties = {}, more = {}) => ({ type: "object", properties, ...more })
const numbers = object(
  { a: { type: "number" }, b: { $ref: "#/definitions/B" } },
  { $schema: draft07, required: ["a", "b"], definitions: { B: { type: "number" } } }
)

export const instructions = "Use these tools with care."

/** Lists may grow. */
export const tools = [
  {
    name: "add",
    title: "Adder",
    // A server may be another one when it is started again.
    description: process.env.ADDER ?? "Adds two numbers.",
    inputSchema: numbers,
    annotations: { readOnlyHint: true },
    _meta: { team: "maths" }
  },
  { name: "files.read", inputSchema: object() },
  { name: `long_${"x".repeat(70)}`, inputSchema: object() },
  { name: "text", inputSchema: object({ texts: { type: "array", items: { type: "string" } } }) },
  {
    name: "structured",
    inputSchema: object(),
    outputSchema: { $schema: draft07, ...object({ city: { type: "string" } }), required: ["city"] }
  },
  {
    name: "wrapped",
    inputSchema: object(),
    outputSchema: object({ result: { type: "array", items: { type: "number" } } }, { required: ["result"] })
  },
  { name: "picture", inputSchema: object() },
  { name: "resources", inputSchema: object() },
  {
    name: "conditional",
    inputSchema: object({ kind: { type: "string" } }, { not: { required: ["forbidden"] } })
  },
  { name: "fails", inputSchema: object({ text: { type: "string" } }) },
  { name: "throws", inputSchema: object() },
  { name: "slow", inputSchema: object({ parts: { type: "number" } }) },
  { name: "never", inputSchema: object() },
  { name: "huge", inputSchema: object({ megabytes: { type: "number" } }) },
  { name: "dies", inputSchema: object() },
  { name: "dies_once", inputSchema: object(), annotations: { idempotentHint: true } },
  { name: "always_dies", inputSchema: object(), annotations: { readOnlyHint: true } },
  { name: "leaves", inputSchema: object() },
  { name: "grow", inputSchema: object() },
  { name: "environment", inputSchema: object() },
  { name: "process", inputSchema: object() }
]

const text = (...texts) => ({ content: texts.map((text) => ({ type: "text", text })) })
const pixel = "iVBORw0KGgo="

/** Each call is written down where the test says, since those who make it and those who count are in two processes. */
export const record = (line) => {
  if (process.env.CALLS !== undefined) appendFileSync(process.env.CALLS, `${line}\n`)
}

const crash = () => {
  process.stderr.write(
    `fatal: the key ${process.env.SECRET} was refused\n    at crash (/srv/offer.mjs:1:1)\n`
  )
  process.exit(3)
}

/** `context`: `signal`, `notify(method, params)`, `ping()` and `progressToken`. */
export const call = async (name, args = {}, context = {}) => {
  record(name)
  switch (name) {
    case "add":
      return text(String(args.a + args.b))
    case "text":
      return text(...(args.texts ?? []))
    case "structured":
      return { ...text('{"city":"Rome"}'), structuredContent: { city: "Rome" }, _meta: { cached: true } }
    case "wrapped":
      return { ...text("[1,2]"), structuredContent: { result: [1, 2] } }
    case "picture":
      return {
        content: [
          { type: "text", text: "Look:" },
          { type: "image", data: pixel, mimeType: "image/png" }
        ]
      }
    case "resources":
      return {
        content: [
          { type: "resource", resource: { uri: "file:///a.txt", text: "in a" } },
          { type: "resource", resource: { uri: "file:///b.bin", blob: pixel, mimeType: "application/x-b" } },
          ...(context.withLinks === false ? [] : [{ type: "resource_link", uri: "file:///c.txt", name: "c" }])
        ]
      }
    case "fails":
      return { ...text(args.text ?? "No such city."), isError: true }
    case "throws":
      throw new Error(`lookup of ${process.env.SECRET} failed\n    at lookup (/srv/offer.mjs:1:1)`)
    case "slow":
      for (let part = 1; part <= args.parts; part++) {
        await context.notify?.("notifications/progress", {
          progressToken: context.progressToken,
          progress: part,
          total: args.parts
        })
        // Whoever answers has read what came before.
        await context.ping?.()
      }
      return text("done")
    case "never":
      context.signal?.addEventListener("abort", () => record("aborted"))
      record("waiting")
      await sleep(600_000, undefined, { signal: context.signal, ref: false }).catch(() => {})
      return text("too late")
    case "huge":
      return text("x".repeat(args.megabytes * 1024 * 1024))
    case "dies":
    case "always_dies":
      return crash()
    case "dies_once":
      if (existsSync(process.env.MARK)) return text("back again")
      writeFileSync(process.env.MARK, "")
      return crash()
    case "leaves":
      setTimeout(() => process.exit(0), 20)
      return text("bye")
    case "grow":
      tools.push({ name: "late", inputSchema: object() })
      await context.notify?.("notifications/tools/list_changed")
      return text("grown")
    case "environment":
      return text(JSON.stringify(process.env))
    case "process":
      return text(JSON.stringify({ pid: process.pid }))
    default:
      return text(`${name} was called`)
  }
}
