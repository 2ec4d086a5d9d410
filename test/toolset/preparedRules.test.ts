/** What `prepared` may say of a tool, and what then holds at a call. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, type JsonSchema, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import type { ToolDefinition } from "effect-toolset"
import { Toolset } from "effect-toolset"
import { answering, approved, changeable, first, flaw, retry, tag, tools } from "./asking.ts"

const each = (f: (tool: ToolDefinition) => ToolDefinition) => Toolset.prepared((all) => all.map(f))
const withKind = (kind: ToolDefinition["kind"]) => each((tool) => ({ ...tool, kind }))
const withParameters = (parameters: JsonSchema.JsonSchema) => each((tool) => ({ ...tool, parameters }))

describe("a preparer", () => {
  const ab = tools("a", "b")
  const source = "prepared(combined(tool(a), tool(b)))"
  const unlawful: ReadonlyArray<
    readonly [what: string, prepare: Toolset.Preparer<never, never>, problem: string, hint: string]
  > = [
    [
      "give no list",
      () => undefined as never,
      "The preparer returned no list of tools.",
      "Return the definitions to offer: all of them, for no change."
    ],
    [
      "give a list with something else in it",
      ([a]) => [a!, undefined as never],
      "The preparer returned undefined in its list, which is no definition.",
      "Return definitions that it was given, changed as `{ ...definition, description }`; leave out what is not to be offered."
    ],
    [
      "give a list with a hole",
      ([a]) => Object.assign([], { 1: a! }),
      "The preparer returned undefined in its list, which is no definition.",
      "Return definitions that it was given, changed as `{ ...definition, description }`; leave out what is not to be offered."
    ],
    [
      "give what has no name",
      ([a]) => [{ ...a!, name: 1 as never }],
      `The preparer returned {"name":1,"parameters":{"type":"object","properties":{},"additionalProperties":f in its list, which is no definition.`,
      "Return definitions that it was given, changed as `{ ...definition, description }`; leave out what is not to be offered."
    ],
    [
      "give a kind that there is not",
      ([a]) => [{ ...a!, kind: "bogus" as never }],
      "The preparer made the tool 'a' of kind 'function' one of kind 'bogus'.",
      "A kind may become 'external' or 'unapproved'; what waits for somebody never stops doing so."
    ],
    [
      "add a tool (P37)",
      ([a, ...rest]) => [a!, { ...a!, name: "c" }, ...rest],
      "The preparer returned a tool 'c' that it was not given.",
      "A preparer edits, drops and reorders: add tools with Toolset.combined, rename them with Toolset.renamed."
    ],
    [
      "rename a tool (P38)",
      ([a, ...rest]) => [{ ...a!, name: "c" }, ...rest],
      "The preparer returned a tool 'c' that it was not given.",
      "A preparer edits, drops and reorders: add tools with Toolset.combined, rename them with Toolset.renamed."
    ],
    [
      "repeat a tool (2.7)",
      ([a, b]) => [a!, b!, { ...a!, description: "Again." }],
      "The preparer returned the tool 'a' twice.",
      "Return each definition once."
    ],
    [
      "rename a tool to another that is there",
      ([a, b]) => [{ ...a!, name: "b" }, b!],
      "The preparer returned the tool 'b' twice.",
      "Return each definition once."
    ]
  ]
  for (const [what, prepare, problem, hint] of unlawful) {
    it.effect(`cannot ${what}`, () =>
      Effect.gen(function* () {
        for (const prepared of [ab.pipe(Toolset.prepared(prepare)), Toolset.prepared(ab, prepare)]) {
          assert.deepStrictEqual(yield* flaw(Toolset.list(prepared)), { source, problem, hint })
        }
        const { problem: same } = yield* flaw(Toolset.list(changeable(ab).pipe(Toolset.prepared(prepare))))
        assert.strictEqual(same, problem)
      })
    )
  }

  it.effect("cannot add a tool to the very list that it was given", () =>
    Effect.gen(function* () {
      const pushing = ab.pipe(
        Toolset.prepared((all) => {
          ;(all as Array<ToolDefinition>).push({ ...all[0]!, name: "c" })
          return all
        })
      )
      const { problem } = yield* flaw(Toolset.list(pushing))
      assert.strictEqual(problem, "The preparer returned a tool 'c' that it was not given.")
    })
  )

  for (const maxRetries of [-1, 0.5, Number.NaN]) {
    it.effect(`cannot give a tool ${maxRetries} retries (P66)`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(
          yield* flaw(Toolset.list(ab.pipe(each((tool) => ({ ...tool, maxRetries }))))),
          {
            source: `${source} 'a'`,
            problem: `The number of retries is ${maxRetries}.`,
            hint: "Give a whole number of at least 0."
          }
        )
      })
    )
  }

  it.effect("cannot give a tool parameters whose root is no object", () =>
    Effect.gen(function* () {
      for (const parameters of [{ type: "string" }, { type: "array", items: {} }, undefined, null, "x"]) {
        const { problem } = yield* flaw(
          Toolset.list(answering("t").pipe(withParameters(parameters as never)))
        )
        assert.include(problem, String(JSON.stringify(parameters)))
      }
    })
  )
})

describe("the kind of a prepared tool", () => {
  const of = {
    function: answering("t"),
    unapproved: answering("t").pipe(Toolset.approvalRequired()),
    external: Toolset.external([{ name: "t" }])
  }
  const table: ReadonlyArray<[from: keyof typeof of, to: ToolDefinition["kind"], lawful: boolean]> = [
    ["function", "function", true],
    ["function", "unapproved", true],
    ["function", "external", true],
    ["function", "output", false],
    ["unapproved", "function", false],
    ["unapproved", "unapproved", true],
    ["unapproved", "external", true],
    ["unapproved", "output", false],
    ["external", "function", false],
    ["external", "unapproved", true],
    ["external", "external", true],
    ["external", "output", false]
  ]
  for (const [from, to, lawful] of table) {
    it.effect(`${lawful ? "may" : "cannot"} become ${to} where it is ${from}`, () =>
      Effect.gen(function* () {
        const prepared = of[from].pipe(withKind(to))
        if (lawful) return assert.strictEqual((yield* first(prepared)).kind, to)
        const { hint, problem } = yield* flaw(Toolset.list(prepared))
        assert.strictEqual(problem, `The preparer made the tool 't' of kind '${from}' one of kind '${to}'.`)
        assert.include(hint, "'external' or 'unapproved'")
      })
    )
  }

  it.effect("cannot be taken back by another preparer", () =>
    Effect.gen(function* () {
      const back = answering("t").pipe(withKind("external"), withKind("function"))
      assert.include((yield* flaw(Toolset.list(back))).problem, "of kind 'external' one of kind 'function'")
    })
  )

  it.effect("external defers the call, approved or not, after checking its arguments (P43)", () =>
    Effect.gen(function* () {
      let calls = 0
      const tool = Toolset.tool("t", {
        parameters: Schema.Struct({ x: Schema.Int }),
        handler: () => Effect.sync(() => calls++)
      }).pipe(withKind("external"))
      assert.strictEqual(yield* tag(Toolset.call(tool, "t", { x: 1 })), "CallDeferred")
      assert.strictEqual(yield* tag(approved(Toolset.call(tool, "t", { x: 1 }))), "CallDeferred")
      assert.strictEqual((yield* retry(Toolset.call(tool, "t", {})))[0], "arguments")
      assert.strictEqual(calls, 0)
    })
  )

  it.effect("unapproved asks before the call", () =>
    Effect.gen(function* () {
      const tool = answering("t").pipe(withKind("unapproved"))
      assert.strictEqual(yield* tag(Toolset.call(tool, "t", {})), "ApprovalRequired")
      assert.strictEqual(yield* approved(Toolset.call(tool, "t", {})), "t")
    })
  )
})

describe("changed parameters", () => {
  const paint = Toolset.tool("paint", {
    parameters: Schema.Struct({ color: Schema.String, coats: Schema.optional(Schema.Int) }),
    handler: (args) => Effect.succeed(args)
  })
  const colors = (...colors: ReadonlyArray<string>): JsonSchema.JsonSchema => ({
    type: "object",
    properties: { color: { enum: colors } }
  })

  it.effect("are what the model is told, and what its arguments are checked against (2.7)", () =>
    Effect.gen(function* () {
      const narrowed = paint.pipe(withParameters(colors("red", "blue")))
      assert.deepStrictEqual((yield* first(narrowed)).parameters, colors("red", "blue"))
      assert.deepStrictEqual(yield* Toolset.call(narrowed, "paint", { color: "red" }), { color: "red" })
      assert.deepStrictEqual(yield* retry(Toolset.call(narrowed, "paint", { color: "mauve" })), [
        "arguments",
        `Invalid arguments: Expected "red" | "blue"\n  at ["color"]`
      ])
    })
  )

  it.effect("are checked before the tool's own, which still hold", () =>
    Effect.gen(function* () {
      const widened = paint.pipe(withParameters({ type: "object" }))
      assert.deepStrictEqual(yield* retry(Toolset.call(widened, "paint", { color: 1 })), [
        "arguments",
        `Invalid arguments: Expected string\n  at ["color"]`
      ])
      const narrowed = paint.pipe(withParameters(colors("red")))
      assert.deepStrictEqual(yield* retry(Toolset.call(narrowed, "paint", { color: 1, coats: "x" })), [
        "arguments",
        `Invalid arguments: Expected "red"\n  at ["color"]`
      ])
    })
  )

  it.effect("of several preparers hold all", () =>
    Effect.gen(function* () {
      const twice = paint.pipe(withParameters(colors("red", "blue")), withParameters(colors("red", "green")))
      assert.deepStrictEqual(yield* Toolset.call(twice, "paint", { color: "red" }), { color: "red" })
      for (const color of ["blue", "green"]) {
        assert.strictEqual((yield* retry(Toolset.call(twice, "paint", { color })))[0], "arguments")
      }
    })
  )

  it.effect("of an external tool are checked together with those it had", () =>
    Effect.gen(function* () {
      const external = Toolset.external([
        { name: "t", parameters: { type: "object", properties: { n: { type: "integer" } } } }
      ]).pipe(withParameters({ type: "object", required: ["n"] }))
      assert.strictEqual(yield* tag(Toolset.call(external, "t", { n: 1 })), "CallDeferred")
      assert.strictEqual((yield* retry(Toolset.call(external, "t", {})))[0], "arguments")
      assert.strictEqual((yield* retry(Toolset.call(external, "t", { n: "x" })))[0], "arguments")
    })
  )

  it.effect("hold for the step in which they were changed, and for no other (P42)", () =>
    Effect.gen(function* () {
      let isFirst = true
      const once = paint.pipe(
        each((tool) => {
          const parameters = isFirst ? colors("red") : tool.parameters
          isFirst = false
          return { ...tool, parameters }
        })
      )
      assert.deepStrictEqual((yield* first(once)).parameters, colors("red"))
      assert.deepStrictEqual((yield* first(once)).parameters, (yield* first(paint)).parameters)
    })
  )

  it.effect("reach no other run where a preparer writes into the schema that it was given (P42)", () =>
    Effect.gen(function* () {
      const writing = paint.pipe(
        each((tool) => {
          tool.parameters["required"] = []
          return tool
        })
      )
      yield* Effect.exit(Toolset.list(writing))
      assert.deepStrictEqual((yield* first(paint)).parameters["required"], ["color"])
    })
  )

  const kit = Toolkit.make(Tool.make("t"))
  const everywhere: Readonly<Record<string, Toolset.Toolset<unknown>>> = {
    "a function tool": paint,
    "an external tool": Toolset.external([{ name: "t" }]),
    "a tool of effect/ai": Toolset.fromToolkit(kit).pipe(
      Toolset.provide(kit.toLayer({ t: () => Effect.succeed(undefined) }))
    ),
    "a tool under another name": paint.pipe(Toolset.prefixed("x")),
    "a tool that asks first": paint.pipe(Toolset.approvalRequired()),
    "a tool with metadata": changeable(paint).pipe(Toolset.withMetadata({ a: 1 })),
    "a prepared tool": paint.pipe(each((tool) => ({ ...tool, description: "Paints." })))
  }
  for (const [what, toolset] of Object.entries(everywhere)) {
    it.effect(`reach no other run where a preparer writes into the definition of ${what} (P42)`, () =>
      Effect.gen(function* () {
        const before = { ...(yield* first(toolset)) }
        const writing = toolset.pipe(each((tool) => Object.assign(tool, { description: "Written." })))
        assert.isTrue(Exit.hasDies(yield* Effect.exit(Toolset.list(writing))))
        assert.deepStrictEqual({ ...(yield* first(toolset)) }, before)
      })
    )
  }
})
