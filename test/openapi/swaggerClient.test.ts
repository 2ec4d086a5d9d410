/** What arrives at a server is what another implementation would have sent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Predicate, Result } from "effect"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import type { Seen } from "../rest/server.ts"
import { anyArguments } from "./anyArguments.ts"
import { isHere, swaggerClient, textOf, unlessHere } from "./documents.ts"
import { type Fields, served } from "./served.ts"

const client = isHere ? swaggerClient() : undefined

/** The operation alone, with the references to its parameters and its body followed. */
const alone = (document: Fields, path: string, method: string): Fields => {
  const at = (value: any): any =>
    Predicate.isString(value?.$ref)
      ? at(
          value.$ref
            .slice(2)
            .split("/")
            .reduce((node: any, key: string) => node[key], document)
        )
      : value
  const { parameters: shared = [], ...item } = document.paths[path]
  const operation = item[method.toLowerCase()]
  const parameters = [...shared, ...(operation.parameters ?? [])].map((parameter) => {
    const found = at(parameter)
    return { ...found, schema: at(found.schema) }
  })
  const only = { ...operation, parameters, requestBody: at(operation.requestBody), operationId: "call" }
  return {
    openapi: document.openapi,
    servers: [{ url: "http://x/api" }],
    paths: { [path]: { [method.toLowerCase()]: only } }
  }
}

const theirs = (document: Fields, path: string, method: string, args: Fields): Fields =>
  client.buildRequest({
    spec: alone(document, path, method),
    operationId: "call",
    parameters: Object.fromEntries([
      ...Object.entries(args.path_params ?? {}).map(([name, value]) => [`path.${name}`, value]),
      ...Object.entries(args.query ?? {}).map(([name, value]) => [`query.${name}`, value])
    ]),
    requestBody: args.request_body
  })

/** A URL as a server reads it. */
const read = (url: string) => {
  const { pathname, searchParams } = new URL(url, "http://x")
  return { path: pathname.split("/").map(decodeURIComponent), query: [...searchParams] }
}

const same = (document: Fields, path: string, method: string, args: Fields, seen: Seen): boolean => {
  const request = theirs(document, path, method, args)
  const isBodyEqual =
    args.request_body === undefined ||
    JSON.stringify(JSON.parse(seen.body)) === JSON.stringify(request.body ?? null)
  return (
    isBodyEqual &&
    request.method === seen.method &&
    JSON.stringify(read(request.url)) === JSON.stringify(read(seen.url))
  )
}

describe(`requests${unlessHere}`, () => {
  for (const [file, step, atLeast] of [
    ["github.json", 6, 170],
    ["directus.json", 1, 110]
  ] as const) {
    it.effect.skipIf(!isHere)(
      `of ${file} are those of swagger-client`,
      () =>
        Effect.gen(function* () {
          const document = JSON.parse(textOf(file))
          const { baseUrl, call, seen } = yield* served(document)
          const { tools } = yield* OpenApiToolset.report(document, { baseUrl })
          const others: Array<string> = []
          let compared = 0
          for (const [i, { metadata, name, parameters }] of tools.entries()) {
            if (i % step !== 0) continue
            const args = anyArguments(parameters, i)
            const before = seen.length
            const result = yield* Effect.result(call(name, args))
            // What was made up does not suit every schema: then nothing is sent.
            if (Result.isFailure(result)) continue
            compared++
            if (!same(document, String(metadata.path), String(metadata.method), args, seen[before]!)) {
              others.push(
                `${name} ${seen[before]!.url} ${theirs(document, String(metadata.path), String(metadata.method), args).url}`
              )
            }
          }
          assert.deepStrictEqual(others, [])
          assert.isAtLeast(compared, atLeast)
        }),
      120_000
    )
  }
})
