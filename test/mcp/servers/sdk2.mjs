/** A server over stdio on the official SDK, version 2: `sdk2.mjs [reject]`, which refuses revisions with a handshake. */
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { offering } from "./offering.mjs"

serveStdio(offering(), process.argv[2] === "reject" ? { legacy: "reject" } : {})
