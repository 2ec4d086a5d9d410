/** What ACI.dev says of a function. */
import { Context, Effect, Option, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { Tool } from "effect/ai"
import { inCurrentDraft } from "../interop/inCurrentDraft.ts"
import type { Connection } from "../rest/connect.ts"
import type { Endpoint } from "../rest/failure.ts"
import { leadsElsewhere, percentEncoded } from "../rest/path.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import { failureText } from "../toolset/failure.ts"
import { frozen, objectRoot, rootFlaw } from "../toolset/parameters.ts"
import { validName } from "../toolset/validName.ts"
import { AciError } from "./AciError.ts"

/** Asks for the definition of a function, in the format of OpenAI. */
export const definitionOf = (
  functionName: string,
  { client, exchange }: Connection
): Effect.Effect<ToolDefinition, AciError | ToolsetDefinitionError> =>
  Effect.gen(function* () {
    if (leadsElsewhere(functionName)) return yield* noFunction(functionName)
    const endpoint: Endpoint = { method: "GET", path: pathOf(functionName, "definition") }
    const described = yield* exchange({
      endpoint,
      isIdempotent: true,
      send: client.execute(
        HttpClientRequest.get(endpoint.path, { urlParams: { format: "openai" }, acceptJson: true })
      ),
      read: (_, text) => Effect.mapError(decode(text), (error) => error.message)
    }).pipe(Effect.mapError(({ message: problem }) => new AciError({ functionName, problem })))
    const { description, name, parameters, strict } = described.function
    const schema = yield* Effect.try({
      try: () => frozen(objectRoot(inCurrentDraft(parameters ?? noParameters))),
      catch: (cause) => new AciError({ functionName, problem: `its parameters: ${failureText(cause)}` })
    })
    const flaw = rootFlaw(schema)
    if (flaw !== undefined)
      return yield* new ToolsetDefinitionError({ source: `aci(${functionName})`, ...flaw })
    return {
      name: validName(name),
      description: description ?? undefined,
      parameters: schema,
      kind: "function",
      sequential: false,
      metadata: { aci: { name: functionName } },
      annotations: Option.match(Option.fromNullishOr(strict), {
        onNone: () => Context.empty(),
        // Annotations say nothing of themselves in the type of a definition.
        onSome: (strict) => Context.make(Tool.Strict, strict) as Context.Context<never>
      })
    }
  })

/** As a part of a path, it would lead elsewhere. */
const noFunction = (functionName: string) =>
  new ToolsetDefinitionError({
    source: "aci",
    problem: `'${functionName}' is no name of a function.`,
    hint: "Functions have names such as BRAVE_SEARCH__WEB_SEARCH."
  })

/** Where a function is, below the base URL. */
export const pathOf = (functionName: string, part: "definition" | "execute"): string =>
  `/functions/${percentEncoded(functionName.toWellFormed())}/${part}`

const noParameters = { type: "object", properties: {}, additionalProperties: false }

const decode = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({
      function: Schema.Struct({
        name: Schema.String,
        description: Schema.optional(Schema.NullOr(Schema.String)),
        parameters: Schema.optional(Schema.NullOr(Schema.Record(Schema.String, Schema.Json))),
        strict: Schema.optional(Schema.NullOr(Schema.Boolean))
      })
    })
  )
)
