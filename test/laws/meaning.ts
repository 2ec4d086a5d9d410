/**
 * What the toolset of a description is, said once more, without sessions, scopes and effects: what it lists at each step,
 * and how its calls end. A toolset that is something else is wrong.
 */
import { Context } from "effect"
import { Tool as AiTool } from "effect/ai"
import { before } from "./choices.ts"
import { type Sources, sourceAt, type Tool, type Tree } from "./description.ts"
import {
  type Answer,
  type Circumstances,
  type Failure,
  isFailure,
  type Meaning,
  type Meant,
  nothing,
  retry,
  settled,
  unapproved
} from "./meant.ts"
import { meantOver } from "./meantOver.ts"

export const meaning = (sources: Sources, tree: Tree): Meaning => {
  switch (tree._tag) {
    case "Use": {
      const used = meantSource(sources, sourceAt(sources, tree.source))
      return tree.apart === 0 ? used : meantOver({ _tag: "prefixed", prefix: `u${tree.apart}` }, used)
    }
    case "Over":
      return meantOver(tree.how, meaning(sources, tree.of))
    case "Combined":
      return combined(tree.of.map((child) => meaning(sources, child)))
  }
}

/** The names at a step, as long as there are any. */
export const namesAt = (sources: Sources, tree: Tree, step: number): ReadonlyArray<string> => {
  const meant = meaning(sources, tree)
  const tools = meant.opening ?? meant.tools(step)
  return isFailure(tools) ? [] : tools.map((tool) => tool.definition.name)
}

const combined = (all: ReadonlyArray<Meaning>): Meaning => ({
  opening: all.map((one) => one.opening).find(isFailure),
  fixed: all.every((one) => one.fixed),
  tools: (step) => together(all.map((one) => one.tools(step))),
  instructions: (step) => together(all.map((one) => one.instructions(step)))
})

const together = <A>(lists: ReadonlyArray<Failure | ReadonlyArray<A>>): Failure | ReadonlyArray<A> =>
  lists.find(isFailure) ?? lists.flatMap((list) => (isFailure(list) ? [] : list))

const meantSource = (sources: Sources, index: number): Meaning => {
  const given = sources[index]!
  const other = (which: number | "none"): Meaning => {
    const found = before(index, which)
    return found === undefined ? nothing : meantSource(sources, found)
  }
  switch (given._tag) {
    case "Tool":
      return { ...nothing, tools: () => [meantTool(`t${index}`, given)] }
    case "External":
      return {
        ...nothing,
        tools: () => Array.from({ length: given.count }, (_, i) => external(`e${index}${"-".repeat(i)}`))
      }
    case "Empty":
      return nothing
    case "Unwrap":
      return given.opens ? other(given.of) : { ...nothing, opening: { failed: `Broken: s${index}` } }
    case "Dynamic": {
      const choice = (step: number) => other(step % 2 === 1 ? given.odd : given.even)
      // One that cannot be opened is not chosen for good.
      const once = (step: number) =>
        steps(step).find((earlier) => choice(earlier).opening === undefined) ?? step
      const at = (step: number) => choice(given.rebuild === "run" ? once(step) : step)
      return {
        ...nothing,
        fixed: false,
        tools: (step) => at(step).opening ?? at(step).tools(step),
        instructions: (step) => at(step).opening ?? at(step).instructions(step)
      }
    }
  }
}

const steps = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

const plain = {
  description: undefined,
  kind: "function",
  sequential: false,
  metadata: {},
  annotations: Context.empty()
} as const

const external = (name: string): Meant => ({
  definition: {
    ...plain,
    name,
    kind: "external",
    returns: undefined,
    parameters: {
      type: "object",
      properties: { n: { type: "integer" } },
      required: ["n"],
      additionalProperties: false
    }
  },
  accepts: Number.isInteger,
  validate: () => undefined,
  call: () => ({ signal: "CallDeferred", said: undefined })
})

const meantTool = (name: string, given: Tool): Meant => ({
  definition: {
    ...plain,
    name,
    description: given.described ? `${name} does` : undefined,
    parameters: {
      type: "object",
      properties: {
        n: { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
      },
      required: ["n"],
      additionalProperties: false
    },
    returns: given.returns ? returns : undefined,
    kind: given.asks === "always" ? "unapproved" : "function",
    sequential: given.sequential,
    maxRetries: given.maxRetries === "none" ? undefined : given.maxRetries,
    metadata: { of: name },
    annotations: given.described ? Context.make(AiTool.Readonly, true) : Context.empty()
  },
  accepts: Number.isInteger,
  validate: (n) =>
    n !== 3 || given.checks === "nothing"
      ? undefined
      : given.checks === "retry"
        ? retry(`${name} takes no 3`)
        : { failed: `Broken: ${name}'s validator` },
  call: (n, circumstances) => {
    const asks = given.asks === "always" || (given.asks === "odd" && n % 2 === 1)
    if (asks && !circumstances.approved) return unapproved
    circumstances.trace.push(name)
    const answer = handled(name, given.does, n, circumstances)
    return isFailure(answer) ? settled(given.onError, answer) : answer
  }
})

const handled = (name: string, does: Tool["does"], n: number, given: Circumstances): Answer => {
  const { approved, as, flavour, hurried, last, step } = given
  const returned = { did: name, n, flavour, step, name, as, last }
  switch (does) {
    case "succeed":
      return { returned, metadata: {} }
    case "show":
      return { returned, metadata: { shown: name } }
    case "break":
      return { failed: `Broken: ${name}` }
    case "retry":
      return retry(`${name} asks again`)
    case "refuse":
      return { signal: "ToolFailed", said: `${name} refuses` }
    case "ask":
      return approved ? { returned, metadata: {} } : { signal: "ApprovalRequired", said: name }
    case "defer":
      return { signal: "CallDeferred", said: name }
    case "slow":
      return hurried
        ? { signal: "ModelRetry", said: "Timed out after 30 seconds.", reason: "timeout" }
        : { returned, metadata: {} }
  }
}

const returns = { type: "object" }
