/** Reading a document: JSON, or text of JSON or YAML; only its root is judged as a whole. */
import { Effect, Predicate, Result } from "effect"
import { failureText } from "../toolset/failure.ts"
import { OpenApiError } from "./OpenApiError.ts"
import { inWords, isFields } from "./place.ts"

export const read = (given: unknown): Effect.Effect<unknown, OpenApiError> =>
  Effect.gen(function* () {
    const document = Predicate.isString(given) ? yield* parsed(given) : given
    const fault = rootFault(document)
    return fault === undefined ? document : yield* fault
  })

const parsed = (text: string): Effect.Effect<unknown, OpenApiError> => {
  const source = text.replace(/^\uFEFF/, "")
  if (/^\s*https?:\/\/\S+\s*$/.test(source)) return Effect.fail(isUrl)
  // What looks like JSON and is none may be YAML in one line, and the other parser has the better message.
  const json = /^\s*[{[]/.test(source) ? Result.try((): unknown => JSON.parse(source)) : undefined
  return json !== undefined && Result.isSuccess(json) ? Effect.succeed(json.success) : yaml(source)
}

/** Only whoever reads YAML needs `js-yaml`. */
const yaml = (source: string): Effect.Effect<unknown, OpenApiError> =>
  Effect.flatMap(
    Effect.tryPromise({ try: () => import("js-yaml"), catch: () => needsYaml }),
    ({ CORE_SCHEMA, load, mergeTag }) =>
      Effect.try({
        try: (): unknown => load(source, { schema: CORE_SCHEMA.withTags(mergeTag), maxAliases: 1000 }),
        catch: (cause) =>
          new OpenApiError({
            pointer: "#",
            problem: `The text is neither JSON nor YAML: ${failureText(cause)}`,
            hint: "Give the text of an OpenAPI document, or the value that it describes."
          })
      })
  )

const rootFault = (document: unknown): OpenApiError | undefined => {
  if (!isFields(document)) return at("#", "The document is no object", "Give an OpenAPI 3.0 or 3.1 document.")
  const { openapi, paths, swagger } = document
  if (swagger !== undefined) {
    return at("#/swagger", "The document is of OpenAPI 2 (Swagger)", "Convert it to OpenAPI 3 first.")
  }
  if (!Predicate.isString(openapi) || !/^3\.[0-2](\.|$)/.test(openapi)) {
    const version = openapi === undefined ? "does not say its version" : `says version ${inWords(openapi)}`
    return at("#/openapi", `The document ${version}`, "Give an OpenAPI 3.0 or 3.1 document.")
  }
  // Since 3.1 a document may have components or webhooks only.
  if (isFields(paths) || (paths === undefined && !openapi.startsWith("3.0"))) return undefined
  return at("#/paths", "The paths of the document are no object", "Every operation stands below them.")
}

const at = (pointer: string, problem: string, hint: string): OpenApiError =>
  new OpenApiError({ pointer, problem, hint })

const isUrl = at("#", "The text is a URL", "Fetch it first: nothing outside the document is ever looked at.")

const needsYaml = at(
  "#",
  "The text is not JSON, and to read YAML needs the package js-yaml",
  "Install js-yaml 5."
)
