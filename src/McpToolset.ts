/** Tools of MCP servers, and toolsets as MCP servers. */

// servers as toolsets
export { stdio, type StdioOptions } from "./mcp/stdio.ts"
export { http, type HttpOptions } from "./mcp/http.ts"
export { fromClient } from "./mcp/fromClient.ts"
export { type ConfigOptions, fromConfig } from "./mcp/fromConfig.ts"

// toolsets as servers
export { serve, serveHttp, type ServeOptions } from "./mcp/serve.ts"

// what toolsets of servers may be told
export type { Options } from "./mcp/connected.ts"
export type { Connecting } from "./mcp/connecting.ts"
export type { ClientInfo, Revision } from "./mcp/revision.ts"

// what they may fail with
export { McpCallError, McpConnectionError, McpOutcomeUnknown, McpToolError } from "./mcp/McpError.ts"
export type { McpError } from "./mcp/McpError.ts"
