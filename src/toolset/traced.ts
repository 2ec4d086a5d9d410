import { Effect, Tracer } from "effect"
import { dual } from "effect/Function"
import { quietSpan } from "../secrets/quietSpans.ts"
import { ToolCall } from "../ToolCall.ts"
import { isToolset, type Toolset } from "./model.ts"
import { ended, outcomeOf } from "./ended.ts"
import { mapTool } from "./transform.ts"

/**
 * A span for every call that comes as far as here, inside the span that every call has: how long the rest took, and how
 * it ended.
 *
 * Its attributes have the names that OpenTelemetry gives them (`gen_ai.tool.name`, `gen_ai.tool.call.id`); arguments and
 * results only with `values`. Of the `Secrets` that there are it says none, whatever the call ends with. Changes nothing
 * else.
 *
 * ```ts run
 * import { Effect, Tracer } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const names: Array<string> = []
 * const tracer = Tracer.make({ span: (options) => (names.push(options.name), new Tracer.NativeSpan(options)) })
 * const tools = Toolset.tool("search", { handler: () => Effect.succeed("found") }).pipe(Toolset.traced())
 * Effect.runSync(Toolset.call(tools, "search", {}).pipe(Effect.withTracer(tracer)))
 * console.log(names)
 * //> [ 'execute_tool search', 'toolset tool(search)' ]
 * ```
 */
export const traced: {
  (options?: { readonly values?: boolean | undefined }): <E, R>(self: Toolset<E, R>) => Toolset<E, R>
  <E, R>(self: Toolset<E, R>, options?: { readonly values?: boolean | undefined }): Toolset<E, R>
} = dual(
  (args) => isToolset(args[0]),
  <E, R>(self: Toolset<E, R>, options?: { readonly values?: boolean | undefined }): Toolset<E, R> =>
    mapTool<E, R, never>(self, "traced", (tool) => ({
      ...tool,
      call: (args) =>
        Effect.gen(function* () {
          const { id } = yield* ToolCall
          const attributes = {
            "gen_ai.tool.name": tool.definition.name,
            "gen_ai.tool.call.id": id,
            "effect_toolset.toolset": self.id ?? self.label
          }
          return yield* quietSpan(`toolset ${tool.source}`, attributes, (span) =>
            Effect.gen(function* () {
              if (options?.values === true) {
                span.attribute("gen_ai.tool.call.arguments", yield* args.encoded())
              }
              const inside = Effect.provideService(tool.call(args), Tracer.ParentSpan, span)
              return yield* ended(inside, (exit) => {
                span.attribute("effect_toolset.outcome", outcomeOf(exit))
                if (options?.values === true && exit._tag === "Success") {
                  span.attribute("gen_ai.tool.call.result", exit.value.value)
                }
              })
            })
          )
        })
    }))
)
