import { Effect, Equal, Inspectable, Predicate } from "effect"
import { dual } from "effect/Function"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { CallDeferred } from "../ToolSignal.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import { whenApproved } from "./gate.ts"
import { nameConflict } from "./collect.ts"
import { answered, whileListing } from "./environment.ts"
import { demandsOther, enforceable } from "./enforceable.ts"
import { satisfying } from "./jsonArguments.ts"
import { stable } from "./memoized.ts"
import type { Any, ListServices, OrEffect, Run, Tool, Toolset } from "./model.ts"
import { rootFlaw } from "./parameters.ts"
import { mapToolsPerOpening } from "./transform.ts"
import { retriesFlaw } from "./withMaxRetries.ts"

/** Asked while listing, once per step. */
export type Preparer<E, R> = (
  tools: ReadonlyArray<ToolDefinition>,
  run: Run
) => OrEffect<ReadonlyArray<ToolDefinition>, E, R>

/**
 * Edits, drops and reorders definitions, once per step.
 *
 * Cannot add, rename or repeat tools: a `ToolsetDefinitionError`. Changed `parameters` are enforced too: arguments
 * satisfy them, then decode with the tool's own. What the `JsonSchemaValidator` cannot check cannot be demanded, which is
 * a `ToolsetDefinitionError` as well (the one that is there by itself reads no `pattern`, no `not`, no `if`). `kind` may become `external` or `unapproved`, and then the call is
 * deferred or asks first; it never becomes `function` again. A definition that comes out equal to that of the step
 * before is the same object.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const tools = Toolset.tool("paint", {
 *   parameters: Schema.Struct({ color: Schema.String }),
 *   handler: ({ color }) => Effect.succeed(color)
 * })
 * const narrowed = tools.pipe(Toolset.prepared((all) => all.map((tool) => ({
 *   ...tool,
 *   parameters: { type: "object", properties: { color: { enum: ["red", "blue"] } } }
 * }))))
 * console.log(Effect.runSync(Effect.flip(Toolset.call(narrowed, "paint", { color: "mauve" })))._tag)
 * //> ModelRetry
 * ```
 */
export const prepared: {
  <E2 = never, R2 = never>(
    prepare: Preparer<E2, R2>
  ): <E, R>(self: Toolset<E, R>) => Toolset<E | E2, R | Exclude<R2, ListServices>>
  <E, R, E2 = never, R2 = never>(
    self: Toolset<E, R>,
    prepare: Preparer<E2, R2>
  ): Toolset<E | E2, R | Exclude<R2, ListServices>>
} = dual(
  2,
  <E, R, E2, R2>(
    self: Toolset<E, R>,
    prepare: Preparer<E2, R2>
  ): Toolset<E | E2, R | Exclude<R2, ListServices>> => {
    const settle = keepingEqual()
    return mapToolsPerOpening(self, "prepared", () => {
      const offered = stable<Tool<E>>()
      const apply = redefinedOnce<E>()
      return (tools, run) => {
        const given = tools.map((tool) => tool.definition)
        // A copy, which a preparer may sort in place.
        return Effect.flatMapEager(whileListing(answered(prepare([...given], run))), (returned) => {
          const problem = nameConflict(tools) ?? unlawful(self, given, returned)
          if (problem !== undefined) return Effect.fail(problem)
          const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
          const pairs = returned.map((definition) => {
            // `unlawful` found that each has its tool.
            const tool = byName.get(definition.name)!
            return { tool, definition: settle(tool.definition, definition) }
          })
          return Effect.mapEager(enforceable(self, pairs), () =>
            offered(pairs.map(({ definition, tool }) => apply(tool, definition)))
          )
        })
      }
    })
  }
)

/** Prefers the definition that was made of the same one before, where the new one is equal to it and that still lives. */
const keepingEqual = () => {
  const before = new WeakMap<ToolDefinition, WeakRef<ToolDefinition>>()
  return (original: ToolDefinition, next: ToolDefinition): ToolDefinition => {
    if (equal(original, next)) return original
    const last = before.get(original)?.deref()
    if (last !== undefined && equal(last, next)) return last
    // A copy, whose fields nobody else can change.
    const kept = Object.freeze({ ...next })
    before.set(original, new WeakRef(kept))
    return kept
  }
}

