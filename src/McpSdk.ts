/** Tools of MCP servers that a client of the official SDK speaks with. */
export { fromClient, type SdkClient } from "./mcp/sdkClient.ts"
