/** A service that behaves as ACI.dev does, on loopback. */
import { Config, Effect, Redacted } from "effect"
import * as Aci from "effect-toolset/Aci"
import { type Answer, json, recording, type Seen } from "../rest/server.ts"

export const key = "aci-s3cr3t-key"

export interface AciFunction {
  readonly description?: string | null
  readonly parameters?: object
  readonly strict?: boolean
  /** What executing it answers. */
  readonly run?: ((input: any, owner: string, seen: Seen) => Answer | object) | undefined
}

/** Serves these functions below `/v1` to whoever has the key. */
export const serving = (functions: Readonly<Record<string, AciFunction>>) =>
  Effect.map(
    recording((seen) => {
      if (seen.headers["x-api-key"] !== key) return json({ error: "Invalid API key" }, 401)
      const { pathname, searchParams } = new URL(seen.url, "http://x")
      const [, name = "", part] = /^\/v1\/functions\/([^/]+)\/(definition|execute)$/.exec(pathname) ?? []
      const found = functions[decodeURIComponent(name)]
      if (found === undefined) return json({ error: "Function not found" }, 404)
      if (part === "definition" && seen.method === "GET" && searchParams.get("format") === "openai") {
        const { run: _, ...described } = found
        return json({ type: "function", function: { name: decodeURIComponent(name), ...described } })
      }
      if (part !== "execute" || seen.method !== "POST") return json({ error: "Method not allowed" }, 405)
      const { function_input: input, linked_account_owner_id: owner } = JSON.parse(seen.body)
      const answer = found.run?.(input, owner, seen) ?? { success: true, data: null }
      return typeof answer === "object" && "success" in answer ? json(answer) : (answer as Answer)
    }),
    ({ baseUrl, seen }) => ({ seen, baseUrl: `${baseUrl}/v1` })
  )

export const apiKey = Config.succeed(Redacted.make(key))

/** A toolset of them, for `ada`. */
export const toolset = <const Mode extends "retry" | "recover" | "fail" = "retry">(
  functions: Readonly<Record<string, AciFunction>>,
  options: Partial<Aci.Options<Mode, never, never>> = {}
) =>
  Effect.gen(function* () {
    const { baseUrl, seen } = yield* serving(functions)
    const tools = yield* Aci.make({
      functions: Object.keys(functions),
      linkedAccountOwnerId: "ada",
      apiKey,
      baseUrl,
      ...options
    })
    return { tools, seen }
  })

export const query = {
  type: "object",
  properties: { query: { type: "string", description: "What to look for." } },
  required: ["query"],
  additionalProperties: false
}
