/** How a run ended whose toolsets were put in the place of its own: by their failures, as of any others. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Schema } from "effect"
import { Agent, Toolset } from "effect-toolset"
import { TestModel } from "effect-toolset/testing"
import { answersIn } from "./answers.ts"

class Broken extends Schema.TaggedError<Broken>()("Broken", { where: Schema.String }) {}
const broken = (where: string) => Effect.fail(new Broken({ where }))
const fine = Toolset.tool("fine", { handler: () => Effect.succeed("fine") })

const failing: Record<string, Toolset.Toolset<Broken>> = {
  "a call": Toolset.tool("bad", { handler: () => broken("a call") }),
  "an approval predicate": Toolset.approvalRequired(fine, () => broken("an approval predicate")),
  opening: Toolset.unwrap(Effect.andThen(broken("opening"), Effect.succeed(fine))),
  listing: Toolset.filtered(fine, () => broken("listing")),
  instructions: Toolset.withInstructions(fine, broken("instructions"))
}

const failureOf = (exit: Exit.Exit<unknown, unknown>) => {
  assert(Exit.isFailure(exit))
  const reasons = exit.cause.reasons.filter((reason) => !Cause.isInterruptReason(reason))
  assert.lengthOf(reasons, 1)
  const [reason] = reasons
  assert(reason !== undefined && Cause.isFailReason(reason), JSON.stringify(reason))
  return reason.error
}

describe("runExit inside of Agent.override", () => {
  const agent = Agent.make({ toolsets: [] })
  const ended = Agent.runExit(agent, { prompt: "Go." })

  for (const [where, toolset] of Object.entries(failing)) {
    it.effect(`says what failed: ${where}`, () =>
      Effect.gen(function* () {
        const { exit, messages } = yield* ended.pipe(Agent.override({ toolsets: [toolset] }))
        assert.deepStrictEqual(failureOf(exit), new Broken({ where }))
        if (where === "a call") assert.lengthOf(answersIn(messages), 1)
      }).pipe(Effect.provide(TestModel.layer()))
    )

    it.effect(`says what failed in any of them, also inside of a call: ${where}`, () =>
      Effect.gen(function* () {
        const { exit } = yield* ended.pipe(
          Agent.override({ toolsets: [toolset] }),
          Agent.override({ toolsets: [fine] })
        )
        assert.deepStrictEqual(failureOf(exit), new Broken({ where }))
        const asking = Toolset.tool("ask", {
          handler: () =>
            Effect.map(ended.pipe(Agent.override({ toolsets: [toolset] })), ({ exit }) =>
              String(failureOf(exit))
            )
        })
        const outer = yield* Agent.runExit(Agent.make({}), { prompt: "Go." }).pipe(
          Agent.override({ toolsets: [asking] })
        )
        assert.strictEqual(outer.exit._tag, "Success")
      }).pipe(Effect.provide(TestModel.layer()))
    )
  }

  it.effect("leaves defects and interruption what they are", () =>
    Effect.gen(function* () {
      const dying = Toolset.tool("bad", { handler: () => Effect.die("defect") })
      const { exit } = yield* ended.pipe(Agent.override({ toolsets: [dying] }))
      assert.deepStrictEqual(Exit.isFailure(exit) && Cause.squash(exit.cause), "defect")
    }).pipe(Effect.provide(TestModel.layer()))
  )
})
