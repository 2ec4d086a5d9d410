import { Effect, Schema } from "effect"
import { dual } from "effect/Function"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { ModelRetry } from "../ToolSignal.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import { Offered } from "./collect.ts"
import type { Findings } from "./discovery.ts"
import { answered } from "./environment.ts"
import { holding, type ToolPredicate } from "./filtered.ts"
import { varying } from "./listing.ts"
import { memoized, stable } from "./memoized.ts"
import {
  type Any,
  type CallServices,
  type CallSignals,
  isToolset,
  type ListServices,
  make,
  nodeOf,
  type OrEffect,
  type Tool,
  type Toolset
} from "./model.ts"
import { ranked } from "./ranked.ts"
import { tool } from "./tool.ts"

/** Which tools `searchable` hides, how it finds them, and how many at once. */
export interface SearchOptions<E = never, R = never, E2 = never, R2 = never> {
  /** Which tools have to be found first. Default: all. */
  readonly when?: ToolPredicate<E, R> | undefined
  /** The names of those that match, the best first. Default: by the words in names and descriptions (BM25). */
  readonly search?:
    | ((query: string, tools: ReadonlyArray<ToolDefinition>) => OrEffect<ReadonlyArray<string>, E2, R2>)
    | undefined
  /** How many are found at once. Default: 10. */
  readonly limit?: number | undefined
}

/**
 * Offers fewer tools: those for which `when` holds are neither offered nor callable before the model finds them with
 * the tool `search_tools`.
 *
 * What was found is read from the history, so a run that goes on keeps it. It comes after all other tools, as it was
 * found, so that the list before it stays the same and a provider's cache holds. Combinators outside hold for hidden
 * tools too: one that is filtered out is not found, and a search finds tools by the names that the model will see. No
 * error names what is hidden. Where `when` holds for no tool it is the identity: there is no search. A tool of its own
 * called `search_tools` is a `ToolsetDefinitionError`.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Agent, Toolset } from "effect-toolset"
 * import { ScriptedModel } from "effect-toolset/testing"
 *
 * const tools = Toolset.combined(
 *   Toolset.tool("get_weather", { description: "The weather in a city.", handler: () => Effect.succeed("sun") }),
 *   Toolset.tool("send_mail", { description: "Sends a mail.", handler: () => Effect.void })
 * ).pipe(Toolset.searchable())
 * const turns = [
 *   ScriptedModel.calls({ search_tools: { queries: ["weather today"] } }),
 *   ScriptedModel.calls({ get_weather: {} }),
 *   ScriptedModel.text("Sun.")
 * ]
 * const program = Effect.gen(function* () {
 *   yield* Agent.run(Agent.make({ toolsets: [tools] }), { prompt: "What is the weather?" })
 *   return (yield* ScriptedModel.requests).map((request) => request.tools.map((tool) => tool.name).join())
 * })
 * console.log(await Effect.runPromise(program.pipe(Effect.provide(ScriptedModel.layer(turns)))))
 * //> [
 * //>   'search_tools',
 * //>   'search_tools,get_weather',
 * //>   'search_tools,get_weather'
 * //> ]
 * ```
 */
export const searchable: {
  <E2 = never, R2 = never, E3 = never, R3 = never>(
    options?: SearchOptions<E2, R2, E3, R3>
  ): <E, R>(
    self: Toolset<E, R>
  ) => Toolset<E | E2 | Exclude<E3, CallSignals>, R | Exclude<R2, ListServices> | Exclude<R3, CallServices>>
  <E, R, E2 = never, R2 = never, E3 = never, R3 = never>(
    self: Toolset<E, R>,
    options?: SearchOptions<E2, R2, E3, R3>
  ): Toolset<E | E2 | Exclude<E3, CallSignals>, R | Exclude<R2, ListServices> | Exclude<R3, CallServices>>
} = dual(
  (args) => isToolset(args[0]),
  <E, R, E2, R2, E3, R3>(
    self: Toolset<E, R>,
    { limit = 10, search = ranked, when = () => true }: SearchOptions<E2, R2, E3, R3> = {}
  ) => {
    type Failure = E | E2 | Exclude<E3, CallSignals>
    const key = {}
    const hide = memoized((tool: Tool<Failure>): Tool<Failure> => ({ ...tool, foundBy: key }))
    const searching = searchTool(key, search, limit)
    return make<Failure, R | Exclude<R2, ListServices> | Exclude<R3, CallServices>>({
      name: "searchable",
      label: `searchable(${self.label})`,
      id: self.id,
      children: [self],
      build: (opening) =>
        Effect.gen(function* () {
          const listing = yield* opening.open(self)
          const [found] = (yield* nodeOf(searching).build(opening)).fixed ?? []
          // A leaf of one tool.
          const search: Tool<Failure> = { ...found!, finds: key }
          const same = stable<Tool<Failure>>()
          return varying<Failure>(
            (run) =>
              Effect.flatMapEager(listing.list(run), (tools) =>
                Effect.flatMapEager(holding(when)(tools, run), (holds) => {
                  if (!holds.includes(true)) return Effect.succeed(same(tools))
                  return tools.some((tool) => tool.definition.name === reserved)
                    ? Effect.fail(isReserved(self))
                    : Effect.succeed(
                        same([...tools.map((tool, i) => (holds[i] ? hide(tool) : tool)), search])
                      )
                })
              ),
            listing.instructions
          )
        }),
      over: (replace) => searchable(replace(self) as typeof self, { limit, search, when })
    })
  }
)

const reserved = "search_tools"

const isReserved = (self: Any): ToolsetDefinitionError =>
  new ToolsetDefinitionError({
    source: `searchable(${self.label})`,
    problem: `The tool name '${reserved}' is reserved for tool search.`,
    hint: "Give your tool another name with Toolset.renamed or Toolset.prefixed."
  })

const searchTool = <E, R>(
  key: object,
  search: NonNullable<SearchOptions<never, never, E, R>["search"]>,
  limit: number
) =>
  tool(reserved, {
    description:
      "Finds more tools, by what they do. The tools that it finds can be called afterwards. " +
      "Search before you say that something cannot be done.",
    parameters: Schema.Struct({
      queries: Schema.Array(Schema.String).annotate({
        description: "What the tools should do, in a few words each."
      })
    }),
    handler: Effect.fnUntraced(function* ({ queries }) {
      const query = queries.join(" ").trim()
      if (query === "") {
        return yield* new ModelRetry({ message: "Please provide at least one non-empty search query." })
      }
      const { hidden, tools } = yield* Offered
      const isSought = ({ foundBy }: Tool<unknown>): boolean => foundBy === key
      // What the model does not have yet comes first.
      const sought = [...Array.from(hidden.values()).filter(isSought), ...tools.filter(isSought)]
      const byName = new Map(sought.map((tool) => [tool.definition.name, tool]))
      const definitions = sought.map((tool) => tool.definition)
      const matching = yield* answered<ReadonlyArray<string>, E>(search(query, definitions)) as Effect.Effect<
        ReadonlyArray<string>,
        E,
        R
      >
      const found = Array.from(new Set(matching)).filter((name) => byName.has(name))
      return findings(
        [...found.filter((name) => hidden.has(name)), ...found.filter((name) => !hidden.has(name))]
          .slice(0, limit)
          .map((name) => byName.get(name)!.definition)
      )
    })
  })

const findings = (tools: ReadonlyArray<ToolDefinition>): Findings =>
  tools.length === 0
    ? { tools: [], message: "No matching tools found. The tools you need may not be available." }
    : { tools: tools.map(({ description, name }) => ({ name, description })) }
