import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { distinct, sources, trees } from "./description.ts"
import { equal } from "./equal.ts"
import { identities, identitiesByName, lateIdentities } from "./identities.ts"
import { meaning } from "./meaning.ts"
import { often } from "./often.ts"

describe("the same is seen of a toolset", () => {
  for (const [name, identity] of Object.entries(identities)) {
    if (name.startsWith("withInstructions")) continue
    it.effect.prop(
      `under ${name}`,
      { sources, tree: trees(undefined, 3) },
      ({ sources, tree }) => equal(sources, ({ of }) => identity(of(tree)), tree),
      often(8)
    )
  }

  for (const [name, identity] of Object.entries(lateIdentities)) {
    it.effect.prop(
      `under ${name}, where it can be opened`,
      { sources, tree: trees(undefined, 3) },
      ({ sources, tree }) =>
        meaning(sources, tree).opening === undefined
          ? equal(sources, ({ of }) => identity(of(tree)), tree)
          : Effect.void,
      often(8)
    )
  }

  for (const [name, identity] of Object.entries(identitiesByName)) {
    it.effect.prop(
      `under ${name}`,
      { sources, tree: trees(undefined, 3) },
      ({ sources, tree: any }) => {
        const [tree] = distinct([any])
        return equal(sources, ({ of }) => identity(of(tree!)), tree!)
      },
      often(8)
    )
  }
})
