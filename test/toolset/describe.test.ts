import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import { answering, tools } from "./asking.ts"

const lines = (...all: ReadonlyArray<string>) => all.join("\n")

describe("describe", () => {
  it("draws the tree, by what was done at each place", () => {
    const tree = Toolset.combined(
      answering("a").pipe(
        Toolset.prefixed("x"),
        Toolset.filtered(() => true)
      ),
      Toolset.combined(Toolset.external([{ name: "b" }]), Toolset.empty),
      answering("c").pipe(Toolset.withId("github"))
    )
    assert.strictEqual(
      Toolset.describe(tree),
      lines(
        "combined",
        "├─ filtered",
        "│  └─ prefixed",
        "│     └─ tool(a)",
        "├─ combined",
        "│  ├─ external",
        "│  └─ empty",
        "└─ github",
        "   └─ tool(c)"
      )
    )
  })

  it("draws a toolset once that is opened once, with what is below it", () => {
    const shared = tools("a", "b")
    assert.strictEqual(
      Toolset.describe(Toolset.combined(shared, shared.pipe(Toolset.prefixed("x")))),
      lines(
        "combined",
        "├─ combined",
        "│  ├─ tool(a)",
        "│  └─ tool(b)",
        "└─ prefixed",
        "   └─ combined (as above)"
      )
    )
  })

  const names: ReadonlyArray<[name: string, toolset: Toolset.Any]> = [
    ["renamed", Toolset.renamed(answering("t"), {})],
    ["prepared", Toolset.prepared(answering("t"), (all) => all)],
    ["approvalRequired", answering("t").pipe(Toolset.approvalRequired())],
    ["wrapper", Toolset.wrapper(answering("t"), (call, next) => next(call))],
    ["timeout", Toolset.timeout(answering("t"), "1 second")],
    ["timeout", Toolset.timeout(answering("t"), 0)],
    ["sequential", Toolset.sequential(answering("t"))],
    ["withMetadata", Toolset.withMetadata(answering("t"), {})],
    ["withInstructions", Toolset.withInstructions(answering("t"), "x")],
    ["withReturns", Toolset.withReturns(answering("t"))],
    ["withMaxRetries", Toolset.withMaxRetries(answering("t"), 1)],
    ["onError", Toolset.onError(answering("t"), "recover")],
    ["catchTags", Toolset.catchTags(answering("t"), {})],
    ["id", Toolset.withId(answering("t"), "id")]
  ]
  for (const [name, toolset] of names) {
    it(`says ${name} of what it is`, () => {
      assert.strictEqual(Toolset.describe(toolset), lines(name, "└─ tool(t)"))
    })
  }

  it("opens nothing: what is chosen or made while running is a leaf", () => {
    const never = Effect.die("opened")
    assert.strictEqual(
      Toolset.describe(Toolset.combined(Toolset.dynamic(never), Toolset.unwrap(never))),
      lines("combined", "├─ dynamic", "└─ unwrap")
    )
  })

  it("draws a Mermaid graph, in which a toolset that occurs twice is one node", () => {
    const leaf = answering("a")
    const tree = Toolset.combined(leaf.pipe(Toolset.prefixed("x")), leaf)
    assert.strictEqual(
      Toolset.describe(tree, "mermaid"),
      lines(
        "graph TD",
        '  n0["combined"]',
        '  n1["prefixed"]',
        '  n2["tool(a)"]',
        "  n0 --> n1",
        "  n1 --> n2",
        "  n0 --> n2"
      )
    )
  })

  it("keeps a Mermaid graph whole, whatever is in an id", () => {
    assert.strictEqual(
      Toolset.describe(Toolset.empty.pipe(Toolset.withId('say "hi"')), "mermaid"),
      lines("graph TD", '  n0["say #quot;hi#quot;"]', '  n1["empty"]', "  n0 --> n1")
    )
  })
})

describe("the label of a toolset", () => {
  const labels: ReadonlyArray<[label: string, toolset: Toolset.Any]> = [
    ["tool(a)", answering("a")],
    ["empty", Toolset.empty],
    ["external", Toolset.external([])],
    ["combined()", Toolset.combined()],
    ["combined(tool(a), tool(b), tool(c))", tools("a", "b", "c")],
    ["combined(tool(a), tool(b), 2 more)", tools("a", "b", "c", "d")],
    [
      "filtered(prefixed(tool(a)))",
      answering("a").pipe(
        Toolset.prefixed("x"),
        Toolset.filtered(() => true)
      )
    ],
    ["prefixed(github)", tools("a", "b").pipe(Toolset.withId("github"), Toolset.prefixed("x"))]
  ]
  for (const [label, toolset] of labels) {
    it(`says where it comes from: ${label}`, () => assert.strictEqual(toolset.label, label))
  }
})
