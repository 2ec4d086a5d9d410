/** Asking whoever sits before an MCP client, in the way of each revision. */
import { Effect } from "effect"
import { McpSchema } from "effect/ai"
import { digest } from "../agent/digest.ts"

/**
 * What was said: yes, no, or nothing yet, and then how to ask. Nobody is there where the client cannot ask, and nobody is
 * asked about more than they can be shown.
 */
export type Said =
  | { readonly _tag: "Yes" }
  | { readonly _tag: "No" }
  | { readonly _tag: "Nobody" }
  | { readonly _tag: "TooLong"; readonly message: string }
  | { readonly _tag: "Ask"; readonly request: McpSchema.InputRequired }

/** Asks for one call, with all the arguments that it will run with. */
export const asked = (name: string, args: unknown): Effect.Effect<Said, never, McpSchema.McpRequestContext> =>
  Effect.gen(function* () {
    const context = yield* McpSchema.McpRequestContext
    if (context.clientCapabilities.elicitation === undefined) return { _tag: "Nobody" }
    const text = shown(args)
    if (text.length > longest) return { _tag: "TooLong", message: tooLong(text) }
    const form = formOf(name, text)
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

const formOf = (name: string, text: string) => ({
  mode: "form" as const,
  message: `May the tool '${name}' be called with this?\n${text}`,
  requestedSchema: {
    type: "object" as const,
    properties: {
      approve: { type: "boolean" as const, title: "Approve", description: "Whether to make this call." }
    },
    required: ["approve"]
  }
})

/** As JSON. What nobody sees, or what turns around what one sees, is written as what it is. */
const shown = (args: unknown): string =>
  (JSON.stringify(args, undefined, 2) ?? "").replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (text) =>
    text === "\n"
      ? text
      : text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
  )

const tooLong = (text: string): string =>
  `The call waits for an approval, and its arguments are too long to be shown to anybody: ${text.length} characters, ` +
  `where ${longest} can be. Make them shorter, or make several calls.`

/** More than anybody reads; it is only not cut. */
const longest = 10_000
