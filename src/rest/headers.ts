/** Headers: which ones a model may fill in, and with what; and what a configuration may say. */
import { Redacted } from "effect"
import type { Flaw } from "../toolset/flawed.ts"

/** What clients say for themselves: how the request is framed, and what is hop by hop. */
const ofTheClient: ReadonlySet<string> = new Set([
  "accept",
  "accept-charset",
  "accept-encoding",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

/** What makes another request of it: from elsewhere, of another method, to another path. */
const ofTheWay: ReadonlySet<string> = new Set([
  "content-encoding",
  "forwarded",
  "origin",
  "referer",
  "via",
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
  "x-original-host",
  "x-original-url",
  "x-real-ip",
  "x-rewrite-url"
])
const families = /^(?:proxy|sec|x-forwarded)-/

/** Whoever writes it as one word means the same. */
const credential =
  /(?:^|[-_])(?:authori[sz]ation|(?:set-)?cookie2?|api[-_]?key|(?:access|application|private|secret|signing)[-_]?key|secret|password|credentials?|signature|(?:access|api|auth|bearer|csrf|id|private|refresh|security|session|xsrf)[-_]?token)$/

/** What every request has, and what is no parameter of any operation. */
export const isOfTheClient = (name: string): boolean => ofTheClient.has(name)

/** Whether a model may be asked for a header, of which the name is in lower case. */
export const mayBeAsked = (name: string): boolean =>
  !ofTheClient.has(name) && !ofTheWay.has(name) && !families.test(name) && !credential.test(name)

/** A name that a header can have (RFC 9110, section 5.6.2). */
export const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)

/** What is wrong with a header that a model fills in. */
export const headerProblem = (name: string, text: string): string | undefined => {
  if (!isHeaderName(name)) return "is no name of a header."
  if (!mayBeAsked(name.toLowerCase())) return "is a header that only the application sets."
  return isHeaderValue(text) ? undefined : "has characters that no header can have."
}

/** A text that every client can send: no line ends, and nothing outside Latin-1. */
export const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

/** What is wrong with headers of a configuration. Clients cut blanks and line ends at the ends of values. */
export const headersFlaw = (
  headers: Readonly<Record<string, string | Redacted.Redacted>>
): Flaw | undefined => {
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderName(name)) {
      return {
        problem: `Its \`headers\` have '${name}', which is no name of a header.`,
        hint: "Names are of letters, digits and some signs, such as `-`."
      }
    }
    if (!isSendable(value))
      return { problem: `Its \`headers\` give '${name}' a value that cannot be sent.`, hint: sendable }
  }
  return undefined
}

/** Whether a value can be sent in a header. */
export const isSendable = (value: string | Redacted.Redacted): boolean =>
  isHeaderValue((Redacted.isRedacted(value) ? Redacted.value(value) : value).trim())

export const sendable = "Headers have no line ends and no characters outside of Latin-1."
