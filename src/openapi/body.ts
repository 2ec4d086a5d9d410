/** Bodies of requests and responses: which media type is taken, or why none can be. */
import { Result } from "effect"
import { chosenMedia, type Media, offeredTypes } from "./mediaTypes.ts"
import { type Located, objectAt } from "./operations.ts"
import { below, type Document, each, type Fault, faultAt, type Place, textAt } from "./place.ts"

export interface Body extends Media {
  readonly required: boolean
  readonly description: string | undefined
}

/** The body that an operation sends; one on GET or HEAD never reaches a server. */
export const bodyOf = (
  document: Document,
  { operation, place }: Located
): Result.Result<Body | undefined, Fault> =>
  Result.gen(function* () {
    const declared = below(place, "requestBody")
    if (declared.value === undefined || isBodiless(operation.method)) return undefined
    const found = yield* objectAt(document, declared, "the request body")
    const content = below(found, "content")
    const types = each(content)
    if (types.length === 0) return undefined
    const media = chosenMedia(content, "request")
    if (media !== undefined) {
      return {
        ...media,
        required: below(found, "required").value === true,
        description: textAt(found, "description")
      }
    }
    return yield* Result.fail(faultAt(content, `its request body is ${offeredTypes(content)}`))
  })

export const isBodiless = (method: string): boolean => method === "GET" || method === "HEAD"

/** What an operation answers when it succeeds. */
export interface Success {
  /** The media types to ask for, best first. */
  readonly accept: ReadonlyArray<string>
  readonly isJson: boolean
  /** Where the schemas of the results are. */
  readonly schemas: ReadonlyArray<Place>
  /** Whether it may be nothing. */
  readonly mayBeEmpty: boolean
}

/** The 2xx responses, or `default` where there are none. Refused where all they offer is binary, or a stream. */
export const successOf = (document: Document, { operation, place }: Located): Result.Result<Success, Fault> =>
  Result.gen(function* () {
    const declared = each(below(place, "responses"))
    const successes = declared.filter(([status]) => /^2(\d\d|XX)$/i.test(status))
    const chosen = successes.length > 0 ? successes : declared.filter(([status]) => status === "default")
    const contents: Array<Place> = []
    let mayBeEmpty = false
    for (const [, response] of operation.method === "HEAD" ? [] : chosen) {
      const content = below(yield* objectAt(document, response, "the response"), "content")
      if (each(content).length === 0) mayBeEmpty = true
      else contents.push(content)
    }
    const media = contents.flatMap((content) => chosenMedia(content, "response") ?? [])
    const [first] = contents
    if (first !== undefined && media.length === 0) {
      return yield* Result.fail(faultAt(first, `its response is ${offeredTypes(first)}`))
    }
    const isJson = media.some(({ kind }) => kind === "json")
    const taken = media.filter(({ kind }) => (kind === "json") === isJson)
    return {
      accept: [...new Set(taken.map(({ type }) => type).filter((type) => !type.includes("*")))],
      isJson,
      schemas: isJson ? taken.map(({ place }) => below(place, "schema")) : [],
      mayBeEmpty
    }
  })
