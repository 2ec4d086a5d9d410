import { type DateTime, Effect, Schema } from "effect"
import { ModelRetry, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Id, NotFound } from "./fixtures.ts"

const Search = Schema.Struct({
  query: Schema.String,
  limit: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(10))),
  since: Schema.optional(Schema.DateTimeUtcFromString),
  tags: Schema.optionalKey(Schema.Array(Schema.Literals(["a", "b"])))
})
interface SearchArgs {
  readonly query: string
  readonly limit: number
  readonly since?: DateTime.Utc | undefined
  readonly tags?: ReadonlyArray<"a" | "b">
}

class Point extends Schema.Class<Point>("Point")({ x: Schema.Finite, y: Schema.Finite }) {}

describe("the arguments of a handler", () => {
  it("are inferred from parameters: decoded, defaults filled in", () => {
    Toolset.tool("arrow", {
      parameters: Search,
      handler: (args) => {
        expectTypeOf(args).toEqualTypeOf<SearchArgs>()
        return Effect.succeed(args)
      }
    })
    Toolset.tool("codec", {
      parameters: Schema.Struct({ n: Schema.optionalKey(Schema.FiniteFromString) }),
      handler: ({ n }) => {
        expectTypeOf(n).toEqualTypeOf<number | undefined>()
        return Effect.void
      }
    })
  })

  it("are inferred in whatever order the options come", () => {
    Toolset.tool("handler first", {
      handler: Effect.fn("x")(function* ({ limit, query, since, tags }) {
        expectTypeOf(query).toEqualTypeOf<string>()
        expectTypeOf(limit).toEqualTypeOf<number>()
        expectTypeOf(since).toEqualTypeOf<DateTime.Utc | undefined>()
        expectTypeOf(tags).toEqualTypeOf<ReadonlyArray<"a" | "b"> | undefined>()
        return query
      }),
      success: Schema.String,
      parameters: Search
    })
  })

  it("are inferred in a generator, named, unnamed or untraced", () => {
    Toolset.tool("named", {
      parameters: Search,
      handler: Effect.fn("named")(function* ({ limit }) {
        expectTypeOf(limit).toEqualTypeOf<number>()
        return limit
      })
    })
    Toolset.tool("unnamed", {
      parameters: Search,
      handler: Effect.fn(function* ({ limit }) {
        expectTypeOf(limit).toEqualTypeOf<number>()
        return limit
      })
    })
    Toolset.tool("untraced", {
      parameters: Search,
      handler: Effect.fnUntraced(function* ({ limit }) {
        expectTypeOf(limit).toEqualTypeOf<number>()
        return limit
      })
    })
  })

  it("are inferred where the generator is piped on", () => {
    const piped = Toolset.tool("piped", {
      parameters: Search,
      handler: Effect.fn("x")(
        function* ({ query }) {
          expectTypeOf(query).toEqualTypeOf<string>()
          if (query === "") return yield* new NotFound({ id: query })
          return query
        },
        Effect.catchTag("NotFound", () => new ModelRetry({ message: "none" }))
      )
    })
    expectTypeOf(piped).toEqualTypeOf<Toolset.Toolset>()
  })

  it("are an instance where parameters are a class", () => {
    Toolset.tool("class", {
      parameters: Point,
      handler: (point) => {
        expectTypeOf(point).toEqualTypeOf<Point>()
        return Effect.succeed(point.x)
      }
    })
  })

  it("are a union where parameters are one", () => {
    Toolset.tool("union", {
      parameters: Schema.Union([Id, Schema.Struct({ name: Schema.String })]),
      handler: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ readonly id: string } | { readonly name: string }>()
        return Effect.void
      }
    })
  })

  it("are an empty object without parameters", () => {
    Toolset.tool("none", {
      handler: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ readonly [x: string]: never }>()
        return Effect.void
      }
    })
  })

  it("are an empty object where parameters are said to be none", () => {
    const none = Toolset.tool("none", {
      parameters: undefined,
      handler: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ readonly [x: string]: never }>()
        return Effect.void
      }
    })

    expectTypeOf(none).toEqualTypeOf<Toolset.Toolset>()
  })

  it("are not more than parameters say", () => {
    Toolset.tool("id", {
      parameters: Id,
      // @ts-expect-error there is no such argument
      handler: ({ name }) => Effect.succeed(name)
    })
    Toolset.tool("id", {
      parameters: Id,
      // @ts-expect-error it is a string
      handler: ({ id }: { readonly id: number }) => Effect.succeed(id)
    })
  })
})

describe("the root of parameters", () => {
  it("is an object", () => {
    // @ts-expect-error a string is none
    Toolset.tool("root", { parameters: Schema.String, handler: () => Effect.void })
    // @ts-expect-error a number that is sent as a string is none
    Toolset.tool("root", { parameters: Schema.FiniteFromString, handler: () => Effect.void })
    // @ts-expect-error what may be null is none
    Toolset.tool("root", { parameters: Schema.NullOr(Id), handler: () => Effect.void })
    // @ts-expect-error JSON Schema as such says nothing of types
    Toolset.tool("root", { parameters: { type: "object" }, handler: () => Effect.void })
  })
})

describe("ParametersType and ParametersServices", () => {
  it("say what a schema gives and needs", () => {
    expectTypeOf<Toolset.ParametersType<typeof Search>>().toEqualTypeOf<SearchArgs>()
    expectTypeOf<Toolset.ParametersServices<typeof Search>>().toEqualTypeOf<never>()
    expectTypeOf<Toolset.ParametersServices<Schema.Codec<object, object, "d", "e">>>().toEqualTypeOf<
      "d" | "e"
    >()
    expectTypeOf<Toolset.ParametersType<Toolset.EmptyParams>>().toEqualTypeOf<{
      readonly [x: string]: never
    }>()
  })
})
