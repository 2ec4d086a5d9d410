import { Context, Effect, Predicate, type Schema, Scope } from "effect"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import type { Args, Toolset } from "../toolset/model.ts"
import { leaf } from "../toolset/model.ts"
import { combined } from "../toolset/combined.ts"
import type { Parameters } from "../toolset/parameters.ts"
import { prefixed } from "../toolset/prefixed.ts"
import { provide } from "../toolset/provide.ts"
import { tool } from "../toolset/tool.ts"
import { mapTool } from "../toolset/transform.ts"
import { MethodFailed } from "./MethodFailed.ts"
import type { Checked, Methods, MethodErrors, MethodServices, ServiceOf } from "./methods.ts"

/**
 * Exposes the listed methods of a service to a model, and no others.
 *
 * `service` is a service, an effect of an object, or the object itself: with a service the connection is chosen by
 * whoever provides it (`Toolset.provide`, another one for each run), and what is shared never changes. An effect is run
 * when the toolset is opened, in the scope of the run.
 *
 * Each method has a schema for what the model sends, checked against what the method takes:
 *
 * - `parameters`: default: none. Without `arguments` the method is called with one object of them.
 * - `arguments`: the parameters that the method takes one after the other, in order.
 * - `success`: checked against what the method gives. Default: any JSON value; nothing is null.
 * - `description`: default: that of `parameters`, else the name of the method, in words.
 *
 * Methods may be synchronous, give a promise or an Effect; `this` is bound. What they throw or reject with is a
 * `MethodFailed`, in the `E` of each: also a method that gives an Effect can throw before it does. `prefix` is `Toolset.prefixed`. Everything else is a combinator.
 *
 * ```ts run
 * import { Context, Effect, Layer, Schema } from "effect"
 * import { ServiceToolset, Toolset } from "effect-toolset"
 *
 * class Store extends Context.Service<Store, {
 *   readonly listKeys: (bucket: string, limit: number) => Effect.Effect<ReadonlyArray<string>>
 *   readonly drop: (bucket: string) => Effect.Effect<void>
 * }>()("docs/Store") {}
 *
 * const store = ServiceToolset.make(Store, {
 *   prefix: "s3",
 *   methods: {
 *     listKeys: {
 *       parameters: Schema.Struct({ bucket: Schema.String, limit: Schema.Int }),
 *       arguments: ["bucket", "limit"]
 *     }
 *   }
 * })
 * const live = Layer.succeed(Store, {
 *   listKeys: (bucket, limit) => Effect.succeed([`${bucket}/a`, `${bucket}/b`].slice(0, limit)),
 *   drop: () => Effect.void
 * })
 * const tools = store.pipe(Toolset.provide(live))
 * console.log(Effect.runSync(Toolset.list(tools)).map((tool) => [tool.name, tool.description]))
 * //> [ [ 's3_listKeys', 'List keys' ] ]
 * console.log(Effect.runSync(Toolset.call(tools, "s3_listKeys", { bucket: "x", limit: 1 })))
 * //> [ 'x/a' ]
 * ```
 */
export const make = <T extends object, Params, Success, const Fields>(
  service: T,
  options: {
    readonly methods: Methods<Params, Success, Fields> &
      Checked<ServiceOf<T>, NoInfer<Params>, NoInfer<Success>, NoInfer<Fields>>
    readonly prefix?: string | undefined
  }
): Toolset<
  ServiceErrors<T> | MethodErrors<ServiceOf<T>, Params>,
  ServiceServices<T> | MethodServices<ServiceOf<T>, Params, Success>
> => prefixed(toolsetOf(service, options.methods as Untyped), options.prefix ?? "")

type ServiceErrors<T> = T extends Effect.Effect<infer _S, infer E, infer _R> ? E : never
type ServiceServices<T> =
  T extends Effect.Effect<infer _S, infer _E, infer R> ? Exclude<R, Scope.Scope> : never

/** `make` tied the types together; between there and here nothing looks at them. */
type Untyped = Readonly<Record<string, MethodOptions>>

interface MethodOptions {
  readonly description?: string | undefined
  readonly parameters?: Parameters | undefined
  readonly success?: Schema.Constraint | undefined
  readonly arguments?: ReadonlyArray<string> | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly annotations?: Context.Context<never> | undefined
}

const toolsetOf = (service: object, methods: Untyped): Toolset<any, any> => {
  // Tools that are made once have the same definitions in every run; they ask for the object of theirs.
  const Current = Context.Service<object>("effect-toolset/ServiceToolset")
  const tools = described(
    combined(...Object.entries(methods).map(([name, options]) => methodTool(Current, name, options)))
  )
  return leaf<any, any>("service", (opening) =>
    Effect.gen(function* () {
      const resolved: object = Effect.isEffect(service)
        ? yield* Scope.provide(service as Effect.Effect<object, any, any>, opening.scope)
        : service
      const problem = flawOf(resolved, Object.keys(methods))
      if (problem !== undefined) return yield* new ToolsetDefinitionError({ source: "service", ...problem })
      return yield* opening.open(provide(tools, Context.make(Current, resolved)))
    })
  )
}

const methodTool = (
  Current: Context.Key<object, object>,
  name: string,
  { arguments: fields, parameters, ...options }: MethodOptions
): Toolset<any, any> =>
  tool(name, {
    ...options,
    parameters,
    handler: (args: unknown) => {
      const given = fields?.map((field) => (args as Args)[field]) ?? (parameters === undefined ? [] : [args])
      return Effect.flatMap(Effect.service(Current), (service) => called(service, name, given))
    }
  })

const called = (
  service: object,
  method: string,
  args: ReadonlyArray<unknown>
): Effect.Effect<any, any, any> => {
  const failed = (cause: unknown) => new MethodFailed({ method, cause })
  // `flawOf` found the method; it is called on its object, so that `this` is bound.
  const calling = Effect.try({
    try: () => (service as Record<string, Function>)[method]!(...args),
    catch: failed
  })
  return Effect.flatMap(calling, (given: unknown) =>
    Effect.isEffect(given)
      ? given
      : Predicate.isPromiseLike(given)
        ? Effect.tryPromise({ try: () => given, catch: failed })
        : Effect.succeed(given)
  )
}

const flawOf = (service: object, methods: ReadonlyArray<string>) => {
  if (methods.length === 0) {
    return {
      problem: "It exposes no method.",
      hint: "List those that a model may call: nothing is discovered."
    }
  }
  for (const method of methods) {
    if (!(method in service)) {
      return { problem: `The service has no method '${method}'.`, hint: "Check the list of methods." }
    }
    if (!Predicate.isFunction((service as Readonly<Record<string, unknown>>)[method])) {
      return {
        problem: `'${method}' of the service is no method.`,
        hint: "Only what can be called can be a tool."
      }
    }
  }
  return undefined
}

/** Tools that neither an option nor the schema of their parameters describes are described by their names. */
const described = (self: Toolset<any, any>): Toolset<any, any> =>
  mapTool<any, any, any>(self, "described", (tool) => {
    const { description, name } = tool.definition
    return { ...tool, definition: { ...tool.definition, description: description ?? inWords(name) } }
  })

/** `listKeys` and `list_keys` are "List keys". */
const inWords = (name: string): string => {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .trim()
    .toLowerCase()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
