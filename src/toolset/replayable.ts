import { Context } from "effect"
import { dual } from "effect/Function"
import type { Tool, Toolset } from "./model.ts"
import { mapDefinition } from "./transform.ts"

/** Whether what a tool gave is given again by later attempts of a durable run; in the annotations of its definition. */
const Replayable = Context.Reference<boolean>("effect-toolset/Replayable", { defaultValue: () => true })

export const isReplayable = ({ definition }: Pick<Tool<unknown>, "definition">): boolean =>
  Context.get(definition.annotations, Replayable)

/**
 * `false`: every attempt of a durable run calls the tools again, and each call keeps its place among the others.
 *
 * What they give is not part of what later model requests are known by, so that a replayed answer of the model may rest on
 * an older result. Outside of durable runs it changes nothing. Of two, the last one added holds.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Agent, Toolset } from "effect-toolset"
 * import * as Durable from "effect-toolset/Durable"
 * import { TestModel } from "effect-toolset/testing"
 *
 * let asked = 0
 * const clock = Toolset.tool("now", { success: Schema.Int, handler: () => Effect.sync(() => ++asked) }).pipe(
 *   Toolset.withId("clock"),
 *   Toolset.replayable(false)
 * )
 * const write = Toolset.tool("write", { handler: () => (asked < 2 ? Effect.fail("disk full") : Effect.succeed("done")) })
 * const agent = Agent.make({ toolsets: [clock, Toolset.withId(write, "disk")] })
 * const attempt = Effect.exit(Agent.run(agent, { prompt: "Write.", durable: { runId: "1" } }))
 * const program = Effect.andThen(attempt, attempt)
 * const exit = await Effect.runPromise(program.pipe(Effect.provide([Durable.layerMemory, TestModel.layer()])))
 * console.log(exit._tag, asked)
 * //> Success 2
 * ```
 */
export const replayable: {
  (replayable: boolean): <E, R>(self: Toolset<E, R>) => Toolset<E, R>
  <E, R>(self: Toolset<E, R>, replayable: boolean): Toolset<E, R>
} = dual(2, <E, R>(self: Toolset<E, R>, replayable: boolean): Toolset<E, R> =>
  mapDefinition(self, "replayable", (tool) => ({
    ...tool,
    annotations: annotated(tool.annotations, replayable)
  }))
)

export const annotated = (annotations: Context.Context<never>, replayable: boolean): Context.Context<never> =>
  Context.add(annotations, Replayable, replayable) as Context.Context<never>
