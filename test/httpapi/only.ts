/** APIs of one endpoint, and its tool. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi, HttpApiGroup } from "effect/http-api"
import type { ToolDefinition } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"

/** `any`: what endpoints fail with and need is not what these tests are about. */
type AnyEndpoint = any
type AnyGroup = any

/** An API that needs nothing but a client. */
export type OneApi = HttpApi.HttpApi<"one", HttpApiGroup.HttpApiGroup<"users", never, false>>

export const apiOf = (endpoint: AnyEndpoint, group: AnyGroup = HttpApiGroup.make("users")): OneApi =>
  HttpApi.make("one").add(group.add(endpoint)) as AnyGroup

/** The only tool of an API of one endpoint. */
export const only = (
  endpoint: AnyEndpoint,
  options?: HttpApiToolset.Options,
  group?: AnyGroup
): ToolDefinition => {
  const { skipped, tools } = Effect.runSync(HttpApiToolset.report(apiOf(endpoint, group), options))
  assert.deepStrictEqual(skipped, [])
  assert.strictEqual(tools.length, 1)
  return tools[0]!
}

/** Why the only endpoint of an API is no tool. */
export const reasonOf = (endpoint: AnyEndpoint, options?: HttpApiToolset.Options): string | undefined => {
  const { skipped } = Effect.runSync(HttpApiToolset.report(apiOf(endpoint), options))
  return skipped[0]?.reason
}
