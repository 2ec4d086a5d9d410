/** Makes combinators of their descriptions. */
import { Effect } from "effect"
import { RunContext, ToolFailed, ToolReturn, Toolset } from "effect-toolset"
import { asksAbout, edited, keeps, renaming, type Args } from "./choices.ts"
import type { Around, Sources, Tree, Unary } from "./description.ts"
import { namesAt } from "./meaning.ts"
import { Broken, flavours, type Generated, Lost, type World } from "./world.ts"

/** `of`: what it is over, for those that go by the names that there are. `path` names the place in the log. */
export const combinators = (world: World, sources: Sources) => {
  const layers = flavours(world)
  const answer = <A>(as: "value" | "effect", a: A): A | Effect.Effect<A> =>
    as === "value" ? a : Effect.succeed(a)

  return (how: Unary, of?: Tree, path = "above") =>
    (self: Generated): Generated => {
      switch (how._tag) {
        case "filtered":
          return Toolset.filtered(self, (tool, { step }) => {
            world.ask(`filtered ${path} ${tool.name} at ${step}`)
            return answer(how.as, keeps(how.keep, tool, step))
          })
        case "prefixed":
          return Toolset.prefixed(self, how.prefix)
        case "renamed":
          return Toolset.renamed(self, renaming(how.rename, of === undefined ? [] : namesAt(sources, of, 1)))
        case "prepared":
          return Toolset.prepared(self, (tools, { step }) => {
            world.ask(`prepared ${path} at ${step}`)
            return answer(how.as, edited(how.edit, tools, step))
          })
        case "approvalRequired":
          return how.when === "all"
            ? Toolset.approvalRequired()(self)
            : Toolset.approvalRequired(self, (tool, args) =>
                // All tools of descriptions take the same arguments.
                answer(how.as, asksAbout(how.when, tool, args as unknown as Args))
              )
        case "wrapper":
          return wrapped(world, how.around)(self)
        case "withMetadata":
          return Toolset.withMetadata(
            self,
            how.value === "name" ? (tool) => ({ [how.key]: tool.name }) : { [how.key]: how.value }
          )
        case "withMaxRetries":
          return Toolset.withMaxRetries(self, how.maxRetries)
        case "withReturns":
          return Toolset.withReturns(self)
        case "sequential":
          return Toolset.sequential(self)
        case "timeout":
          return Toolset.timeout(self, how.limit)
        case "onError":
          return Toolset.onError(self, how.mode)
        case "catchTags":
          return Toolset.catchTags(self, {
            Broken: how.broken === "lost" ? ({ who }: Broken) => new Lost({ who }) : how.broken
          })
        case "withInstructions":
          return how.as === "value"
            ? Toolset.withInstructions(self, how.text)
            : Toolset.withInstructions(
                self,
                Effect.map(RunContext, ({ step }) => {
                  world.ask(`instructions ${path} at ${step}`)
                  return how.text
                })
              )
        case "withId":
          return Toolset.withId(self, how.id)
        case "provide":
          return Toolset.provide(self, layers[how.flavour])
        case "mapLeaves":
          return Toolset.mapLeaves(self, (leaf) => leaf)
      }
    }
}

type Nexts = ReturnType<Toolset.Next>

/** What a wrapper does; nothing of it depends on which toolset it is around. */
export const aroundOf =
  (world: World, around: Around) =>
  (
    call: Toolset.Invocation,
    next: Toolset.Next
  ): Effect.Effect<ToolReturn, Broken | Effect.Error<Nexts>, Effect.Services<Nexts>> => {
    const args = call.args as unknown as Args
    switch (around) {
      case "nothing":
        return next(call)
      case "trace a":
      case "trace b":
        return Effect.ensuring(
          Effect.andThen(world.say(`${around} in`), next(call)),
          world.say(`${around} out`)
        )
      case "shout":
        return Effect.map(
          next(call),
          (result) => new ToolReturn({ ...result, value: { loud: result.value } })
        )
      case "bump":
        return next({ ...call, args: { ...call.args, n: args.n + 1 } })
      case "swallow":
        return Effect.catchTag(next(call), "ToolFailed", ({ message }) =>
          Effect.succeed(new ToolReturn({ value: message }))
        )
      case "refuse":
        return Effect.fail(new ToolFailed({ message: `not ${call.tool.name}` }))
      case "break":
        return args.n % 2 === 1 ? Effect.fail(new Broken({ who: `around ${call.tool.name}` })) : next(call)
      case "twice":
        return Effect.andThen(next(call), next(call))
      case "opaque":
        return Effect.as(next(call), new ToolReturn({ value: new Map() }))
    }
  }

const wrapped = (world: World, around: Around) => Toolset.wrapper(aroundOf(world, around))
