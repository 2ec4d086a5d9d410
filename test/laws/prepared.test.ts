import { assert, describe, it } from "@effect/vitest"
import { Effect, type JsonSchema, Result, Schema } from "effect"
import { ModelRetry, type ToolDefinition, ToolFailed, Toolset, ToolsetDefinitionError } from "effect-toolset"
import { edited } from "./choices.ts"
import { Asks, distinct, Edit, sources, trees, type Tree } from "./description.ts"
import { equal, on, seenOf } from "./equal.ts"
import { meaning } from "./meaning.ts"
import { type Answer, isFailure } from "./meant.ts"
import { inStep, stepOf } from "./observed.ts"
import { often } from "./often.ts"
import { assertSame } from "./same.ts"
import { making } from "./toolsets.ts"
import { Flavour } from "./world.ts"

const small = trees(undefined, 3)
const named = (tree: Tree): Tree => distinct([tree])[0]!
const Places = Schema.Literals(["describe", "reverse", "tail", "now"])

describe("prepared", () => {
  it.effect.prop(
    "by what changes nothing is the identity, also where it copies",
    { sources, tree: small, edit: Schema.Literals(["nothing", "copy"]), as: Asks },
    ({ as, edit, sources, tree }) =>
      equal(sources, on(named(tree), { _tag: "prepared", edit, as }), named(tree)),
    often()
  )

  it.effect.prop(
    "by p then by q is prepared by q after p, where they edit texts, drop and reorder",
    { sources, tree: small, p: Places, q: Places },
    ({ p, q, sources, tree }) =>
      equal(
        sources,
        on(
          named(tree),
          { _tag: "prepared", edit: p, as: "value" },
          { _tag: "prepared", edit: q, as: "effect" }
        ),
        ({ of }) =>
          Toolset.prepared(of(named(tree)), (tools, { step }) => edited(q, edited(p, tools, step), step))
      ),
    often()
  )

  it.effect.prop(
    "gives a definition that is equal to that of the step before as the same object",
    { sources, tree: small, edit: Edit },
    Effect.fnUntraced(
      function* ({ edit, sources, tree }) {
        const tools = meaning(sources, named(tree))
        if (isFailure(tools.opening ?? tools.tools(1))) return
        const prepared = on(named(tree), { _tag: "prepared", edit, as: "value" })
        const session = yield* Toolset.open(making(sources).of(prepared))
        const first = yield* inStep(stepOf(1))(session.tools)
        const again = yield* inStep(stepOf(1))(session.tools)
        assert.isTrue(again.every(({ definition }, i) => definition === first[i]!.definition))
      },
      Effect.scoped,
      Effect.provideService(Flavour, "plain")
    ),
    often()
  )

  const Forbidden = Schema.Literals(["adds", "renames", "repeats", "makes functions"])
  const forbidden: Record<
    typeof Forbidden.Type,
    (tools: ReadonlyArray<ToolDefinition>) => ReadonlyArray<ToolDefinition>
  > = {
    adds: (tools) => [...tools, { ...tools[0]!, name: "new" }],
    renames: ([first, ...tools]) => [{ ...first!, name: "new" }, ...tools],
    repeats: (tools) => [...tools, tools[0]!],
    "makes functions": (tools) => tools.map((tool) => ({ ...tool, kind: "function" as const }))
  }

  it.effect.prop(
    "is an error where it adds, renames or repeats, or where what waits for somebody would no longer wait",
    { sources, tree: small, how: Forbidden },
    Effect.fnUntraced(
      function* ({ how, sources, tree: any }) {
        const tree = named(any)
        const meant = meaning(sources, tree)
        const tools = meant.opening ?? meant.tools(1)
        if (isFailure(tools) || tools.length === 0) return
        const isLawful =
          how === "makes functions" && tools.every((tool) => tool.definition.kind === "function")
        const listed = yield* Effect.result(
          Toolset.list(Toolset.prepared(making(sources).of(tree), forbidden[how]))
        )
        if (isLawful) assert.isTrue(Result.isSuccess(listed))
        else assert.isTrue(Result.isFailure(listed) && listed.failure instanceof ToolsetDefinitionError)
      },
      Effect.provideService(Flavour, "plain")
    ),
    often()
  )

  it.effect.prop(
    "enforces the parameters that it changed, and the tool's own too",
    { sources, tree: small },
    Effect.fnUntraced(
      function* ({ sources, tree: any }) {
        const tree = named(any)
        const meant = meaning(sources, tree)
        const tools = meant.opening ?? meant.tools(1)
        if (isFailure(tools)) return
        const isRefused = (name: string, n: unknown, properties: JsonSchema.JsonSchema) =>
          Toolset.prepared(making(sources).of(tree), (all) =>
            all.map((tool) => ({ ...tool, parameters: { type: "object", properties } }))
          ).pipe(
            Toolset.wrapper(() => Effect.fail(new ToolFailed({ message: "taken" }))),
            Toolset.call(name, { n }),
            Effect.flip,
            Effect.map((error) => error instanceof ModelRetry && error.reason === "arguments")
          )
        for (const { accepts, definition } of tools) {
          assert.isTrue(yield* isRefused(definition.name, 2, { n: { enum: [1] } }))
          assert.strictEqual(yield* isRefused(definition.name, 1, { n: { enum: [1] } }), !accepts(1))
          assert.isTrue(yield* isRefused(definition.name, "x", {}))
        }
      },
      Effect.provideService(Flavour, "plain")
    ),
    often()
  )

  it.effect.prop(
    "may make a tool external or unapproved, which defers its call or asks first",
    { sources, tree: small, kind: Schema.Literals(["external", "unapproved"]) },
    Effect.fnUntraced(function* ({ kind, sources, tree: any }) {
      const tree = named(any)
      const before = yield* seenOf(sources, tree)
      const after = yield* seenOf(sources, on(tree, { _tag: "prepared", edit: kind, as: "value" }))
      before.steps.forEach(({ tools }, i) => {
        const prepared = after.steps[i]!.tools
        if (isFailure(tools) || isFailure(prepared)) return assert.deepStrictEqual(prepared, tools)
        prepared.forEach(({ calls: [unapproved, approved], definition }, j) => {
          const own = tools[j]!
          assert.strictEqual(definition.kind, kind)
          // Refused by its arguments or its validator, it gets as far as before.
          const [before] = own.calls
          if (own.definition.kind === kind || isRefused(before!)) return assertSame(unapproved, before)
          assert.deepInclude(unapproved, { trace: [] })
          const signal = kind === "external" ? "CallDeferred" : "ApprovalRequired"
          assert.deepInclude(unapproved!.answer, { signal })
          if (kind === "unapproved") assertSame(approved, own.calls[1])
        })
      })
    }),
    often()
  )
})

const isRefused = ({ answer }: { readonly answer: Answer }): boolean =>
  "signal" in answer && answer.reason === "arguments"
