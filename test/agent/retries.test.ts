import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Retries from "../../src/agent/retries.ts"

type Step = ReadonlyArray<Retries.Verdict>

const offered =
  (outcome: Retries.Verdict["outcome"]) =>
  (name: string): Retries.Verdict => ({ name, kind: "tool", outcome })
const success = offered("success")
const failure = offered("retry")
const neither = offered("neither")
const output = (outcome: Retries.Verdict["outcome"]): Retries.Verdict => ({
  name: "final_result",
  kind: "output",
  outcome
})
const unknown = (name: string): Retries.Verdict => ({ name, kind: "unknown", outcome: "retry" })

const after = (steps: ReadonlyArray<Step>): Retries.Retries => steps.reduce(Retries.afterStep, Retries.none)

/** The retries of `a` and of `b`, and those of all unknown names. */
const counts = (retries: Retries.Retries) => [
  Retries.spent(retries, "a", true),
  Retries.spent(retries, "b", true),
  Retries.spent(retries, "nobody", false)
]

describe("counting retries", () => {
  const table: ReadonlyArray<[title: string, steps: ReadonlyArray<Step>, counts: ReadonlyArray<number>]> = [
    ["nothing has happened", [], [0, 0, 0]],
    ["a step without calls changes nothing", [[failure("a")], []], [1, 0, 0]],
    ["a retry counts one", [[failure("a")]], [1, 0, 0]],
    ["one more in each step that asks again", [[failure("a")], [failure("a")], [failure("a")]], [3, 0, 0]],
    [
      "once per step, however many calls of it asked (P58)",
      [[failure("a"), failure("a"), failure("a")]],
      [1, 0, 0]
    ],
    ["failure wins over a success after it in the step (P59)", [[failure("a"), success("a")]], [1, 0, 0]],
    ["failure wins over a success before it in the step (P59)", [[success("a"), failure("a")]], [1, 0, 0]],
    [
      "a step that failed and succeeded is one more, and no reset (P59)",
      [[failure("a")], [failure("a")], [failure("a"), success("a")]],
      [3, 0, 0]
    ],
    ["each tool has its own count (P62)", [[failure("a"), failure("b")]], [1, 1, 0]],
    ["a success resets", [[failure("a")], [failure("a")], [success("a")]], [0, 0, 0]],
    ["a success resets its own tool alone", [[failure("a"), failure("b")], [success("a")]], [0, 1, 0]],
    ["after a success it counts anew", [[failure("a")], [success("a")], [failure("a")]], [1, 0, 0]],
    ["what is not called keeps its count", [[failure("a")], [success("b")], [success("b")]], [1, 0, 0]],
    ["a failed or deferred call resets nothing (P71)", [[failure("a")], [neither("a")]], [1, 0, 0]],
    ["a failed or deferred call costs nothing (P71)", [[neither("a")], [neither("a")]], [0, 0, 0]],
    [
      "a failed call beside one that succeeded does not keep it from resetting",
      [[failure("a")], [neither("a"), success("a")]],
      [0, 0, 0]
    ],
    [
      "a failed call beside one that asks for a retry does not hide it",
      [[neither("a"), failure("a"), neither("a")]],
      [1, 0, 0]
    ],
    ["unknown names share one count", [[unknown("x")], [unknown("y")], [unknown("x")]], [0, 0, 3]],
    ["unknown names count once per step", [[unknown("x"), unknown("y"), unknown("x")]], [0, 0, 1]],
    [
      "no success resets the count of unknown names",
      [[unknown("x")], [success("a")], [success("b")], [unknown("y")], [success("a")]],
      [0, 0, 2]
    ],
    ["a success beside an unknown name does not reset it either", [[unknown("x"), success("a")]], [0, 0, 1]],
    [
      "a name that is offered in one step only has two counts",
      [[unknown("a")], [failure("a")], [unknown("a")], [success("a")]],
      [0, 0, 2]
    ]
  ]

  for (const [title, steps, expected] of table) {
    it(title, () => assert.deepStrictEqual(counts(after(steps)), expected))
  }

  it("gives outputs a count of their own, which no success resets", () => {
    const retries = after([
      [output("retry"), output("retry"), failure("a")],
      [output("success"), success("a")],
      [output("retry"), output("neither")]
    ])
    assert.strictEqual(retries.outputs, 2)
    assert.deepStrictEqual(counts(retries), [0, 0, 0])
  })

  it("gives an offered name and an unknown one what is theirs", () => {
    const retries = after([[failure("a"), unknown("a")], [unknown("a")]])
    assert.strictEqual(Retries.spent(retries, "a", true), 1)
    assert.strictEqual(Retries.spent(retries, "a", false), 2)
  })

  it("shows the counts of offered names, and no others, to whoever lists or calls", () => {
    const { byName } = after([[failure("a"), unknown("x"), failure("b")], [success("b")]])
    assert.deepStrictEqual(Array.from(byName), [["a", 1]])
  })
})

const Verdicts = Schema.Array(
  Schema.Struct({
    name: Schema.Literals(["a", "b"]),
    kind: Schema.Literals(["tool", "unknown", "output"]),
    outcome: Schema.Literals(["success", "retry", "neither"])
  })
)
const Steps = Schema.Array(Verdicts)

/** The rule in other words: the steps that failed since the last one that only succeeded. */
const expected = (steps: ReadonlyArray<Step>, name: string): number => {
  let count = 0
  for (const step of steps) {
    const outcomes = step.filter((one) => one.kind === "tool" && one.name === name).map((one) => one.outcome)
    if (outcomes.includes("retry")) count++
    else if (outcomes.includes("success")) count = 0
  }
  return count
}

describe("for any steps", () => {
  it.prop("a name has the steps that failed since it last succeeded", [Steps], ([steps]) => {
    const retries = after(steps)
    for (const name of ["a", "b"]) {
      assert.strictEqual(Retries.spent(retries, name, true), expected(steps, name))
    }
  })

  it.prop("unknown names, and outputs, have the steps in which one asked for a retry", [Steps], ([steps]) => {
    const asking = (kind: Retries.Verdict["kind"]) =>
      steps.filter((step) => step.some((one) => one.kind === kind && one.outcome === "retry")).length
    assert.strictEqual(Retries.spent(after(steps), "x", false), asking("unknown"))
    assert.strictEqual(after(steps).outputs, asking("output"))
  })

  it.prop("the order of the calls of a step does not matter", [Steps], ([steps]) => {
    assert.deepStrictEqual(counts(after(steps.map((step) => step.toReversed()))), counts(after(steps)))
  })

  it.prop("a step changes no count that was there before it", [Steps, Verdicts], ([steps, last]) => {
    const before = after(steps)
    const copy = { ...before, byName: new Map(before.byName) }
    Retries.afterStep(before, last)
    assert.deepStrictEqual({ ...before, byName: new Map(before.byName) }, copy)
  })
})
