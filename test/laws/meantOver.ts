/** What a combinator makes of what it is over. */
import type { ToolDefinition } from "effect-toolset"
import { asksAbout, edited, keeps, narrow, renaming } from "./choices.ts"
import type { Around, CatchTags, Unary } from "./description.ts"
import {
  type Answer,
  type Circumstances,
  type Failure,
  isFailure,
  type Meaning,
  type Meant,
  nothing,
  settled,
  unapproved
} from "./meant.ts"

export const meantOver = (how: Unary, inner: Meaning): Meaning => {
  switch (how._tag) {
    case "filtered":
      return varying(inner, (tools, step) => tools.filter((tool) => keeps(how.keep, tool.definition, step)))
    case "prefixed":
      return each(
        inner,
        defined((tool) => ({
          ...tool,
          name: how.prefix === "" ? tool.name : `${how.prefix}_${tool.name}`
        }))
      )
    case "renamed":
      return renamed(how.rename, inner)
    case "prepared":
      return varying(inner, (tools, step) => conflict(tools) ?? prepared(how.edit, tools, step))
    case "approvalRequired":
      return each(inner, (tool) => ({
        ...tool,
        definition:
          how.when === "all" && tool.definition.kind === "function"
            ? { ...tool.definition, kind: "unapproved" }
            : tool.definition,
        call: (n, given) =>
          given.approved || !asksAbout(how.when, tool.definition, { n }) ? tool.call(n, given) : unapproved
      }))
    case "wrapper":
      return each(inner, (tool) => ({ ...tool, call: (n, given) => around(how.around, tool, n, given) }))
    case "withMetadata":
      return each(
        inner,
        defined((tool) => ({
          ...tool,
          metadata: { ...tool.metadata, [how.key]: how.value === "name" ? tool.name : how.value }
        }))
      )
    case "withMaxRetries":
      return each(
        inner,
        defined((tool) => ({ ...tool, maxRetries: tool.maxRetries ?? how.maxRetries }))
      )
    case "withReturns":
      return each(inner, defined(withReturns))
    case "sequential":
      return each(
        inner,
        defined((tool) => ({ ...tool, sequential: true }))
      )
    case "timeout":
      return each(inner, (tool) => ({
        ...tool,
        call: (n, given) => tool.call(n, { ...given, hurried: given.hurried || how.limit === "30 seconds" })
      }))
    case "onError":
      return how.mode === "fail" ? inner : caught(inner, (failure) => settled(how.mode, failure))
    case "catchTags":
      return caught(inner, (failure) => untagged(how, failure))
    case "withInstructions":
      return {
        ...inner,
        instructions: (step) => {
          const own = inner.instructions(step)
          return isFailure(own) ? own : [...own, { text: how.text, dynamic: how.as === "effect" }]
        }
      }
    case "provide":
      return each(inner, (tool) => ({
        ...tool,
        call: (n, given) => tool.call(n, { ...given, flavour: how.flavour })
      }))
    case "withId":
    case "mapLeaves":
      return inner
  }
}

type Tools = ReadonlyArray<Meant>

const mapped = (inner: Meaning, f: (tools: Tools, step: number) => Failure | Tools): Meaning => ({
  ...inner,
  tools: (step) => {
    const tools = inner.tools(step)
    return isFailure(tools) ? tools : f(tools, step)
  }
})

const each = (inner: Meaning, f: (tool: Meant) => Meant): Meaning => mapped(inner, (tools) => tools.map(f))

const varying = (inner: Meaning, f: (tools: Tools, step: number) => Failure | Tools): Meaning => ({
  ...mapped(inner, f),
  fixed: false
})

const defined =
  (f: (tool: ToolDefinition) => ToolDefinition) =>
  (tool: Meant): Meant => ({ ...tool, definition: f(tool.definition) })

const withReturns = (tool: ToolDefinition): ToolDefinition => {
  if (tool.returns === undefined) return tool
  const returns = `Returns: ${JSON.stringify(tool.returns)}`
  if (tool.description?.endsWith(returns) === true) return tool
  return {
    ...tool,
    description: tool.description === undefined ? returns : `${tool.description}\n\n${returns}`
  }
}

