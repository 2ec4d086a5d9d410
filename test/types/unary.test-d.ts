/** What changes neither what a toolset fails with nor what it needs. */
import { Duration, pipe } from "effect"
import { type ToolDefinition, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { extra, Fatal, Db, type Tools, tools } from "./fixtures.ts"

describe("combinators that keep E and R", () => {
  it("keep them in a pipe", () => {
    expectTypeOf(
      tools.pipe(
        Toolset.prefixed("x"),
        Toolset.renamed({ a: "x_get" }),
        Toolset.renamed((name) => name.toUpperCase()),
        Toolset.withMetadata({ team: "a" }),
        Toolset.withMetadata((tool) => ({ original: tool.name })),
        Toolset.withInstructions("Be kind."),
        Toolset.withId("tools"),
        Toolset.withMaxRetries(2),
        Toolset.withReturns,
        Toolset.sequential,
        Toolset.timeout("30 seconds")
      )
    ).toEqualTypeOf<Tools>()
  })

  it("keep them data first", () => {
    expectTypeOf(Toolset.prefixed(tools, "x")).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.renamed(tools, { a: "get" })).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.renamed(tools, (name) => name)).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.withMetadata(tools, {})).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.withMetadata(tools, (tool) => ({ name: tool.name }))).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.withId(tools, "x")).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.withMaxRetries(tools, 0)).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.withReturns(tools)).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.sequential(tools)).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.timeout(tools, Duration.seconds(1))).toEqualTypeOf<Tools>()
    expectTypeOf<ReturnType<typeof Toolset.prefixed<Fatal, Db>>>().toEqualTypeOf<Tools>()
  })

  it("keep them for whatever toolset they are put on, written away from it", () => {
    const inTwo = [
      Toolset.prefixed("x"),
      Toolset.renamed((name) => name),
      Toolset.withMetadata({ team: "a" }),
      Toolset.withId("x"),
      Toolset.withMaxRetries(1),
      Toolset.withReturns,
      Toolset.sequential,
      Toolset.timeout(1000)
    ] as const
    for (const combinator of inTwo) {
      expectTypeOf(combinator(tools)).toEqualTypeOf<Tools>()
      expectTypeOf(combinator(extra)).toEqualTypeOf<typeof extra>()
      expectTypeOf(combinator(Toolset.empty)).toEqualTypeOf<Toolset.Toolset>()
    }
    const named = Toolset.prefixed("x")
    expectTypeOf(pipe(tools, named, named)).toEqualTypeOf<Tools>()
  })

  it("keep them in a function that is generic in its toolset", () => {
    const all = <E, R>(self: Toolset.Toolset<E, R>) =>
      self.pipe(Toolset.prefixed("x"), Toolset.sequential, Toolset.timeout("1 second"))
    expectTypeOf(all(tools)).toEqualTypeOf<Tools>()
    expectTypeOf(extra.pipe(all)).toEqualTypeOf<typeof extra>()
  })

  it("give functions what they are about", () => {
    Toolset.renamed(tools, (name) => {
      expectTypeOf(name).toEqualTypeOf<string>()
      return name
    })
    tools.pipe(
      Toolset.withMetadata((tool) => {
        expectTypeOf(tool).toEqualTypeOf<ToolDefinition>()
        return tool.metadata
      })
    )
  })

  it("take what they are about, and nothing else", () => {
    // @ts-expect-error a prefix is a string
    tools.pipe(Toolset.prefixed(1))
    // @ts-expect-error a name is a string
    tools.pipe(Toolset.renamed({ a: 1 }))
    // @ts-expect-error a tool always has a name
    Toolset.renamed(tools, () => undefined)
    // @ts-expect-error metadata is an object
    tools.pipe(Toolset.withMetadata("team"))
    // @ts-expect-error metadata is known at once
    Toolset.withMetadata(tools, async () => ({}))
    // @ts-expect-error an id is a string
    tools.pipe(Toolset.withId(undefined))
    // @ts-expect-error a number of retries is a number
    tools.pipe(Toolset.withMaxRetries("2"))
    // @ts-expect-error a duration has a unit
    tools.pipe(Toolset.timeout("30"))
    // @ts-expect-error it takes nothing but a toolset
    tools.pipe(Toolset.sequential())
    // @ts-expect-error the subject comes first, and then the prefix
    Toolset.prefixed("x", tools)
  })
})
