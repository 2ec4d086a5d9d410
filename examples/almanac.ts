// Shared by the examples: tools of an MCP server, a process that is started when a run begins and ends with it.
import { NodeServices } from "@effect/platform-node"
import { Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { fileURLToPath } from "node:url"

const server = fileURLToPath(new URL("almanac-server.ts", import.meta.url))

export const almanac = McpToolset.stdio({
  command: process.execPath,
  args: ["--import", import.meta.resolve("tsx"), server],
  id: "almanac"
}).pipe(Toolset.prefixed("almanac"), Toolset.provide(NodeServices.layer))
