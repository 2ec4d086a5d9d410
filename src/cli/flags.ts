/** What both commands take. */
import { Config, type Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { baseUrlFlaw } from "../rest/client.ts"
import { isHeaderName } from "../rest/headers.ts"
import { isMaskable } from "../Secrets.ts"
import { pairs } from "./pairs.ts"

const selectors = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("SELECTOR"), Flag.withDescription(description), Flag.atLeast(0))

/** Such a URL is none that can be fetched. */
const hasCredentials = (url: string): boolean => {
  const { password, username } = new URL(url)
  return username !== "" || password !== ""
}

const names = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("NAME"), Flag.withDescription(description), Flag.atLeast(0))

export const flags = {
  openapi: Flag.String("openapi").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("Required. An OpenAPI document, 3.0 or 3.1, as JSON or YAML.")
  ),
  baseUrl: Flag.String("base-url").pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription("In place of the servers of the document."),
    Flag.filter(
      (url) => /^https?:/i.test(url) && baseUrlFlaw(url) === undefined && !hasCredentials(url),
      () => "a URL such as https://api.example.com/v1, without a query, a fragment, a user or a password"
    ),
    Flag.optional
  ),
  include: selectors(
    "include",
    "Only these tools: a name, a group, a method (GET), a path (/users/*), or both (GET /users/*); repeatable."
  ),
  exclude: selectors("exclude", "Not these tools; repeatable."),
  requireApproval: selectors(
    "require-approval",
    "Asks the user of the client before calls of these tools; repeatable."
  ),
  rename: pairs("rename", { metavar: "NEW=OLD", description: "Another name for a tool; repeatable." }),
  prefix: Flag.String("prefix").pipe(
    Flag.withMetavar("PREFIX"),
    Flag.withDescription("Before every name, with an underscore; after renaming."),
    Flag.optional
  ),
  token: Flag.Redacted("token").pipe(
    Flag.withMetavar("TOKEN"),
    Flag.withDescription("What the API wants to be asked with. Better in the environment, as API_TOKEN."),
    Flag.withFallbackConfig(Config.Redacted("API_TOKEN")),
    Flag.filter(
      (token) => isMaskable(Redacted.value(token)),
      () => "at least 6 characters, so that they can be hidden wherever they show up"
    ),
    Flag.optional
  ),
  tokenFor: names(
    "token-for",
    "The security schemes of the document that the token is for; repeatable. All of them by default."
  ),
  header: pairs("header", {
    metavar: "NAME=VALUE",
    description: "A header for every request; repeatable.",
    isKey: isHeaderName,
    same: (name) => name.toLowerCase()
  }),
  headerParam: names("header-param", "A header parameter that the model fills in; repeatable.")
}

/** What was typed. */
export interface Input {
  readonly openapi: string
  readonly baseUrl: Option.Option<string>
  readonly include: ReadonlyArray<string>
  readonly exclude: ReadonlyArray<string>
  readonly requireApproval: ReadonlyArray<string>
  readonly rename: Readonly<Record<string, string>>
  readonly prefix: Option.Option<string>
  readonly token: Option.Option<Redacted.Redacted>
  readonly tokenFor: ReadonlyArray<string>
  readonly header: Readonly<Record<string, string>>
  readonly headerParam: ReadonlyArray<string>
}
