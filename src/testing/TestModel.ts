import { Context, Effect, Layer, Option } from "effect"
import type { AiError, LanguageModel, Prompt, Response } from "effect/ai"
import { asksForRetry, isOfLoop } from "../agent/history.ts"
import { finalResultProcessed } from "../agent/texts.ts"
import { JsonSchemaValidator } from "../JsonSchemaValidator.ts"
import { imported, unreadable } from "../toolset/importedSchema.ts"
import { problemWith } from "../toolset/jsonArguments.ts"
import { checker } from "./checker.ts"
import { outputArgs } from "./outputCall.ts"
import {
  modelError,
  type ModelRequest,
  type OfferedTool,
  recording,
  type Recorder,
  type Turn
} from "./recording.ts"
import { sample } from "./sample.ts"

/** What a `TestModel` calls, with which arguments, and what it answers; all of it is made up where nothing is said. */
export interface TestModelOptions {
  /** The tools that it calls, in this order. Default: all, in the order in which they are offered. */
  readonly callTools?: "all" | ReadonlyArray<string> | undefined
  /** The arguments of some tools, by name. Default: made up. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
  /** Its answer. Default: what the tools returned, as JSON. */
  readonly outputText?: string | undefined
  /** The arguments of the first output tool. Default: made up. */
  readonly outputArgs?: unknown
  /** Moves the made-up values. Default: 0. */
  readonly seed?: number | undefined
}

/**
 * A model that calls every tool once, with made-up arguments that satisfy its schema, and then answers with what they
 * returned.
 *
 * Deterministic. Tools that become visible later are called when they do; a tool that asks for a retry is called again;
 * only results of this exchange are in the answer. A tool that it was told to call and that nobody offers is an
 * `AiError`, as are parameters for which it can make up no value, or of which nobody can tell whether it is one: what
 * effect cannot read of a JSON Schema (`not`, `contains`, `if`), the `JsonSchemaValidator` around has to. It knows of a
 * schema what every model is told: a check that is not in its JSON Schema (in Effect, a pattern without the flag `u`) it
 * cannot satisfy, so give it `args` for such a tool.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Agent, Toolset } from "effect-toolset"
 * import { TestModel } from "effect-toolset/testing"
 *
 * const age = Toolset.tool("age", {
 *   parameters: Schema.Struct({ name: Schema.String }),
 *   handler: ({ name }) => Effect.succeed(`${name} is 36`)
 * })
 * const { output } = await Effect.runPromise(
 *   Agent.run(Agent.make({ toolsets: [age] }), { prompt: "How old?" }).pipe(Effect.provide(TestModel.layer()))
 * )
 * console.log(output)
 * //> {"age":"a is 36"}
 * ```
 */
export class TestModel extends Context.Service<TestModel, Recorder>()("effect-toolset/TestModel") {
  static readonly layer = (
    options?: TestModelOptions
  ): Layer.Layer<TestModel | LanguageModel.LanguageModel> =>
    recording(
      TestModel,
      Effect.succeed((request) => respond(request, options ?? {}))
    )

  /** All that the model was asked, in order. */
  static readonly requests: Effect.Effect<ReadonlyArray<ModelRequest>, never, TestModel> = Effect.flatMap(
    TestModel,
    (recorder) => recorder.requests
  )

  /** The tools of the last request, output tools left out. */
  static readonly lastTools: Effect.Effect<ReadonlyArray<OfferedTool>, never, TestModel> = Effect.map(
    TestModel.requests,
    (requests) => requests.at(-1)?.tools ?? []
  )

  static readonly lastToolNames: Effect.Effect<ReadonlyArray<string>, never, TestModel> = Effect.map(
    TestModel.lastTools,
    (tools) => tools.map((tool) => tool.name)
  )
}

const respond = (request: ModelRequest, options: TestModelOptions): Effect.Effect<Turn, AiError.AiError> =>
  Effect.gen(function* () {
    const exchange = currentExchange(request)
    const called = new Set(exchange.flatMap(callsOf).map((call) => call.name))
    const again = retried(exchange)
    const wanted =
      options.callTools === undefined || options.callTools === "all" ? undefined : options.callTools
    const candidates =
      wanted === undefined
        ? request.tools
        : wanted.flatMap((name) => request.tools.filter((tool) => tool.name === name))
    const due = candidates.filter((tool) => again.has(tool.name) || !called.has(tool.name))
    if (due.length > 0) return yield* callsTo(request, due, options)
    const missing = wanted?.find((name) => !called.has(name))
    if (missing !== undefined) {
      return yield* refused(`TestModel was configured to call unknown tool '${missing}'.`)
    }
    return yield* finalAnswer(request, options, exchange)
  })

