/** The request of a call. */
import { Redacted, Result } from "effect"
import { HttpBody, HttpClientRequest, type HttpMethod } from "effect/http"
import { filled, type Template } from "../rest/path.ts"
import type { Body } from "./body.ts"
import { valueOf } from "./checked.ts"
import { type Configuration, type Fixed, isPublic, plainText } from "./configuration.ts"
import type { Operation } from "./operations.ts"
import type { Parameter } from "./parameters.ts"
import { below, type Fields, fieldsOf } from "./place.ts"
import type { Secret } from "./security.ts"
import { formText, headerText, pathText, queryPairs } from "./styles.ts"

/** What is known about the requests of an operation before a call is made. */
export interface Outline {
  readonly operation: Operation
  /** Of the server, without a slash at its end. */
  readonly url: string
  /** Whether credentials may go there. */
  readonly isTrusted: boolean
  readonly configuration: Configuration
  readonly secrets: ReadonlyArray<Secret>
  readonly body: Body | undefined
  readonly accept: ReadonlyArray<string>
}

/** A request, or what is wrong with the path that its values make. */
export const requesting = (
  outline: Outline
): ((args: Fields, key: string) => Result.Result<HttpClientRequest.HttpClientRequest, string>) => {
  const { body, configuration, operation, url } = outline
  const { visible } = configuration
  const { ownQuery, template } = partsOf(operation.path)
  const inPath = visible.filter((parameter) => parameter.in === "path")
  const inQuery = visible.filter((parameter) => parameter.in === "query")
  const inHeaders = visible.filter((parameter) => parameter.in === "header")
  return (args, key) => {
    const values = new Map(
      inPath.map((parameter) => [parameter.name, pathText(parameter, valueOf(parameter, args))])
    )
    return Result.map(filled(template, values), (path) => {
      const pairs = inQuery.flatMap((parameter) => queryPairs(parameter, valueOf(parameter, args)))
      const own = ownQuery.map((text) =>
        text.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => values.get(name) ?? whole)
      )
      const query = [...own, ...pairs].join("&")
      // A request made with text is sent as that text, to the byte.
      const request = HttpClientRequest.make(operation.method as HttpMethod.HttpMethod)(
        `${url}${path}${query === "" ? "" : `?${query}`}`
      )
      const withHeaders = HttpClientRequest.setHeaders(request, [
        ...fromModel(inHeaders, args),
        ...fixedHeaders(outline, key)
      ])
      return withBody(withSecretQuery(withHeaders, outline), body, args)
    })
  }
}

/** A fragment is never sent; a query in the path is. */
const partsOf = (path: string): { readonly template: Template; readonly ownQuery: ReadonlyArray<string> } => {
  const [literal = "", ...own] = path.replace(/#.*$/s, "").split("?")
  return {
    ownQuery: own.join("?") === "" ? [] : [own.join("?")],
    template: literal.split("/").map((segment) =>
      segment
        .split(/(\{[^{}]+\})/)
        .filter((part) => part !== "")
        .map((part) =>
          /^\{.+\}$/s.test(part) ? { name: part.slice(1, -1) } : encodeURI(part.toWellFormed())
        )
    )
  }
}

type Header = readonly [name: string, value: string]

const fromModel = (parameters: ReadonlyArray<Parameter>, args: Fields): ReadonlyArray<Header> =>
  parameters.flatMap((parameter) => {
    const value = valueOf(parameter, args)
    return value === undefined || value === null
      ? []
      : [[parameter.name, headerText(parameter, value)] as const]
  })

/** Those that come later take the place of those before. */
const fixedHeaders = (outline: Outline, key: string): ReadonlyArray<Header> => {
  const { accept, configuration, isTrusted, secrets } = outline
  const asked = configuration.accept ?? accept.join(", ")
  const sent = (fixed: Fixed): boolean => isTrusted || isPublic(fixed)
  const cookies = [
    ...(isTrusted ? secrets.filter((secret) => secret.in === "cookie") : []),
    ...configuration.cookies.filter(sent)
  ].map(({ name, value }) => `${name}=${plainText(value)}`)
  return [
    ...(asked === "" ? [] : [["accept", asked] as const]),
    ...(configuration.idempotencyKey === undefined ? [] : [[configuration.idempotencyKey, key] as const]),
    ...(isTrusted ? secrets.filter((secret) => secret.in === "header") : []).map(
      ({ name, value }): Header => [name, Redacted.value(value)]
    ),
    ...(cookies.length === 0 ? [] : [["cookie", cookies.join("; ")] as const]),
    ...configuration.headers.filter(sent).map(({ name, value }): Header => [name, plainText(value)])
  ]
}

/** Kept apart from the rest of the query, so that it is seen in no span and no error. */
const withSecretQuery = (
  request: HttpClientRequest.HttpClientRequest,
  { isTrusted, secrets }: Outline
): HttpClientRequest.HttpClientRequest =>
  secrets
    .filter((secret) => isTrusted && secret.in === "query")
    .reduce((request, { name, value }) => HttpClientRequest.appendUrlParam(request, name, value), request)

const withBody = (
  request: HttpClientRequest.HttpClientRequest,
  body: Body | undefined,
  { request_body: value }: Fields
): HttpClientRequest.HttpClientRequest => {
  if (body === undefined || value === undefined) return request
  const type = body.type.includes("*") ? "application/json" : body.type
  return HttpClientRequest.setBody(request, HttpBody.text(bodyText(body, value), type))
}

const bodyText = ({ kind, place }: Body, value: unknown): string => {
  switch (kind) {
    case "json":
      return JSON.stringify(value)
    case "form":
      return formText(value, fieldsOf(below(place, "encoding").value))
    case "text":
      return typeof value === "string" ? value : JSON.stringify(value)
  }
}
