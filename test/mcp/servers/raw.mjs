/**
 * A server over stdio without an SDK, to say what no SDK says: `raw.mjs [WORD…]`.
 *
 * `only=R` refuses every revision but R, `answer=R` answers R whatever is offered, `banner` prints other lines too,
 * `tools=A,B` lists these, `mute` never answers, `exit` ends at once, `stubborn` survives the end of its input.
 */
import { createInterface } from "node:readline"

const words = new Map(process.argv.slice(2).map((word) => word.split("=")))
const names = words.get("tools")?.split(",") ?? ["ping", "heard", "nonsense", "asks"]
const heard = []
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
const object = { type: "object", properties: {} }

const answers = {
  initialize: ({ protocolVersion }) => {
    const only = words.get("only")
    if (only !== undefined && protocolVersion !== only)
      return { error: { code: -32602, message: `not ${protocolVersion}` } }
    return {
      result: {
        protocolVersion: words.get("answer") ?? protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "raw", version: "1" }
      }
    }
  },
  "tools/list": () => ({
    result: { tools: names.map((name) => ({ name, inputSchema: object })) }
  }),
  "tools/call": ({ name }) => {
    if (name === "nonsense") return { result: { content: "nonsense" } }
    const text = name === "heard" ? JSON.stringify(heard) : "pong"
    return { result: { content: [{ type: "text", text }] } }
  }
}

if (words.has("exit")) {
  console.error("GITHUB_TOKEN is not set")
  process.exit(7)
}
if (words.has("banner")) {
  console.log("Server is running")
  console.log('{"level":"info","msg":"ready"}')
  console.log("{ not: 'json' }")
  console.log("")
}
if (words.has("mute")) console.error("thinking…")
if (words.has("stubborn")) setInterval(() => {}, 1000)

/** A tool that asks the user first: what the client says to that is what it fails with. */
let asking
const ask = (id) => {
  asking = id
  const requestedSchema = { type: "object", properties: {} }
  say({ id: "question", method: "elicitation/create", params: { message: "Really?", requestedSchema } })
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, ...rest } = JSON.parse(line)
  if (id === "question") {
    const message = `Nobody was asked: ${rest.error?.message ?? JSON.stringify(rest.result)}`
    return say({ id: asking, error: { code: -32603, message } })
  }
  heard.push(method === "initialize" ? `${method} ${params.protocolVersion}` : method)
  if (words.has("mute")) return
  if (words.has("banner")) console.log(`handling ${method}`)
  if (id === undefined) return
  if (method === "tools/call" && params.name === "asks") return ask(id)
  say({ id, ...(answers[method]?.(params) ?? { error: { code: -32601, message: `no ${method}` } }) })
})
