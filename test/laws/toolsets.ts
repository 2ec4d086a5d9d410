/** Makes toolsets of descriptions. */
import { Context, Effect, Schema } from "effect"
import {
  ApprovalRequired,
  CallDeferred,
  ModelRetry,
  RunContext,
  ToolCall,
  ToolFailed,
  ToolReturn,
  Toolset
} from "effect-toolset"
import { Tool as AiTool } from "effect/ai"
import { before, type Args } from "./choices.ts"
import { combinators } from "./combinators.ts"
import { type Sources, sourceAt, type Tool, type Tree, type Unary } from "./description.ts"
import { Broken, Flavour, type Generated, newWorld, type World } from "./world.ts"

/** A world, and the way to its toolsets. */
export interface Making {
  readonly world: World
  readonly of: (tree: Tree, path?: string) => Generated
  readonly over: (how: Unary) => (self: Generated) => Generated
}

export const making = (sources: Sources): Making => {
  const world = newWorld()
  const made = new Map<number, Generated>()
  const source = (index: number): Generated => {
    let found = made.get(index)
    if (found === undefined) made.set(index, (found = toolsetOf(index)))
    return found
  }
  const toolsetOf = (index: number): Generated => {
    const given = sources[index]!
    const other = (which: number | "none") => {
      const found = before(index, which)
      return found === undefined ? undefined : source(found)
    }
    switch (given._tag) {
      case "Tool":
        return toolOf(world, `t${index}`, given)
      case "External":
        return Toolset.external(
          Array.from({ length: given.count }, (_, i) => ({ name: `e${index}${"-".repeat(i)}`, parameters }))
        )
      case "Empty":
        return Toolset.empty
      case "Unwrap":
        return given.opens ? whileOpen(world, `s${index}`, other(given.of) ?? Toolset.empty) : closed(index)
      case "Dynamic": {
        const choose = ({ step }: { readonly step: number }) => {
          world.ask(`choice ${index} at ${step}`)
          return step % 2 === 1 ? other(given.odd) : other(given.even)
        }
        return Toolset.dynamic(Effect.map(RunContext, choose), { rebuild: given.rebuild })
      }
    }
  }
  const over = combinators(world, sources)
  const of = (tree: Tree, path = "0"): Generated => {
    switch (tree._tag) {
      case "Use": {
        const used = source(sourceAt(sources, tree.source))
        return tree.apart === 0 ? used : Toolset.prefixed(used, `u${tree.apart}`)
      }
      case "Over":
        return over(tree.how, tree.of, path)(of(tree.of, `${path}.0`))
      case "Combined":
        return Toolset.combined(...tree.of.map((child, i) => of(child, `${path}.${i}`)))
    }
  }
  return { world, of, over }
}

const parameters = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false
} as const

/** A toolset over a resource, which it needs to be open. */
const whileOpen = (world: World, name: string, self: Generated): Generated =>
  Toolset.unwrap(
    Effect.map(world.resource(name), (resource) =>
      Toolset.wrapper(self, (call, next) =>
        Effect.suspend(() => (resource.isOpen ? next(call) : Effect.die(`${name} is used while closed`)))
      )
    )
  )

const closed = (index: number): Generated => Toolset.unwrap(Effect.fail(new Broken({ who: `s${index}` })))

const Parameters = Schema.Struct({ n: Schema.Int })
const Success = Schema.Record(Schema.String, Schema.Json)

const toolOf = (world: World, name: string, given: Tool): Generated =>
  Toolset.tool(name, {
    description: given.described ? `${name} does` : undefined,
    parameters: Parameters,
    success: given.returns ? Success : undefined,
    sequential: given.sequential,
    maxRetries: given.maxRetries === "none" ? undefined : given.maxRetries,
    metadata: { of: name },
    annotations: given.described ? Context.make(AiTool.Readonly, true) : undefined,
    onError: given.onError,
    validateArgs:
      given.checks === "nothing"
        ? undefined
        : ({ n }) =>
            n !== 3
              ? Effect.void
              : Effect.fail(
                  given.checks === "retry"
                    ? new ModelRetry({ message: `${name} takes no 3` })
                    : new Broken({ who: `${name}'s validator` })
                ),
    requiresApproval:
      given.asks === "never" ? undefined : given.asks === "always" ? true : ({ n }) => n % 2 === 1,
    handler: (args) => handled(world, name, given.does, args)
  })

/** What a handler returns says who did it, with what, and as whom. */
const handled = Effect.fnUntraced(function* (world: World, name: string, does: Tool["does"], { n }: Args) {
  yield* world.say(name)
  const flavour = yield* Flavour
  const { step } = yield* RunContext
  const call = yield* ToolCall
  const value = { did: name, n, flavour, step, name: call.name, as: call.exposedName, last: call.lastAttempt }
  switch (does) {
    case "succeed":
      return value
    case "show":
      return new ToolReturn({ value, metadata: { shown: name } })
    case "break":
      return yield* new Broken({ who: name })
    case "retry":
      return yield* new ModelRetry({ message: `${name} asks again` })
    case "refuse":
      return yield* new ToolFailed({ message: `${name} refuses` })
    case "ask":
      return call.approved ? value : yield* new ApprovalRequired({ metadata: { by: name } })
    case "defer":
      return yield* new CallDeferred({ metadata: { by: name } })
    case "slow":
      yield* Effect.sleep("1 minute")
      return value
  }
})
