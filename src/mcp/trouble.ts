/** What becomes of a request, seen from a toolset: the four ways in which it may not succeed. */
import { Data, Predicate, type Schema } from "effect"
import type { McpClientError } from "effect/ai"
import type { Http } from "./McpError.ts"

export type Trouble = Data.TaggedEnum<{
  /** The server understood, and said no: the model may do better. */
  Declined: {
    readonly message: string
    readonly code?: number | undefined
    readonly details?: Schema.Json | undefined
  }
  /** It asks for what no model can give, or says more than can be taken. */
  Hopeless: { readonly message: string }
  /** It answered, but not so that anything follows; the connection stands. */
  Garbled: { readonly problem: string; readonly http?: Http | undefined; readonly cause: unknown }
  /** The connection is lost; `sent` says whether the request may have arrived. */
  Lost: { readonly problem: string; readonly sent: boolean; readonly cause: unknown }
}>

export const Trouble = Data.taggedEnum<Trouble>()

/**
 * What an error of effect's client means. `isStream`: all requests share one stream, as over stdio, so that what cannot
 * be read there ends the connection.
 */
export const troubleOf = (error: McpClientError.McpClientError, isStream: boolean): Trouble => {
  const { reason } = error
  const { message: problem } = reason
  switch (reason._tag) {
    case "ProtocolError":
      // One with a code is an answer; one without is something that nothing can be made of.
      if (reason.code !== undefined) return answered(reason.code, reason.description ?? problem)
      return isStream
        ? Trouble.Lost({ problem, sent: true, cause: error })
        : Trouble.Garbled({ problem, cause: error })
    case "HttpError":
      return isForgottenSession(reason)
        ? Trouble.Lost({ problem, sent: false, cause: error })
        : Trouble.Garbled({ problem, http: httpOf(reason), cause: error })
    case "UnsupportedError":
      return Trouble.Hopeless({ message: problem })
    case "LimitError":
      return Trouble.Hopeless({ message: `The result is too large: ${problem}` })
    case "ClosedError":
      return Trouble.Lost({ problem, sent: false, cause: error })
    case "TransportError":
      return Trouble.Lost({ problem, sent: !neverLeft(reason.cause), cause: error })
    case "TimeoutError":
    case "ConfigurationError":
    case "ValidationError":
    case "ToolError":
      return Trouble.Garbled({ problem, cause: error })
  }
}

/** An error that is an answer. */
export const answered = (code: number, message: string): Trouble =>
  needsSomebody.has(code) ? Trouble.Hopeless({ message }) : Trouble.Declined({ code, message })

/** Codes of "the client must be able to ask its user": URL elicitation, a capability that was not declared. */
const needsSomebody: ReadonlySet<number> = new Set([-32042, -32021])

export const httpOf = ({ retryAfter, status, wwwAuthenticate }: McpClientError.HttpError): Http => ({
  status,
  wwwAuthenticate,
  retryAfter
})

/** Many servers do not say 404, as they should, but that there is no such session. */
const isForgottenSession = ({ code, description, status }: McpClientError.HttpError): boolean =>
  status === 400 && (code === -32000 || code === -32001) && /session/i.test(description ?? "")

/** Whether nobody was there to take a request, so that it cannot have been carried out. */
const neverLeft = (cause: unknown, depth = 0): boolean =>
  Predicate.isReadonlyObject(cause) &&
  depth < 8 &&
  (neverConnected.has(cause.code) || neverLeft(cause.cause, depth + 1) || neverLeft(cause.reason, depth + 1))

const neverConnected: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"])
