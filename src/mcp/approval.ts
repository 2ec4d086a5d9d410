/** Asking whoever sits before an MCP client, in the way of each revision. */
import { Effect } from "effect"
import { McpSchema } from "effect/ai"
import { digest } from "../agent/digest.ts"

/** What was said: yes, no, or nothing yet, and then how to ask; nobody is there where the client cannot ask. */
export type Said =
  | { readonly _tag: "Yes" }
  | { readonly _tag: "No" }
  | { readonly _tag: "Nobody" }
  | { readonly _tag: "Ask"; readonly request: McpSchema.InputRequired }

/** Asks for one call. */
export const asked = (name: string, args: unknown): Effect.Effect<Said, never, McpSchema.McpRequestContext> =>
  Effect.gen(function* () {
    const context = yield* McpSchema.McpRequestContext
    if (context.clientCapabilities.elicitation === undefined) return { _tag: "Nobody" }
    const form = formOf(name, args)
    if (context.protocolVersion < "2026") return yield* askedBack(form)
    // Without sessions the answer comes with the call made again; it is for that very call.
    const requestState = yield* digest([name, args])
    const response = context.inputResponses?.approve
    if (response === undefined || context.requestState !== requestState) {
      const inputRequests = { approve: { method: "elicitation/create" as const, params: form } }
      return { _tag: "Ask", request: new McpSchema.InputRequired({ requestState, inputRequests }) }
    }
    return { _tag: isYes(response) ? "Yes" : "No" }
  })

/** In a session the server asks its client, and waits. */
const askedBack = (form: ReturnType<typeof formOf>): Effect.Effect<Said> =>
  Effect.gen(function* () {
    const session = yield* Effect.serviceOption(McpSchema.McpServerClient)
    if (session._tag === "None") return { _tag: "Nobody" } as const
    const client = yield* session.value.getClient
    const response = yield* client.elicit(new McpSchema.ElicitRequestFormParams(form))
    return { _tag: isYes(response) ? "Yes" : "No" } as const
  }).pipe(
    Effect.scoped,
    Effect.catch((cause) =>
      Effect.as(Effect.logWarning("The client could not ask.", cause), { _tag: "Nobody" } as const)
    )
  )

const isYes = ({ action, content }: { readonly action?: unknown; readonly content?: unknown }): boolean =>
  action === "accept" && (content as { readonly approve?: unknown } | undefined)?.approve === true

const formOf = (name: string, args: unknown) => {
  const text = JSON.stringify(args, undefined, 2) ?? ""
  return {
    mode: "form" as const,
    message: `May the tool '${name}' be called with this?\n${text.length > longest ? `${text.slice(0, longest)}…` : text}`,
    requestedSchema: {
      type: "object" as const,
      properties: {
        approve: { type: "boolean" as const, title: "Approve", description: "Whether to make this call." }
      },
      required: ["approve"]
    }
  }
}

const longest = 2000
