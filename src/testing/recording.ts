/** A `LanguageModel` that answers what it is told to, and remembers what it was asked. */
import { Context, Effect, type JsonSchema, Layer, Ref, type Scope, Stream } from "effect"
import { AiError, LanguageModel, type Prompt, type Response, Tool } from "effect/ai"
import { OutputTool, WrappedOutput } from "../interop/aiTool.ts"

/** A tool as the model saw it: the model knows no more than this. */
export interface OfferedTool {
  readonly name: string
  readonly description: string | undefined
  readonly parameters: JsonSchema.JsonSchema
}

/** One model request as the model saw it. Output tools end the run; without `allowText` the model has to call a tool. */
export interface ModelRequest {
  readonly prompt: Prompt.Prompt
  readonly tools: ReadonlyArray<OfferedTool>
  readonly outputTools: ReadonlyArray<OfferedTool>
  readonly allowText: boolean
}

/** What a model answers to one request; `index` is the number of the request, from 0. */
export interface Turn {
  readonly parts: (request: ModelRequest, index: number) => ReadonlyArray<Response.PartEncoded>
}

export interface Recorder {
  /** All requests so far, in order. */
  readonly requests: Effect.Effect<ReadonlyArray<ModelRequest>>
}

/** How a model answers. */
export type Respond = (request: ModelRequest, index: number) => Effect.Effect<Turn, AiError.AiError>

/** A layer of a model and of what it was asked. */
export const recording = <Self>(
  key: Context.Key<Self, Recorder>,
  respond: Effect.Effect<Respond, never, Scope.Scope>
): Layer.Layer<Self | LanguageModel.LanguageModel> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const answer = yield* respond
      const requests = yield* Ref.make<ReadonlyArray<ModelRequest>>([])
      const next = Effect.fnUntraced(function* (options: LanguageModel.ProviderOptions) {
        const request = requestOf(options)
        const before = yield* Ref.getAndUpdate(requests, (all) => [...all, request])
        const turn = yield* answer(request, before.length)
        return finished(turn.parts(request, before.length))
      })
      const model = yield* LanguageModel.make({
        generateText: (options) => Effect.map(next(options), (parts) => [...parts]),
        streamText: (options) =>
          Stream.unwrap(Effect.map(next(options), (parts) => Stream.fromIterable(parts.flatMap(streamed))))
      })
      return Context.make(LanguageModel.LanguageModel, model).pipe(
        Context.add(key, { requests: Ref.get(requests) })
      )
    })
  )

/** Output tools whose arguments have the output inside, as their `response`; a model sees no more than their schema. */
export const wrapped = new WeakSet<OfferedTool>()

/** What goes wrong in a test model is said as a model says it. */
export const modelError = (module: string, description: string): AiError.AiError =>
  AiError.make({ module, method: "generateText", reason: new AiError.InvalidRequestError({ description }) })

const requestOf = (options: LanguageModel.ProviderOptions): ModelRequest => {
  const offered = (isOutput: boolean) =>
    options.tools.flatMap((tool): ReadonlyArray<OfferedTool> => {
      if (Context.get(tool.annotations, OutputTool) !== isOutput) return []
      const { name } = tool
      const seen = { name, description: Tool.getDescription(tool), parameters: Tool.getJsonSchema(tool) }
      if (Context.get(tool.annotations, WrappedOutput)) wrapped.add(seen)
      return [seen]
    })
  return {
    prompt: options.prompt,
    tools: offered(false),
    outputTools: offered(true),
    allowText: options.toolChoice === "auto" || options.toolChoice === "none"
  }
}

/** A turn that does not say how it ended ended as its parts suggest; each part counts as one token. */
const finished = (parts: ReadonlyArray<Response.PartEncoded>): ReadonlyArray<Response.PartEncoded> => {
  if (parts.some((part) => part.type === "finish")) return parts
  const reason = parts.some((part) => part.type === "tool-call") ? "tool-calls" : "stop"
  return [
    ...parts,
    { type: "finish", reason, usage: { inputTokens: { total: 1 }, outputTokens: { total: parts.length } } }
  ]
}

/** The parts of a stream that stand for one part of a response. */
const streamed = (part: Response.PartEncoded, index: number): ReadonlyArray<Response.StreamPartEncoded> => {
  switch (part.type) {
    case "text":
    case "reasoning": {
      const id = `${part.type}${index}`
      const deltas = part.text.split(/(?<= )/)
      return [
        { type: `${part.type}-start`, id, metadata: part.metadata },
        ...deltas.map((delta): Response.StreamPartEncoded => ({ type: `${part.type}-delta`, id, delta })),
        { type: `${part.type}-end`, id }
      ] as ReadonlyArray<Response.StreamPartEncoded>
    }
    case "tool-call":
      return [
        { type: "tool-params-start", id: part.id, name: part.name },
        { type: "tool-params-delta", id: part.id, delta: JSON.stringify(part.params ?? {}) },
        { type: "tool-params-end", id: part.id },
        part
      ]
    default:
      return [part as Response.StreamPartEncoded]
  }
}
