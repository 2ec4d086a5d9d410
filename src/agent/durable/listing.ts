/** Listings as steps: what may be another one next time is the same on every attempt. */
import { Context, Effect, Exit, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import type { RunContext } from "../../RunContext.ts"
import type { ToolDefinition } from "../../ToolDefinition.ts"
import { ToolFailed } from "../../ToolSignal.ts"
import { ToolsetDefinitionError, type ToolsetError } from "../../ToolsetError.ts"
import { step } from "../../durable/slot.ts"
import { mapped, oncePerStep, varying } from "../../toolset/listing.ts"
import type { Args, Decoded, Listing, Run, Tool } from "../../toolset/model.ts"
import { annotated, isReplayable } from "../../toolset/replayable.ts"
import { endsTheRun } from "./endsTheRun.ts"
import { Instructions, Listed } from "./schemas.ts"

export const recordedListing = <E>(listing: Listing<E>): Listing<E> => {
  const { fixed, list } = listing
  const instructions = recordedInstructions(listing.instructions)
  if (fixed === undefined) return varying(recordedList(list), instructions)
  const nameless = fixed.find(isNameless)
  return nameless === undefined
    ? mapped({ ...listing, instructions }, validatedOnce)
    : varying(() => Effect.fail(withoutId(nameless)), instructions)
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

const recordedInstructions = <E>(instructions: Listing<E>["instructions"]): Listing<E>["instructions"] => {
  if (instructions === undefined) return undefined
  return oncePerStep((run) => {
    const asked = instructions(run)
    // What is there at once is the same on every attempt.
    if (Exit.isExit(asked)) return asked
    return endsTheRun(step({ name: "toolset instructions", id: null, schema: Instructions }, asked))
  })
}

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
  const toolOf = (listed: typeof Listed.Type): Tool<E> => {
    const key = JSON.stringify(listed)
    const tool = known.get(key) ?? lookedUp(listed, live)
    known.set(key, tool)
    return tool
  }
  let last: ReadonlyArray<Tool<E>> = []
  return oncePerStep((run) => {
    const listing = Effect.flatMap(list(run), (tools) => {
      const nameless = tools.find(isNameless)
      return nameless === undefined ? Effect.succeed(tools.map(listedOf)) : Effect.fail(withoutId(nameless))
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
  list: Effect.Effect<ReadonlyArray<Tool<E>>, E | ToolsetError, RunContext>
): Tool<E> => {
  const definition = definitionOf(listed)
  const { origin, source, timed } = listed
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
    call: (args) => Effect.flatMap(decoded(args.raw), ({ args, tool }) => tool.call(args))
  }
  return self
}

const notThere = (name: string) => new ToolFailed({ message: `The tool '${name}' is not there any more.` })

const listedOf = (tool: Tool<unknown>): typeof Listed.Type => {
  const { annotations, description, kind, maxRetries, name, parameters, sequential } = tool.definition
  const { origin, source, timed } = tool
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
    timed
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