const conflict = (tools: Tools): Failure | undefined => {
  const names = tools.map((tool) => tool.definition.name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  return twice === undefined ? undefined : { failed: `ToolNameConflict: ${twice}` }
}

const renamed = (
  rename: "nothing" | "suffix" | "none" | "swap" | "taken" | "missing",
  inner: Meaning
): Meaning => {
  const first = inner.opening ?? inner.tools(1)
  const by = renaming(rename, isFailure(first) ? [] : first.map((tool) => tool.definition.name))
  if (typeof by === "function")
    return each(
      inner,
      defined((tool) => ({ ...tool, name: by(tool.name) }))
    )
  const names = new Map(Object.entries(by).map(([name, original]) => [original, name]))
  const out = mapped(
    inner,
    (tools) =>
      conflict(tools) ?? tools.map(defined((tool) => ({ ...tool, name: names.get(tool.name) ?? tool.name })))
  )
  if (inner.opening !== undefined || !inner.fixed) return out
  const tools = out.tools(1)
  const problem = isFailure(tools)
    ? tools
    : rename === "missing"
      ? { failed: "ToolsetDefinitionError" }
      : undefined
  return { ...out, opening: problem }
}

const prepared = (edit: Parameters<typeof edited>[0], tools: Tools, step: number): Tools => {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  return edited(
    edit,
    tools.map((tool) => tool.definition),
    step
  ).map((definition) => {
    const tool = byName.get(definition.name)!
    const { kind, parameters } = tool.definition
    return {
      ...tool,
      definition,
      accepts: (n) =>
        (definition.parameters === parameters || definition.parameters !== narrow || n === 1) &&
        tool.accepts(n),
      call:
        definition.kind === kind
          ? tool.call
          : definition.kind === "external"
            ? () => ({ signal: "CallDeferred", said: undefined })
            : (n, given) => (given.approved ? tool.call(n, given) : unapproved)
    }
  })
}

const around = (how: Around, { call, definition }: Meant, n: number, given: Circumstances): Answer => {
  switch (how) {
    case "nothing":
      return call(n, given)
    case "trace a":
    case "trace b": {
      given.trace.push(`${how} in`)
      const answer = call(n, given)
      given.trace.push(`${how} out`)
      return answer
    }
    case "shout": {
      const answer = call(n, given)
      return "returned" in answer ? { ...answer, returned: { loud: answer.returned } } : answer
    }
    case "bump":
      return call(n + 1, given)
    case "swallow": {
      const answer = call(n, given)
      return "signal" in answer && answer.signal === "ToolFailed"
        ? { returned: answer.said ?? null, metadata: {} }
        : answer
    }
    case "refuse":
      return { signal: "ToolFailed", said: `not ${definition.name}` }
    case "break":
      return n % 2 === 1 ? { failed: `Broken: around ${definition.name}` } : call(n, given)
    case "twice": {
      const answer = call(n, given)
      return "returned" in answer ? call(n, given) : answer
    }
    case "opaque": {
      const answer = call(n, given)
      return "returned" in answer ? { failed: "ToolResultError" } : answer
    }
  }
}

/** What cannot be opened or listed is left without tools, where its failure becomes a signal. */
const caught = (inner: Meaning, f: (failure: Failure) => Answer): Meaning => {
  const answered = (answer: Answer): Answer => (isOwn(answer) ? f(answer) : answer)
  const list = <A>(given: Failure | ReadonlyArray<A>): Failure | ReadonlyArray<A> => {
    if (!isFailure(given)) return given
    const answer = answered(given)
    return isFailure(answer) ? answer : []
  }
  const opening = inner.opening === undefined ? undefined : list(inner.opening)
  if (opening !== undefined) return isFailure(opening) ? { ...inner, opening } : nothing
  return {
    ...inner,
    tools: (step) => {
      const tools = list(inner.tools(step))
      if (isFailure(tools)) return tools
      return tools.map((tool) => ({
        ...tool,
        validate: (n) => {
          const answer = tool.validate(n)
          return answer === undefined ? undefined : answered(answer)
        },
        call: (n, given) => answered(tool.call(n, given))
      }))
    },
    instructions: (step) => list(inner.instructions(step))
  }
}

/** A failure that a toolset may have, and not a `ToolsetError`. */
const isOwn = (answer: Answer): answer is Failure => isFailure(answer) && /^(Broken|Lost)/.test(answer.failed)

const untagged = ({ broken }: typeof CatchTags.Type, failure: Failure): Answer => {
  if (!failure.failed.startsWith("Broken")) return failure
  return broken === "lost" ? { failed: failure.failed.replace("Broken", "Lost") } : settled(broken, failure)
}
