/** A server of the official SDK, version 2, that offers what the others offer. */
import { Server } from "@modelcontextprotocol/server"
import { call, instructions, tools } from "./offer.mjs"

export const offering = (announce) => () => {
  const server = new Server(
    { name: "sdk2", version: "2.0.0" },
    { capabilities: { tools: { listChanged: true } }, instructions }
  )
  server.setRequestHandler("tools/list", async () => ({ tools }))
  server.setRequestHandler("tools/call", async ({ params }, context) =>
    call(params.name, params.arguments, {
      signal: context.mcpReq.signal,
      progressToken: context.mcpReq._meta?.progressToken,
      notify: (method, params) =>
        method === "notifications/progress"
          ? context.mcpReq.notify({ method, params })
          : (announce ?? (() => server.sendToolListChanged()))()
    })
  )
  return server
}
