import { Context, Effect, type Layer, Schema } from "effect"
import type { LanguageModel, Response } from "effect/ai"
import { outputArgs, outputCall } from "./outputCall.ts"
import { modelError, type ModelRequest, recording, type Recorder, type Turn } from "./recording.ts"

/**
 * A model that answers what a script says: turns in order, or a function of the request.
 *
 * A request for which the script has no turn fails with an `AiError` that says so. `requests` are all that it was asked.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Agent, Toolset } from "effect-toolset"
 * import { ScriptedModel } from "effect-toolset/testing"
 *
 * const ping = Toolset.tool("ping", { handler: () => Effect.succeed("pong") })
 * const program = Effect.gen(function* () {
 *   const { output } = yield* Agent.run(Agent.make({ toolsets: [ping] }), { prompt: "Ping." })
 *   return [output, (yield* ScriptedModel.requests).length]
 * })
 * const model = ScriptedModel.layer([ScriptedModel.calls({ ping: {} }), ScriptedModel.text("Done.")])
 * console.log(await Effect.runPromise(program.pipe(Effect.provide(model))))
 * //> [ 'Done.', 2 ]
 * ```
 */
export class ScriptedModel extends Context.Service<ScriptedModel, Recorder>()(
  "effect-toolset/ScriptedModel"
) {
  /** `consumeAll`: turns that no request asked for are a defect when a program that succeeded ends. Default: not. */
  static readonly layer = (
    script: ReadonlyArray<Turn> | ((request: ModelRequest, index: number) => Turn | Effect.Effect<Turn>),
    options?: { readonly consumeAll?: boolean | undefined }
  ): Layer.Layer<ScriptedModel | LanguageModel.LanguageModel> =>
    recording(
      ScriptedModel,
      typeof script === "function"
        ? Effect.succeed((request, index) => {
            const turn = script(request, index)
            return Effect.isEffect(turn) ? turn : Effect.succeed(turn)
          })
        : inOrder(script, options?.consumeAll ?? false)
    )

  /** Calls of tools, by name or in a list; ids are made up where none is given. */
  static readonly calls = (
    calls:
      | Readonly<Record<string, unknown>>
      | ReadonlyArray<{ readonly name: string; readonly args: unknown; readonly id?: string | undefined }>
  ): Turn => {
    const all = isList(calls)
      ? calls
      : Object.entries(calls).map(([name, args]) => ({ name, args, id: undefined }))
    return {
      parts: (_, index) =>
        all.map(({ args, id, name }, i) => ({
          type: "tool-call",
          id: id ?? `call_${index}_${i}`,
          name,
          params: args
        }))
    }
  }

  /**
   * The answer: a call of the first output tool that takes it; where none does, text, if it is one and may be one, and
   * otherwise a call of the first. Where there are no output tools, text.
   */
  static readonly output = (value: unknown): Turn => ({
    parts: ({ allowText, outputTools }, index) => {
      const [first] = outputTools
      const isText = first === undefined || (typeof value === "string" && allowText)
      const call =
        outputCall(outputTools, value) ??
        (isText ? undefined : { tool: first, args: outputArgs(first, value) })
      return call === undefined
        ? [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }]
        : [{ type: "tool-call", id: `call_${index}_0`, name: call.tool.name, params: call.args }]
    }
  })

  static readonly text = (text: string): Turn => ScriptedModel.parts([{ type: "text", text }])

  /** Any parts, for what the others do not say. */
  static readonly parts = (parts: ReadonlyArray<Response.PartEncoded>): Turn => ({ parts: () => parts })

  /** All that the model was asked, in order. */
  static readonly requests: Effect.Effect<ReadonlyArray<ModelRequest>, never, ScriptedModel> = Effect.flatMap(
    ScriptedModel,
    (recorder) => recorder.requests
  )
}

const inOrder = (script: ReadonlyArray<Turn>, consumeAll: boolean) =>
  Effect.gen(function* () {
    let used = 0
    if (consumeAll) {
      yield* Effect.addFinalizer((exit) =>
        exit._tag === "Success" && used < script.length
          ? Effect.die(new TurnsLeft({ left: script.length - used }))
          : Effect.void
      )
    }
    return (request: ModelRequest, index: number) => {
      used = index + 1
      const turn = script[index]
      return turn === undefined
        ? Effect.fail(
            modelError(
              "ScriptedModel",
              `The script has ${script.length} turns; this is request ${index + 1}${lastOf(request)}.`
            )
          )
        : Effect.succeed(turn)
    }
  })

/** What the model was told last, which says why it was asked again. */
const lastOf = ({ prompt }: ModelRequest): string => {
  const message = prompt.content.at(-1)
  if (message === undefined) return ""
  const said = Array.isArray(message.content)
    ? message.content.map((part) =>
        part.type === "text"
          ? part.text
          : part.type === "tool-result"
            ? JSON.stringify(part.result)
            : part.type
      )
    : [message.content]
  return `, which ends in a message of the ${message.role}: ${said.join(", ")}`
}

const isList = <A, B>(value: A | ReadonlyArray<B>): value is ReadonlyArray<B> => Array.isArray(value)

/** A script has turns that no request asked for. */
export class TurnsLeft extends Schema.TaggedError<TurnsLeft>()("TurnsLeft", { left: Schema.Int }) {
  override get message(): string {
    return `The script has ${this.left} more turns than there were requests.`
  }
}

export declare namespace ScriptedModel {
  export type { Turn }
}