/** Schemas are compared as the JSON that they are; metadata is the application's: by what it holds, not by what is in that. */
const equal = (a: ToolDefinition, b: ToolDefinition): boolean =>
  a === b ||
  (a.name === b.name &&
    a.description === b.description &&
    a.kind === b.kind &&
    a.sequential === b.sequential &&
    a.maxRetries === b.maxRetries &&
    Equal.equals(a.annotations, b.annotations) &&
    Equal.equals(a.parameters, b.parameters) &&
    Equal.equals(a.returns, b.returns) &&
    holdsTheSame(a.metadata, b.metadata))

const holdsTheSame = (a: ToolDefinition["metadata"], b: ToolDefinition["metadata"]): boolean =>
  a === b ||
  Array.from(new Set([...Object.keys(a), ...Object.keys(b)])).every((key) => Object.is(a[key], b[key]))

/** A tool under another definition, made once per pair. */
const redefinedOnce = <E>() => {
  const made = new WeakMap<Tool<E>, { readonly definition: ToolDefinition; readonly tool: Tool<E> }>()
  return (tool: Tool<E>, definition: ToolDefinition): Tool<E> => {
    if (definition === tool.definition) return tool
    let known = made.get(tool)
    if (known?.definition !== definition)
      made.set(tool, (known = { definition, tool: redefined(tool, definition) }))
    return known.tool
  }
}

const redefined = <E>(tool: Tool<E>, definition: ToolDefinition): Tool<E> => {
  const { kind } = tool.definition
  return {
    ...tool,
    definition,
    source: `prepared(${tool.source})`,
    decode: demandsOther(definition, tool.definition)
      ? (args) => Effect.andThen(satisfying(definition.parameters)(args), tool.decode(args))
      : tool.decode,
    call:
      definition.kind === kind
        ? tool.call
        : definition.kind === "external"
          ? () => Effect.fail(new CallDeferred({}))
          : whenApproved(tool.call)
  }
}

/** Of what stands in a list that somebody made who does not heed types, too. */
const isDefinition = (value: unknown): value is ToolDefinition =>
  Predicate.isReadonlyObject(value) && Predicate.isString(value.name)

const unlawful = (
  self: Any,
  given: ReadonlyArray<ToolDefinition>,
  returned: ReadonlyArray<ToolDefinition>
): ToolsetDefinitionError | undefined => {
  const source = `prepared(${self.label})`
  if (!Array.isArray(returned)) {
    return new ToolsetDefinitionError({
      source,
      problem: "The preparer returned no list of tools.",
      hint: "Return the definitions to offer: all of them, for no change."
    })
  }
  const kinds = new Map(given.map((tool) => [tool.name, tool.kind]))
  const seen = new Set<string>()
  for (const definition of returned) {
    if (!isDefinition(definition)) {
      return new ToolsetDefinitionError({
        source,
        problem: `The preparer returned ${Inspectable.toStringUnknown(definition, 0).slice(0, 80)} in its list, which is no definition.`,
        hint: "Return definitions that it was given, changed as `{ ...definition, description }`; leave out what is not to be offered."
      })
    }
    const { kind, maxRetries, name, parameters } = definition
    const before = kinds.get(name)
    if (before === undefined) {
      return new ToolsetDefinitionError({
        source,
        problem: `The preparer returned a tool '${name}' that it was not given.`,
        hint: "A preparer edits, drops and reorders: add tools with Toolset.combined, rename them with Toolset.renamed."
      })
    }
    if (seen.has(name)) {
      return new ToolsetDefinitionError({
        source,
        problem: `The preparer returned the tool '${name}' twice.`,
        hint: "Return each definition once."
      })
    }
    if (kind !== before && kind !== "external" && kind !== "unapproved") {
      return new ToolsetDefinitionError({
        source,
        problem: `The preparer made the tool '${name}' of kind '${before}' one of kind '${kind}'.`,
        hint: "A kind may become 'external' or 'unapproved'; what waits for somebody never stops doing so."
      })
    }
    const flaw = (maxRetries === undefined ? undefined : retriesFlaw(maxRetries)) ?? rootFlaw(parameters)
    if (flaw !== undefined) return new ToolsetDefinitionError({ source: `${source} '${name}'`, ...flaw })
    seen.add(name)
  }
  return undefined
}
