import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError
} from "@modelcontextprotocol/client"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { Toolset } from "effect-toolset"
import * as McpSdk from "effect-toolset/McpSdk"
import * as McpToolset from "effect-toolset/McpToolset"
import { protectedServer } from "./authorization.ts"

class LoginRefused extends Schema.TaggedError<LoginRefused>()("LoginRefused", { cause: Schema.Defect() }) {}

/** Where an application keeps what it knows, in memory. */
const remembering = () => {
  const kept: { client?: any; tokens?: any; verifier?: string; url?: URL; discovered?: any } = {}
  const provider: OAuthClientProvider = {
    redirectUrl: "http://127.0.0.1/callback",
    clientMetadata: { client_name: "my agent", redirect_uris: ["http://127.0.0.1/callback"] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.url = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier!,
    saveDiscoveryState: (state) => void (kept.discovered = state),
    discoveryState: () => kept.discovered,
    invalidateCredentials: () => void delete kept.tokens
  }
  return { kept, provider }
}

/** A connected client; where nobody is logged in, the user is sent to the authorization server, and comes back. */
const connecting = (url: URL, { kept, provider }: ReturnType<typeof remembering>) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const transport = () => new StreamableHTTPClientTransport(url, { authProvider: provider })
        const connected = async () => {
          const client = new Client({ name: "test", version: "1" })
          await client.connect(transport())
          return client
        }
        try {
          return await connected()
        } catch (error) {
          if (!(error instanceof UnauthorizedError)) throw error
          // The browser of the user.
          const { headers } = await fetch(kept.url!, { redirect: "manual" })
          await transport().finishAuth(new URL(headers.get("location")!).searchParams)
          return await connected()
        }
      },
      catch: (cause) => new LoginRefused({ cause })
    }),
    (client) => Effect.promise(() => client.close())
  )

describe("a server that wants to be authorized, through the official client", { timeout: 60_000 }, () => {
  it.live("is found, logged into once, and asked with the token from then on", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { granted, url } = yield* protectedServer
        const memory = remembering()
        const tools = McpSdk.fromClient(connecting(url, memory), { id: "protected" })
        assert.strictEqual(yield* Toolset.call(tools, "whoami", {}), "my agent")
        assert.strictEqual(granted.logins, 1)
        const bearer = `Bearer ${memory.kept.tokens.access_token}`
        assert.isTrue(granted.seen.length > 0 && granted.seen.every((header) => header === bearer))
        // Another run, with what the application keeps.
        assert.strictEqual(yield* Toolset.call(tools, "whoami", {}), "my agent")
        assert.strictEqual(granted.logins, 1)
      })
    )
  )

  it.live("is asked with a new token where the old one has expired, in the middle of a run", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { granted, url } = yield* protectedServer
        const memory = remembering()
        const session = yield* Toolset.open(McpSdk.fromClient(connecting(url, memory)))
        assert.strictEqual(yield* session.call("whoami", {}), "my agent")
        const before = memory.kept.tokens.access_token
        granted.expire()
        assert.strictEqual(yield* session.call("whoami", {}), "my agent")
        assert.notStrictEqual(memory.kept.tokens.access_token, before)
        assert.strictEqual(granted.logins, 1)
      })
    )
  )

  it.live("that takes nothing any more is a typed failure, without a token in it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { granted, url } = yield* protectedServer
        const memory = remembering()
        const session = yield* Toolset.open(McpSdk.fromClient(connecting(url, memory)))
        yield* session.call("whoami", {})
        const { access_token, refresh_token } = memory.kept.tokens
        granted.revoke()
        const error = yield* Effect.flip(session.call("whoami", {}))
        assert.instanceOf(error, McpToolset.McpCallError)
        for (const secret of [access_token, refresh_token]) assert.notInclude(error.message, secret)
      })
    )
  )

  it.live("that nobody can log into fails with the failure of connecting, as it is", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* protectedServer
        const memory = remembering()
        const refusing: OAuthClientProvider = {
          ...memory.provider,
          redirectToAuthorization: () => {
            throw new Error("there is no browser here")
          }
        }
        const tools = McpSdk.fromClient(connecting(url, { ...memory, provider: refusing }))
        const error = yield* Effect.flip(Toolset.list(tools))
        assert.instanceOf(error, LoginRefused)
      })
    )
  )

  it.live(
    "is no server for a client without a login, which says how to get there, nor closed to one with a token",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* protectedServer
          const error = yield* Effect.flip(Toolset.list(McpToolset.http({ url: url.href })))
          assert.instanceOf(error, McpToolset.McpConnectionError)
          assert.strictEqual(error.http?.status, 401)
          assert.include(error.http?.wwwAuthenticate, "/.well-known/oauth-protected-resource/mcp")
          const memory = remembering()
          yield* Toolset.list(McpSdk.fromClient(connecting(url, memory)))
          const authorization = Redacted.make(`Bearer ${memory.kept.tokens.access_token}`)
          const tools = McpToolset.http({ url: url.href, headers: { authorization } })
          assert.strictEqual(yield* Toolset.call(tools, "whoami", {}), "my agent")
        })
      ).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
