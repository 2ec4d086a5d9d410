/** An authorization server and an MCP server that it protects, both on loopback, on the SDK's own middleware. */
import { InvalidGrantError, InvalidTokenError } from "@modelcontextprotocol/sdk/server/auth/errors.js"
import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js"
import type {
  AuthorizationParams,
  OAuthServerProvider
} from "@modelcontextprotocol/sdk/server/auth/provider.js"
import {
  createOAuthMetadata,
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
  mcpAuthRouter
} from "@modelcontextprotocol/sdk/server/auth/router.js"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import type { OAuthClientInformationFull, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import { Effect, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"

/** The one that the SDK's middleware is made for. */
const express = createRequire(import.meta.resolve("@modelcontextprotocol/sdk/server/auth/router.js"))(
  "express"
)

/** What was handed out, and how often somebody was asked. */
export class Granted {
  readonly clients = new Map<string, OAuthClientInformationFull>()
  readonly codes = new Map<string, AuthorizationParams>()
  readonly access = new Map<string, string>()
  readonly refresh = new Map<string, string>()
  /** How often a user has logged in. */
  logins = 0
  /** The authorization that calls came with. */
  readonly seen: Array<IncomingHttpHeaders["authorization"]> = []

  /** No access token is good any more; those that renew them are. */
  expire() {
    this.access.clear()
  }

  /** Nothing is good any more. */
  revoke() {
    this.access.clear()
    this.refresh.clear()
  }
}

const providing = (granted: Granted): OAuthServerProvider => {
  const tokensFor = (clientId: string): OAuthTokens => {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    granted.access.set(access, clientId)
    granted.refresh.set(refresh, clientId)
    return { access_token: access, refresh_token: refresh, token_type: "Bearer", expires_in: 3600 }
  }
  return {
    clientsStore: {
      getClient: (id) => granted.clients.get(id),
      registerClient: (client) => {
        const full = { ...client, client_id: randomUUID() } as OAuthClientInformationFull
        granted.clients.set(full.client_id, full)
        return full
      }
    },
    // The user says yes at once.
    authorize: async (_client, params, response: any) => {
      granted.logins++
      const code = randomUUID()
      granted.codes.set(code, params)
      const url = new URL(params.redirectUri)
      url.searchParams.set("code", code)
      if (params.state !== undefined) url.searchParams.set("state", params.state)
      response.redirect(url.href)
    },
    challengeForAuthorizationCode: async (_client, code) => granted.codes.get(code)!.codeChallenge,
    exchangeAuthorizationCode: async (client, code) => {
      granted.codes.delete(code)
      return tokensFor(client.client_id)
    },
    exchangeRefreshToken: async (client, token) => {
      if (!granted.refresh.delete(token)) throw new InvalidGrantError("The refresh token is no good.")
      return tokensFor(client.client_id)
    },
    verifyAccessToken: async (token) => {
      const clientId = granted.access.get(token)
      if (clientId === undefined) throw new InvalidTokenError("The token is no good.")
      return { token, clientId, scopes: [], expiresAt: Math.floor(Date.now() / 1000) + 3600 }
    }
  }
}

const listening = (server: Server): Effect.Effect<URL, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<URL>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        resume(Effect.succeed(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)))
      })
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )

const served = (app: unknown): Server => createServer(app as RequestListener)

/** The protected server, at `url`. */
export const protectedServer = Effect.gen(function* () {
  const granted = new Granted()
  const provider = providing(granted)

  const authorization = express()
  const issuerUrl = yield* listening(served(authorization))
  authorization.use(mcpAuthRouter({ provider, issuerUrl }))

  const resource = express()
  const origin = yield* listening(served(resource))
  const url = new URL("/mcp", origin)
  const oauthMetadata = createOAuthMetadata({ provider, issuerUrl })
  resource.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl: url }))
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(url)
  const answer = async (request: any, response: any) => {
    granted.seen.push(request.headers.authorization)
    const server = new McpServer({ name: "protected", version: "1.0.0" })
    server.registerTool("whoami", {}, ({ authInfo }) => ({
      content: [{ type: "text", text: granted.clients.get(authInfo!.clientId)?.client_name ?? "nobody" }]
    }))
    const transport = new StreamableHTTPServerTransport({})
    response.on("close", () => void server.close())
    await server.connect(transport as never)
    await transport.handleRequest(request, response)
  }
  resource.use("/mcp", requireBearerAuth({ verifier: provider, resourceMetadataUrl }))
  resource.use("/mcp", (request: any, response: any, next: any) => void answer(request, response).catch(next))
  return { granted, url }
})
