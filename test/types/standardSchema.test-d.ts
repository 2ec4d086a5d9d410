import { toStandardJsonSchema } from "@valibot/to-json-schema"
import { type } from "arktype"
import { Effect, Schema } from "effect"
import { ToolReturn, Toolset } from "effect-toolset"
import * as v from "valibot"
import { describe, expectTypeOf, it } from "vitest"
import { z } from "zod"
import { Db, Id } from "./fixtures.ts"

describe("Standard Schema parameters", () => {
  it("are those of zod, decoded, and need nothing", () => {
    const tool = Toolset.tool("zod", {
      parameters: z.object({
        query: z.string(),
        limit: z.number().default(10),
        tag: z.enum(["a", "b"]).optional(),
        since: z.string().transform((text) => new Date(text))
      }),
      handler: Effect.fn("zod")(function* ({ limit, query, since, tag }) {
        expectTypeOf(query).toEqualTypeOf<string>()
        expectTypeOf(limit).toEqualTypeOf<number>()
        expectTypeOf(tag).toEqualTypeOf<"a" | "b" | undefined>()
        expectTypeOf(since).toEqualTypeOf<Date>()
        yield* Db
        return [query].slice(0, limit)
      })
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset<never, Db>>()
    expectTypeOf<Toolset.ParametersServices<z.ZodObject>>().toEqualTypeOf<never>()
  })

  it("are unions of zod too", () => {
    Toolset.tool("union", {
      parameters: z.discriminatedUnion("by", [
        z.object({ by: z.literal("id"), id: z.string() }),
        z.object({ by: z.literal("all") })
      ]),
      handler: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ by: "id"; id: string } | { by: "all" }>()
        return Effect.void
      }
    })
  })

  it("are those of arktype", () => {
    const tool = Toolset.tool("arktype", {
      parameters: type({ query: "string", "limit?": "number" }),
      handler: ({ limit, query }) => {
        expectTypeOf(query).toEqualTypeOf<string>()
        expectTypeOf(limit).toEqualTypeOf<number | undefined>()
        return Effect.succeed(query)
      }
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset>()
  })

  it("are those of valibot with its converter", () => {
    const tool = Toolset.tool("valibot", {
      parameters: toStandardJsonSchema(v.object({ query: v.string(), limit: v.optional(v.number(), 10) })),
      handler: ({ limit, query }) => {
        expectTypeOf(query).toEqualTypeOf<string>()
        expectTypeOf(limit).toEqualTypeOf<number>()
        return Effect.succeed(query)
      }
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset>()
    // @ts-expect-error valibot is a Standard Schema, but cannot print JSON Schema by itself
    Toolset.tool("valibot", { parameters: v.object({ query: v.string() }), handler: () => Effect.void })
  })

  it("are those of effect's own conversions", () => {
    const tool = Toolset.tool("effect", {
      parameters: Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(Id)),
      handler: ({ id }) => {
        expectTypeOf(id).toEqualTypeOf<string>()
        return Effect.void
      }
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset>()
  })

  it("have an object as root", () => {
    // @ts-expect-error a string is none
    Toolset.tool("zod", { parameters: z.string(), handler: () => Effect.void })
    // @ts-expect-error a string is none
    Toolset.tool("arktype", { parameters: type("string"), handler: () => Effect.void })
    // @ts-expect-error a string is none
    Toolset.tool("valibot", { parameters: toStandardJsonSchema(v.string()), handler: () => Effect.void })
  })

  it("are known to validators and approval predicates", () => {
    Toolset.tool("zod", {
      parameters: z.object({ n: z.number() }),
      validateArgs: ({ n }) => {
        expectTypeOf(n).toEqualTypeOf<number>()
        return Effect.void
      },
      requiresApproval: ({ n }) => {
        expectTypeOf(n).toEqualTypeOf<number>()
        return n > 3
      },
      handler: () => Effect.void
    })
  })
})

describe("Standard Schema results", () => {
  it("are what the handler gives, before its schema decodes them", () => {
    const tool = Toolset.tool("zod", {
      parameters: z.object({ n: z.number() }),
      success: z.object({ total: z.number(), unit: z.string().default("m") }),
      handler: ({ n }) => Effect.succeed({ total: n })
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset>()
    Toolset.tool("arktype", { success: type({ a: "string" }), handler: () => Effect.succeed({ a: "x" }) })
    Toolset.tool("valibot", {
      success: toStandardJsonSchema(v.number()),
      handler: () => Effect.succeed(1)
    })
    Toolset.tool("rich", {
      success: z.string(),
      handler: () => Effect.succeed(new ToolReturn({ value: "x" }))
    })
    // @ts-expect-error a text is no number
    Toolset.tool("wrong", { success: z.number(), handler: () => Effect.succeed("x") })
    // @ts-expect-error valibot is a Standard Schema, but cannot print JSON Schema by itself
    Toolset.tool("valibot", { success: v.number(), handler: () => Effect.succeed(1) })
  })

  it("keep what the handler fails with and needs", () => {
    const tool = Toolset.tool("db", {
      success: z.string(),
      handler: Effect.fn(function* () {
        const db = yield* Db
        return yield* Effect.as(Effect.fail("offline" as const), String(db))
      })
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset<"offline", Db>>()
  })
})
