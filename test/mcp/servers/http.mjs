/**
 * A server over HTTP: `http.mjs KIND PORT [WORD]`. It prints the port that it listens on.
 *
 * KIND is the package of an SDK, version 1, `sdk2`, `sdk2-reject` or `sse`; or what else it does: `html`, `broken`, `other-id`,
 * `empty`, `status=N`, `strict`, `mute`. WORD is `json` for answers without a stream.
 */
import { toNodeHandler } from "@modelcontextprotocol/node"
import { createMcpHandler } from "@modelcontextprotocol/server"
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { call, instructions, record, tools } from "./offer.mjs"
import { offering } from "./offering.mjs"

const [kind = "", port = "0", word = ""] = process.argv.slice(2)

const sdk1 = async (sdk) => {
  const { Server } = await import(`${sdk}/server/index.js`)
  const { StreamableHTTPServerTransport } = await import(`${sdk}/server/streamableHttp.js`)
  const { CallToolRequestSchema, ListToolsRequestSchema } = await import(`${sdk}/types.js`)
  const sessions = new Map()

  const connected = async () => {
    const server = new Server(
      { name: "sdk1", version: "1.0.0" },
      { capabilities: { tools: { listChanged: true } }, instructions }
    )
    server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification, signal }) =>
      call(params.name, params.arguments, {
        signal,
        progressToken: params._meta?.progressToken,
        notify: (method, params) => sendNotification({ method, params })
      })
    )
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: word === "json",
      onsessioninitialized: (id) => sessions.set(id, transport)
    })
    await server.connect(transport)
    return transport
  }

  return async (request, response) => {
    const id = request.headers["mcp-session-id"]
    const transport = id === undefined ? await connected() : sessions.get(id)
    if (transport !== undefined) return transport.handleRequest(request, response)
    // Half of the servers out there answer 404, as they should, and half like this.
    response.writeHead(word === "400" ? 400 : 404, { "content-type": "application/json" })
    const error =
      word === "400"
        ? { code: -32000, message: "Bad Request: No valid session ID provided" }
        : { code: -32001, message: "Session not found" }
    response.end(JSON.stringify({ jsonrpc: "2.0", error, id: null }))
  }
}

/** The older transport: a stream of events at one endpoint, messages to another. */
const sse = async () => {
  const { Server } = await import("@modelcontextprotocol/sdk/server/index.js")
  const { SSEServerTransport } = await import("@modelcontextprotocol/sdk/server/sse.js")
  const { CallToolRequestSchema, ListToolsRequestSchema } = await import("@modelcontextprotocol/sdk/types.js")
  const sessions = new Map()
  return async (request, response) => {
    if (request.method === "POST") {
      const id = new URL(request.url, "http://localhost").searchParams.get("sessionId")
      const transport = sessions.get(id)
      if (transport !== undefined) return transport.handlePostMessage(request, response)
      response.writeHead(404)
      return response.end()
    }
    const server = new Server({ name: "sse", version: "1.0.0" }, { capabilities: { tools: {} } })
    server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => call(params.name, params.arguments))
    const transport = new SSEServerTransport("/messages", response)
    sessions.set(transport.sessionId, transport)
    await server.connect(transport)
  }
}

const bodyOf = async (request) => {
  let text = ""
  for await (const chunk of request) text += chunk
  return text === "" ? undefined : JSON.parse(text)
}

/** Answers as MCP does, but for calls. */
const byHand = async (request, response) => {
  const message = await bodyOf(request)
  const say = (body, type = "application/json", status = 200) => {
    response.writeHead(status, { "content-type": type })
    response.end(
      typeof body === "string" ? body : JSON.stringify({ jsonrpc: "2.0", id: message.id, ...body })
    )
  }
  if (kind === "mute") return
  const revision = request.headers["mcp-protocol-version"]
  if (kind === "strict" && revision !== undefined && revision !== "2025-06-18") {
    return say(
      { error: { code: -32000, message: `Bad Request: Unsupported protocol version ${revision}` } },
      undefined,
      400
    )
  }
  if (kind.startsWith("status=")) {
    response.setHeader("www-authenticate", "Bearer")
    response.setHeader("retry-after", "7")
    return say("no", "text/plain", Number(kind.slice("status=".length)))
  }
  if (message === undefined) return say("", undefined, 405)
  if (message.id === undefined) return say("", undefined, 202)
  switch (message.method) {
    case "initialize": {
      const protocolVersion = kind === "strict" ? "2025-06-18" : message.params.protocolVersion
      const serverInfo = { name: "hand", version: "1" }
      return say({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo } })
    }
    case "tools/list":
      return say({ result: { tools: ["ping"].map((name) => ({ name, inputSchema: { type: "object" } })) } })
    default:
      switch (kind) {
        case "html":
          return say("<html>Sorry</html>", "text/html")
        case "broken":
          return say("{")
        case "other-id":
          return say({ id: 4711, result: { content: [] } })
        case "empty":
          return say("", "text/event-stream")
        case "unauthorized":
          response.setHeader("www-authenticate", "Bearer")
          return say("no", "text/plain", 401)
        case "busy":
          response.setHeader("retry-after", "7")
          return say("later", "text/plain", 503)
        default:
          return say({ result: { content: [{ type: "text", text: revision ?? "none" }] } })
      }
  }
}

const sdk2 = (options) => {
  const handler = createMcpHandler(
    offering(() => handler.notify.toolsChanged()),
    options
  )
  return toNodeHandler(handler)
}

const handler =
  kind === "sdk2" || kind === "sdk2-reject"
    ? sdk2(kind === "sdk2-reject" ? { legacy: "reject" } : {})
    : kind === "sse"
      ? await sse()
      : kind.includes("sdk")
        ? await sdk1(kind)
        : byHand

const server = createServer((request, response) => {
  if (request.method === "DELETE" && process.env.ENDS !== undefined) record("DELETE")
  void handler(request, response)
})
server.listen(Number(port), "127.0.0.1", () => console.log(server.address().port))
