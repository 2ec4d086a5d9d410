/** What treats each tool alone distributes over `combined`: h(combined(a, b)) = combined(h(a), h(b)). */
import { describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  ApprovalRequired,
  distinct,
  EachEdit,
  Filtered,
  MapLeaves,
  Prefixed,
  Sequential,
  sources,
  Timeout,
  trees,
  type Unary,
  WithId,
  WithMaxRetries,
  WithMetadata,
  WithReturns,
  Wrapper
} from "./description.ts"
import { both, equal, on } from "./equal.ts"
import { often } from "./often.ts"

const small = trees(undefined, 2)

const alone: Readonly<Record<string, Schema.Codec<Unary>>> = {
  filtered: Filtered,
  prefixed: Prefixed,
  approvalRequired: ApprovalRequired,
  wrapper: Wrapper,
  withMetadata: WithMetadata,
  timeout: Timeout,
  "renamed by a function": Schema.TaggedStruct("renamed", { rename: Schema.Literals(["nothing", "suffix"]) }),
  withReturns: WithReturns,
  sequential: Sequential,
  withMaxRetries: WithMaxRetries,
  withId: WithId,
  mapLeaves: MapLeaves
}

describe("unary over combined", () => {
  for (const [name, how] of Object.entries(alone)) {
    it.effect.prop(
      `${name} distributes`,
      { sources, how, a: small, b: small },
      ({ a, b, how, sources }) => equal(sources, on(both(a, b), how), both(on(a, how), on(b, how))),
      often(20)
    )
  }

  it.effect.prop(
    "prepared tool by tool distributes",
    { sources, edit: EachEdit, a: small, b: small },
    ({ a, b, edit, sources }) => {
      const how = { _tag: "prepared", edit, as: "value" } as const
      const [c, d] = distinct([a, b])
      return equal(sources, on(both(c!, d!), how), both(on(c!, how), on(d!, how)))
    },
    often(20)
  )
})