const finalAnswer = (
  request: ModelRequest,
  { outputArgs: given, outputText, seed = 0 }: TestModelOptions,
  exchange: ReadonlyArray<Prompt.Message>
): Effect.Effect<Turn, AiError.AiError> => {
  const { allowText, outputTools } = request
  const [first] = outputTools
  if (outputText !== undefined && given !== undefined)
    return refused("Cannot set both `outputText` and `outputArgs`.")
  if (outputText !== undefined) {
    return allowText
      ? Effect.succeed(text(outputText))
      : refused("Plain response not allowed, but `outputText` is set.")
  }
  if (given !== undefined) {
    return first === undefined
      ? refused("There is no output tool, but `outputArgs` is set.")
      : Effect.succeed({ parts: () => [callTo(request, first, outputArgs(first, given))] })
  }
  if (allowText) return Effect.succeed(text(summary(exchange)))
  const output = outputTools[seed % outputTools.length]
  return output === undefined
    ? refused("The model may neither answer in text nor call an output tool.")
    : callsTo(request, [output], { seed })
}

const refused = (description: string): Effect.Effect<never, AiError.AiError> =>
  Effect.fail(modelError("TestModel", description))

const text = (text: string): Turn => ({ parts: () => [{ type: "text", text }] })

const callsTo = (
  request: ModelRequest,
  tools: ReadonlyArray<OfferedTool>,
  { args, seed = 0 }: Pick<TestModelOptions, "args" | "seed">
): Effect.Effect<Turn, AiError.AiError> =>
  Effect.map(
    Effect.forEach(tools, (tool, i) =>
      Effect.map(
        args !== undefined && Object.hasOwn(args, tool.name)
          ? Effect.succeed(args[tool.name])
          : madeUp(tool, seed),
        (params) => callTo(request, tool, params, tools.slice(0, i))
      )
    ),
    (parts): Turn => ({ parts: () => parts })
  )

/** Arguments that satisfy the schema; where effect alone cannot tell, the validator around says whether they do. */
const madeUp = ({ name, parameters }: OfferedTool, seed: number): Effect.Effect<unknown, AiError.AiError> =>
  Effect.gen(function* () {
    const none = (why: string) =>
      refused(
        `TestModel can make up no arguments for the tool '${name}': say in \`args\` or \`outputArgs\` what to call it with.${why}`
      )
    const made = sample(parameters, seed)
    if (Option.isNone(made)) return yield* none("")
    if (checker(parameters) !== undefined) return made.value
    const compile = yield* JsonSchemaValidator
    const reason = unreadable(compile, parameters)
    if (reason !== undefined) return yield* none(` Its schema cannot be read: ${reason}`)
    if (compile === imported)
      return yield* none(" Effect ignores some of its schema: provide a JsonSchemaValidator that does not.")
    const problem = yield* problemWith(made.value, parameters)
    return problem === undefined
      ? made.value
      : yield* none(` What it tried does not satisfy the schema: ${problem}`)
  })

/** `before`: those that are called before it in the same response. */
const callTo = (
  request: ModelRequest,
  { name }: OfferedTool,
  params: unknown,
  before: ReadonlyArray<OfferedTool> = []
): Response.PartEncoded => {
  const earlier = [...request.prompt.content.flatMap(callsOf), ...before].filter((one) => one.name === name)
  return { type: "tool-call", id: `call_${name}_${earlier.length + 1}`, name, params }
}

/**
 * The messages since the last prompt, or since the answer that ended a run. What a user says after tool results belongs to
 * the exchange, since a tool may have something to show and a resumed run a prompt; unless the results were those of an
 * output tool, which ends a run. So does what the loop itself says.
 */
const currentExchange = (request: ModelRequest): ReadonlyArray<Prompt.Message> => {
  const outputs = new Set(request.outputTools.map((tool) => tool.name))
  const messages = request.prompt.content
  const start = messages.findLastIndex((message, i) => {
    if (i === messages.length - 1 && endsRun(message)) return true
    if (message.role !== "user") return false
    const before = messages[i - 1]
    const continues = before?.role === "tool" && !resultsOf(before).some((result) => outputs.has(result.name))
    return !continues && !isOfLoop(message)
  })
  return messages.slice(start + 1)
}

/** An answer in text, or an output that was taken. */
const endsRun = (message: Prompt.Message): boolean =>
  message.role === "assistant"
    ? callsOf(message).length === 0
    : resultsOf(message).some(({ result }) => result === finalResultProcessed)

const callsOf = (message: Prompt.Message): ReadonlyArray<Prompt.ToolCallPart> =>
  message.role === "assistant" ? message.content.filter((part) => part.type === "tool-call") : []

const resultsOf = (message: Prompt.Message): ReadonlyArray<Prompt.ToolResultPart> =>
  message.role === "tool" ? message.content.filter((part) => part.type === "tool-result") : []

/** The tools that ask, in answer to the last response, to be called again. */
const retried = (exchange: ReadonlyArray<Prompt.Message>): ReadonlySet<string> => {
  const response = exchange.findLastIndex((message) => message.role === "assistant")
  const answers = exchange.slice(response + 1).flatMap(resultsOf)
  return new Set(answers.filter(asksForRetry).map((result) => result.name))
}

const summary = (exchange: ReadonlyArray<Prompt.Message>): string => {
  const results = exchange.flatMap(resultsOf).filter((result) => !asksForRetry(result))
  return results.length === 0
    ? "success (no tool calls)"
    : JSON.stringify(Object.fromEntries(results.map((result) => [result.name, result.result])))
}
