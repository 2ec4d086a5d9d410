/** A server over stdio on the official SDK, version 1: `sdk1.mjs PACKAGE`. */
import { call, instructions, tools } from "./offer.mjs"

const [sdk = "@modelcontextprotocol/sdk"] = process.argv.slice(2)
const { Server } = await import(`${sdk}/server/index.js`)
const { StdioServerTransport } = await import(`${sdk}/server/stdio.js`)
const { CallToolRequestSchema, ListToolsRequestSchema } = await import(`${sdk}/types.js`)

const server = new Server(
  { name: "sdk1", version: "1.0.0" },
  { capabilities: { tools: { listChanged: true } }, instructions }
)
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }))
server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) =>
  call(params.name, params.arguments, {
    signal,
    progressToken: params._meta?.progressToken,
    ping: () => server.ping(),
    notify: (method, params) => server.notification({ method, params }),
    withLinks: !/1\.(0|11)$/.test(sdk)
  })
)
await server.connect(new StdioServerTransport())
