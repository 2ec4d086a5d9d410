/** A toolset's tools on an MCP server: what it lists now, and calls to it. */
import { Context, Effect } from "effect"
import { McpSchema, McpServer, Tool } from "effect/ai"
import { outsideOfRuns, RunContext } from "../RunContext.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { canonical } from "../toolset/canonical.ts"
import { collect, type Offer } from "../toolset/collect.ts"
import { type Admission, admit, circumstances } from "../toolset/dispatch.ts"
import type { Run } from "../toolset/model.ts"
import type { OpenedForOthers } from "../toolset/open.ts"
import { announced, answer, failed } from "./answer.ts"
import { asked } from "./approval.ts"
import { reported } from "./reported.ts"

type Server = McpServer.McpServer["Service"]
type Request = McpSchema.McpRequestContext["Service"]

/** What the toolset offers at one moment, and what goes on in it. */
interface Now {
  readonly offer: Offer<unknown>
  readonly run: Run
  readonly inStep: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, RunContext>>
}

/** `any`: what a listing needs is in the `R` of its toolset, and comes with the server or with each request. */
export interface Stand {
  /** Registers what the toolset offers now; what it does not offer to a request is hidden from that. */
  readonly register: Effect.Effect<void, unknown, McpServer.McpServer>
  /** Whether the tool of a name is there for a request. */
  readonly isThere: (name: string, request: Request) => Effect.Effect<boolean, McpSchema.InternalError, any>
}

/**
 * The tools of a toolset, asked for anew by every request. A server knows all tools that there have been; each request
 * sees those that are there for it.
 */
export const stand = ({ during, listing }: OpenedForOthers<unknown>): Stand => {
  /** What clients were told of each tool: the same again is no news. */
  const known = new Map<string, string>()
  const ofRequest = new WeakMap<Request, Effect.Effect<Now, McpSchema.InternalError, any>>()
  let step = 0
  let register: (now: Now) => Effect.Effect<Now> = Effect.succeed

  /** Looks what there is in a step of its own, and does something with it while that lasts. */
  const looking = <A, E, R>(f: (now: Now) => Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const run: Run = { ...outsideOfRuns(), runId: "mcp", step: ++step }
      const inStep: Now["inStep"] = (effect) => Effect.provideService(during(run)(effect), RunContext, run)
      const offered = inStep(collect(listing, run))
      const now = Effect.flatMap(offered, (offer) => register({ offer, run, inStep }))
      return during(run)(Effect.flatMap(now, f))
    })
  const look = looking(Effect.succeed)

  const at = (request: Request) =>
    Effect.gen(function* () {
      const looking = ofRequest.get(request) ?? (yield* Effect.cached(Effect.catch(look, unlisted)))
      ofRequest.set(request, looking)
      return yield* looking
    })

  /** Says so where tools have gone since; those that were added have announced themselves. */
  const announcing = (server: Server, { offer }: Now) =>
    Effect.gen(function* () {
      const after = yield* look
      const isGone = offer.tools.some((tool) => !after.offer.byName.has(tool.definition.name))
      if (isGone) yield* server.notifications["notifications/tools/list_changed"]({})
    })

  const handle = (server: Server, definition: ToolDefinition) => (args: unknown) =>
    Effect.gen(function* () {
      const calling = looking((now) =>
        Effect.map(called(server, now, definition, args), (ended) => [now, ended] as const)
      )
      const [now, ended] = yield* Effect.catch(calling, unlisted)
      yield* Effect.ignore(announcing(server, now))
      return ended
    })

  const registering = Effect.gen(function* () {
    const server = yield* McpServer.McpServer
    const services = yield* Effect.context<never>()
    register = Effect.fnUntraced(function* (now) {
      for (const { definition } of now.offer.tools) {
        if (!isServed(definition)) continue
        const tool = described(definition)
        const told = JSON.stringify(tool)
        if (known.get(tool.name) === told) continue
        known.set(tool.name, told)
        yield* server.addTool({
          tool,
          annotations: Context.empty(),
          services,
          handle: handle(server, definition)
        })
      }
      return now
    })
    yield* look
    // A server without any tool says that it has none, for good.
    if (known.size === 0) {
      const nothing = new McpSchema.Tool({ name: "nothing", inputSchema: { type: "object" } })
      yield* server.addTool({
        tool: nothing,
        annotations: Context.empty(),
        services,
        handle: () => Effect.succeed(failed("There is no such tool."))
      })
    }
  })

  return {
    register: registering,
    isThere: (name, request) =>
      Effect.map(at(request), ({ offer }) => {
        const tool = offer.byName.get(name)
        return tool !== undefined && isServed(tool.definition)
      })
  }
}

