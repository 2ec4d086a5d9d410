/** Listings as steps: what may be another one next time is the same on every attempt. */
import { Context, Effect, Exit, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import type { RunContext } from "../../RunContext.ts"
import type { ToolDefinition } from "../../ToolDefinition.ts"
import { ToolFailed } from "../../ToolSignal.ts"
import { ToolsetDefinitionError, type ToolsetError } from "../../ToolsetError.ts"
import { step } from "../../durable/slot.ts"
import { type Offer, Offered } from "../../toolset/collect.ts"
import { instructionsOf, mapped, oncePerStep, varying } from "../../toolset/listing.ts"
import {
  type Args,
  type Decoded,
  type Listing,
  nodeOf,
  type Run,
  type Tool,
  type Toolset
} from "../../toolset/model.ts"
import { annotated, isReplayable } from "../../toolset/replayable.ts"
import { endsTheRun } from "./endsTheRun.ts"
import { Instructions, Listed } from "./schemas.ts"

/**
 * Whether a listing is a step follows from the toolset, and not from how it opened this time: a server that is left out
 * while it is down would take its steps along, and everything behind them would not be found again.
 */
export const recordedListing = <E>(toolset: Toolset<E, unknown>, listing: Listing<E>): Listing<E> => {
  const { fixed, instructions, list } = listing
  if (!nodeOf(toolset).fromProgram)
    return varying(
      recordedList(list),
      recordedInstructions((run) => instructionsOf(listing, run))
    )
  const own = instructions && recordedInstructions(instructions, true)
  if (fixed === undefined) return varying(recordedList(list), own)
  const nameless = fixed.find(isNameless)
  return nameless === undefined
    ? mapped({ ...listing, instructions: own }, validatedOnce)
    : varying(() => Effect.fail(withoutId(nameless)), own)
}

/** A record is found under the id of a toolset, whatever else is around it. */
const isNameless = ({ definition, origin }: Tool<unknown>): boolean =>
  definition.kind !== "output" && origin.length < 2

const withoutId = ({ source }: Tool<unknown>) =>
  new ToolsetDefinitionError({
    source,
    problem: "It has no id, and a durable run finds its calls again by one.",
    hint: 'Give its toolset one that never changes: Toolset.withId("github").'
  })

/** `fromProgram`: what is there at once is the same on every attempt. */
const recordedInstructions = <E>(
  instructions: NonNullable<Listing<E>["instructions"]>,
  fromProgram = false
): Listing<E>["instructions"] =>
  oncePerStep((run) => {
    const asked = instructions(run)
    if (fromProgram && Exit.isExit(asked)) return asked
    return endsTheRun(step({ name: "toolset instructions", id: null, schema: Instructions }, asked))
  })

/** A validator that does something does it once. */
const validatedOnce = <E>(tool: Tool<E>): Tool<E> => ({
  ...tool,
  validate: (args) => {
    const validating = tool.validate(args)
    return Exit.isExit(validating) ? validating : validated(tool, args, validating)
  }
})

const validated = <E, R>(tool: Tool<unknown>, args: Decoded, validating: Effect.Effect<void, E, R>) =>
  endsTheRun(
    Effect.asVoid(
      step({ ...askedOf("validate", tool, args.raw), schema: Schema.Null }, Effect.as(validating, null))
    )
  )

const askedOf = (what: string, tool: Tool<unknown>, raw: unknown) => ({
  name: `${what} ${tool.origin.join("/")}`,
  id: { name: tool.definition.name, args: raw ?? null },
  replayable: isReplayable(tool)
})

const recordedList = <E>(list: Listing<E>["list"]): Listing<E>["list"] => {
  let current: Run
  // Made when a call is really made, or when there is no record of it.
  const live = Effect.suspend(() => list(current))
  /** Tools of this run, by what was recorded of them: the same ones from step to step. */
  const known = new Map<string, Tool<E>>()
  const searches: Array<object> = []
  const toolOf = (listed: typeof Listed.Type): Tool<E> => {
    const key = JSON.stringify(listed)
    const tool = known.get(key) ?? lookedUp(listed, live, (number) => (searches[number] ??= {}))
    known.set(key, tool)
    return tool
  }
  let last: ReadonlyArray<Tool<E>> = []
  return oncePerStep((run) => {
    const listing = Effect.flatMap(list(run), (tools) => {
      const nameless = tools.find(isNameless)
      return nameless === undefined ? Effect.succeed(listedOf(tools)) : Effect.fail(withoutId(nameless))
    })
    return Effect.suspend(() => {
      current = run
      return Effect.map(
        endsTheRun(step({ name: "list", id: null, schema: Schema.Array(Listed) }, listing)),
        (listed) => {
          const next = listed.map(toolOf)
          if (next.length !== last.length || next.some((tool, i) => tool !== last[i])) last = next
          return last
        }
      )
    })
  })
}

/** A tool that is looked up when something has to be done that was not done before. */
const lookedUp = <E>(
  listed: typeof Listed.Type,
  list: Effect.Effect<ReadonlyArray<Tool<E>>, E | ToolsetError, RunContext>,
  searchOf: (number: number) => object
): Tool<E> => {
  const definition = definitionOf(listed)
  const { finds, foundBy, origin, source, timed } = listed
  const found = Effect.flatMap(list, (tools): Effect.Effect<Tool<E>, ToolFailed> => {
    const tool = tools.find((tool) => tool.definition.name === definition.name)
    return tool === undefined ? Effect.fail(notThere(definition.name)) : Effect.succeed(tool)
    // A `ToolsetError` is nobody's `E`: it ends the run, as it does while listing.
  }) as Effect.Effect<Tool<E>, E | ToolFailed, RunContext>
  const decoded = (raw: unknown) =>
    Effect.flatMap(found, (tool) => Effect.map(tool.decode(raw), (args) => ({ tool, args })))
  const self: Tool<E> = {
    definition,
    source,
    origin,
    timed,
    foundBy: foundBy === undefined ? undefined : searchOf(foundBy),
    finds: finds === undefined ? undefined : searchOf(finds),
    decode: (raw) =>
      Effect.map(
        endsTheRun(
          step(
            { ...askedOf("decode", self, raw), schema: Schema.Unknown },
            Effect.flatMap(decoded(raw), ({ args }) => args.encoded())
          )
        ),
        (encoded): Decoded => ({ value: encoded as Args, raw, encoded: () => Effect.succeed(encoded) })
      ),
    validate: (args) =>
      validated(
        self,
        args,
        Effect.flatMap(decoded(args.raw), ({ args, tool }) => tool.validate(args))
      ),
    call: (args) =>
      Effect.flatMap(decoded(args.raw), ({ args, tool }) =>
        tool.finds === undefined
          ? tool.call(args)
          : Effect.updateService(tool.call(args), Offered, soughtBy(self.finds, tool.finds))
      )
  }
  return self
}

/** What is offered, as a search that is looked up knows its own. */
const soughtBy =
  (recorded: object | undefined, search: object) =>
  ({ byName, hidden, tools }: Offer<unknown>): Offer<unknown> => {
    const own = (tool: Tool<unknown>): Tool<unknown> =>
      tool.foundBy !== undefined && tool.foundBy === recorded ? { ...tool, foundBy: search } : tool
    const owned = (named: ReadonlyMap<string, Tool<unknown>>) =>
      new Map(Array.from(named, ([name, tool]) => [name, own(tool)]))
    return { tools: tools.map(own), byName: owned(byName), hidden: owned(hidden) }
  }

const notThere = (name: string) => new ToolFailed({ message: `The tool '${name}' is not there any more.` })

const listedOf = (tools: ReadonlyArray<Tool<unknown>>): ReadonlyArray<typeof Listed.Type> => {
  const searches = new Map<object, number>()
  const numberOf = (search: object): number => {
    const number = searches.get(search) ?? searches.size
    searches.set(search, number)
    return number
  }
  return tools.map((tool) => oneListed(tool, numberOf))
}

const oneListed = (tool: Tool<unknown>, numberOf: (search: object) => number): typeof Listed.Type => {
  const { annotations, description, kind, maxRetries, name, parameters, sequential } = tool.definition
  const { finds, foundBy, origin, source, timed } = tool
  const strict = Context.get(annotations, AiTool.Strict)
  return {
    name,
    ...(description === undefined ? {} : { description }),
    // A JSON Schema is JSON.
    parameters: parameters as Record<string, Schema.Json>,
    kind,
    sequential,
    ...(maxRetries === undefined ? {} : { maxRetries }),
    ...(strict === undefined ? {} : { strict }),
    replayable: isReplayable(tool),
    source,
    origin,
    timed,
    ...(foundBy === undefined ? {} : { foundBy: numberOf(foundBy) }),
    ...(finds === undefined ? {} : { finds: numberOf(finds) })
  }
}

const definitionOf = ({
  description,
  kind,
  maxRetries,
  name,
  parameters,
  replayable,
  sequential,
  strict
}: typeof Listed.Type): ToolDefinition => ({
  name,
  description,
  parameters,
  kind,
  sequential,
  maxRetries,
  metadata: {},
  annotations: annotated(
    strict === undefined ? Context.empty() : (Context.make(AiTool.Strict, strict) as Context.Context<never>),
    replayable
  )
})
