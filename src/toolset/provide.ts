import { Context, Effect, type Layer } from "effect"
import { dual } from "effect/Function"
import type { ToolsetError } from "../ToolsetError.ts"
import { over, ownServices, surrounded } from "./environment.ts"
import { type CallServices, type Listing, make, nodeOf, type Toolset } from "./model.ts"

/** What can be provided: not the run and the call, which are the caller's. */
type Own<R> = Exclude<R, CallServices>

/**
 * Satisfies what a toolset needs, from a layer or a context.
 *
 * A layer is built once per run, however often it is provided (below another `provide` once more, with what that one
 * gives), and released with the run; one that the program around has built is not built again. Its failures join `E`. What is provided is lexical: it wins over the services of
 * whoever opens, lists or calls; only the run, the call, the span and the log of a captured context do not. A toolset
 * under two `provide`s is two toolsets: each is opened.
 *
 * ```ts run
 * import { Context, Effect, Layer } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * class Name extends Context.Service<Name, string>()("docs/Name") {}
 * const hello = Toolset.tool("hello", { handler: () => Effect.map(Name, (name) => `Hello, ${name}`) })
 * const program = Toolset.call(hello.pipe(Toolset.provide(Layer.succeed(Name, "Ada"))), "hello", {})
 * console.log(Effect.runSync(program))
 * //> Hello, Ada
 * ```
 */
export const provide: {
  <ROut, E2, R2>(
    layer: Layer.Layer<ROut, E2, R2>
  ): <E, R>(self: Toolset<E, R>) => Toolset<E | E2, R2 | Exclude<R, Own<ROut>>>
  <R2>(context: Context.Context<R2>): <E, R>(self: Toolset<E, R>) => Toolset<E, Exclude<R, Own<R2>>>
  <E, R, ROut, E2, R2>(
    self: Toolset<E, R>,
    layer: Layer.Layer<ROut, E2, R2>
  ): Toolset<E | E2, R2 | Exclude<R, Own<ROut>>>
  <E, R, R2>(self: Toolset<E, R>, context: Context.Context<R2>): Toolset<E, Exclude<R, Own<R2>>>
} = dual(
  2,
  <E, R, ROut, E2, R2>(
    self: Toolset<E, R>,
    services: Layer.Layer<ROut, E2, R2> | Context.Context<ROut>
  ): Toolset<E | E2, R2 | Exclude<R, Own<ROut>>> =>
    make<E | E2, R2 | Exclude<R, Own<ROut>>>({
      name: "provide",
      label: self.label,
      id: self.id,
      children: [self],
      // A layer is built when the toolset is opened, and may fail then.
      fromProgram: Context.isContext(services) && nodeOf(self).fromProgram,
      build: (opening) =>
        Effect.gen(function* () {
          const context = ownServices(Context.isContext(services) ? services : yield* opening.built(services))
          const opened = Effect.provideContext(opening.apart().open(self), context)
          // What nobody can provide nobody asks for when a toolset is opened.
          return surrounded(yield* opened as Effect.Effect<Listing<E>, E | ToolsetError>, over(context))
        }),
      over: (replace) => provide(replace(self) as Toolset<E, R>, services as Layer.Layer<ROut, E2, R2>)
    })
)