/** What runs elsewhere cannot be called here. */
const isServed = ({ kind }: ToolDefinition): boolean => kind === "function" || kind === "unapproved"

const unlisted = (error: unknown) =>
  Effect.andThen(
    Effect.logError("The tools cannot be listed.", error),
    Effect.fail(new McpSchema.InternalError({ message: "The tools cannot be listed." }))
  )

const called = (server: Server, { inStep, offer, run }: Now, definition: ToolDefinition, args: unknown) =>
  Effect.gen(function* () {
    const { name } = definition
    const progress = yield* reporting(server)
    const admitted = (approved: boolean) =>
      admit(offer, { id: `mcp-${run.step}`, name, args }, { ...circumstances, approved, progress })
    const ask = yield* admitted(false)
    const outcome = yield* ask.perform
    if (outcome._tag !== "ApprovalRequired") return yield* answer(outcome, announced(definition))
    const encoded = yield* willRun(ask)
    const said = yield* asked(name, encoded)
    switch (said._tag) {
      case "Yes": {
        // What is decoded once more may be something else: defaults that depend on the time, for one.
        const approved = yield* admitted(true)
        const isSame = canonical(yield* willRun(approved)) === canonical(encoded)
        if (!isSame) return failed("The call would not be made with the arguments that were approved.")
        return yield* answer(yield* approved.perform, announced(definition))
      }
      case "No":
        return failed("The call was not approved.")
      case "Nobody":
        return yield* answer(outcome, undefined)
      case "TooLong":
        return failed(said.message)
      case "Ask":
        return said.request
    }
  }).pipe(
    inStep,
    // What ends a run ends a request: the client hears that there was an error, and the log which.
    Effect.orDie
  )

/** The arguments that a call will run with, as JSON. */
const willRun = ({ args, call }: Admission<unknown>) => args?.encoded() ?? Effect.succeed(call.args)

/** Progress goes to a client that asked for it. */
const reporting = (server: Server) =>
  Effect.map(McpSchema.McpRequestContext, ({ requestMetadata }) => {
    const progressToken = requestMetadata?.progressToken as string | number | undefined
    let count = 0
    return (value: unknown): Effect.Effect<void> => {
      if (progressToken === undefined) return Effect.void
      return server.notifications["notifications/progress"]({ progressToken, ...reported(value, ++count) })
    }
  })

const described = (definition: ToolDefinition): McpSchema.Tool => {
  const { annotations, description, name, parameters } = definition
  const title = Context.getOrUndefined(annotations as Context.Context<Tool.Title>, Tool.Title)
  return new McpSchema.Tool({
    name,
    title,
    description,
    inputSchema: parameters as McpSchema.ToolJson,
    outputSchema: announced(definition),
    annotations: {
      readOnlyHint: Context.get(annotations, Tool.Readonly),
      destructiveHint: Context.get(annotations, Tool.Destructive),
      idempotentHint: Context.get(annotations, Tool.Idempotent),
      openWorldHint: Context.get(annotations, Tool.OpenWorld)
    },
    _meta: Context.getOrUndefined(annotations as Context.Context<Tool.Meta>, Tool.Meta)
  })
}
