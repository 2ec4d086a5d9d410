/** What operators do to whole toolsets, and to each other. */
import { describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { Secrets, Toolset } from "effect-toolset"
import { asksAbout, type Args } from "./choices.ts"
import { sources, trees, When } from "./description.ts"
import { both, equal } from "./equal.ts"
import { meaning } from "./meaning.ts"
import { isFailure } from "./meant.ts"
import { often } from "./often.ts"
import { steps } from "./observed.ts"
import type { Generated } from "./world.ts"

const small = trees(undefined, 2)

/** What generated handlers say is secret. */
const secrets = Secrets.layer(
  ...["refuses", "is broken", "asks again"].map((text) => Redacted.make(text))
).pipe(Layer.orDie)
const masked = (self: Generated): Generated => Toolset.provide(Toolset.masked(self), secrets)

const alone: Readonly<Record<string, (self: Generated) => Generated>> = {
  guard: Toolset.guard((tool, args) => ((args as unknown as Args).n % 2 === 1 ? "ask" : { deny: tool.name })),
  retried: (self) => Toolset.retried(self, Schedule.recurs(2)),
  truncated: Toolset.truncated({ maxBytes: 128 }),
  traced: Toolset.traced(),
  metered: Toolset.metered
}

describe("operators over combined", () => {
  for (const [name, operator] of Object.entries(alone)) {
    it.effect.prop(
      `${name} distributes`,
      { sources, a: small, b: small },
      ({ a, b, sources }) =>
        equal(
          sources,
          ({ of }) => operator(of(both(a, b))),
          ({ of }) => Toolset.combined(operator(of(a, "0.0")), operator(of(b, "0.1")))
        ),
      often(10)
    )
  }
})

describe("guard", () => {
  it.effect.prop(
    "that allows or asks is approvalRequired",
    { sources, tree: small, when: When },
    ({ sources, tree, when }) => {
      const asks = (tool: Parameters<typeof asksAbout>[1], args: Toolset.Args) =>
        asksAbout(when, tool, args as unknown as Args)
      return equal(
        sources,
        ({ of }) => Toolset.guard(of(tree), (tool, args) => (asks(tool, args) ? "ask" : "allow")),
        ({ of }) => Toolset.approvalRequired(of(tree), asks)
      )
    },
    often(15)
  )

  it.effect.prop(
    "that denies lets nothing through, whatever is inside",
    { sources, tree: small },
    ({ sources, tree }) => {
      const denied = Toolset.guard(() => ({ deny: "no" }))
      return equal(
        sources,
        ({ of }) => denied(of(tree)),
        ({ of }) =>
          denied(
            Toolset.guard(
              Toolset.wrapper(of(tree), () => Effect.die("called")),
              () => "allow"
            )
          )
      )
    },
    often(10)
  )
})

describe("masked", () => {
  it.effect.prop(
    "distributes, where it is said once that *** is deliberate",
    { sources, a: small, b: small },
    ({ a, b, sources }) =>
      equal(
        sources,
        ({ of }) => masked(of(both(a, b))),
        ({ of }) => masked(Toolset.combined(masked(of(a, "0.0")), masked(of(b, "0.1"))))
      ),
    often(10)
  )

  it.effect.prop(
    "twice is once",
    { sources, tree: small },
    ({ sources, tree }) =>
      equal(
        sources,
        ({ of }) => masked(masked(of(tree))),
        ({ of }) => masked(of(tree))
      ),
    often(10)
  )
})

describe("truncated", () => {
  it.effect.prop(
    "twice is once",
    { sources, tree: small },
    ({ sources, tree }) => {
      const cut = (self: Generated) =>
        // What a result may be is said once for each time.
        Toolset.prepared(Toolset.truncated(self, { maxBytes: 128 }), (tools) =>
          tools.map((tool) => ({ ...tool, returns: undefined }))
        )
      return equal(
        sources,
        ({ of }) => cut(cut(of(tree))),
        ({ of }) => cut(of(tree))
      )
    },
    often(10)
  )
})

describe("orElse", () => {
  it.effect.prop(
    "is the identity of what opens and lists",
    { sources, a: small, b: small },
    ({ a, b, sources }) => {
      const meant = meaning(sources, a)
      const stands =
        meant.opening === undefined &&
        steps.every((step) => !isFailure(meant.tools(step)) && !isFailure(meant.instructions(step)))
      return stands ? equal(sources, ({ of }) => Toolset.orElse(of(a), of(b, "1")), a) : Effect.void
    },
    often(15)
  )

  it.effect.prop(
    "is associative",
    { sources, a: small, b: small, c: small },
    ({ a, b, c, sources }) =>
      equal(
        sources,
        ({ of }) => Toolset.orElse(Toolset.orElse(of(a, "0"), of(b, "1")), of(c, "2")),
        ({ of }) => Toolset.orElse(of(a, "0"), Toolset.orElse(of(b, "1"), of(c, "2")))
      ),
    often(15)
  )
})
