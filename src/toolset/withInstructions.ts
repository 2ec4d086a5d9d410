import { Effect } from "effect"
import { dual } from "effect/Function"
import { whileListing } from "./environment.ts"
import { instructionsOf } from "./listing.ts"
import type { Instruction, Listing, ListServices, OrEffect, Toolset } from "./model.ts"
import { transform } from "./transform.ts"

/**
 * Adds instructions for the model, after the toolset's own. A string is static, an Effect is asked at each step.
 *
 * Instructions stay where the tools are filtered out; blank ones are dropped, equal ones are said once.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Agent, Toolset } from "effect-toolset"
 * import { TestModel } from "effect-toolset/testing"
 *
 * const polite = Toolset.empty.pipe(Toolset.withInstructions("Be polite."))
 * const program = Effect.gen(function* () {
 *   yield* Agent.run(Agent.make({ toolsets: [polite] }), { prompt: "Hello" })
 *   const [request] = yield* TestModel.requests
 *   return request?.prompt.content[0]?.content
 * })
 * console.log(await Effect.runPromise(program.pipe(Effect.provide(TestModel.layer()))))
 * //> Be polite.
 * ```
 */
export const withInstructions: {
  <E2 = never, R2 = never>(
    text: OrEffect<string, E2, R2>
  ): <E, R>(self: Toolset<E, R>) => Toolset<E | E2, R | Exclude<R2, ListServices>>
  <E, R, E2 = never, R2 = never>(
    self: Toolset<E, R>,
    text: OrEffect<string, E2, R2>
  ): Toolset<E | E2, R | Exclude<R2, ListServices>>
} = dual(
  2,
  <E, R, E2, R2>(
    self: Toolset<E, R>,
    text: OrEffect<string, E2, R2>
  ): Toolset<E | E2, R | Exclude<R2, ListServices>> =>
    transform<E, R, E | E2, R | Exclude<R2, ListServices>>(
      self,
      "withInstructions",
      Effect.map((listing): Listing<E | E2> => {
        const added = Effect.isEffect(text)
          ? Effect.map(whileListing(text), (text): Instruction => ({ text, dynamic: true }))
          : Effect.succeed({ text, dynamic: false })
        return {
          ...listing,
          instructions: (run) =>
            Effect.zipWith(instructionsOf(listing, run), added, (before, last) => [...before, last])
        }
      })
    )
)
