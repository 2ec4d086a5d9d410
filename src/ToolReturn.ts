import type { Prompt } from "effect/ai"

/**
 * A result with more to it than its value. A handler may return one; `next` of a wrapper always does.
 *
 * - `value`: for the model, as the result of the tool. A wrapper sees it encoded to JSON.
 * - `content`: for the model, as user content after all results of the step.
 * - `metadata`: for the application; the model never sees it. What of it is JSON is kept in the history, in the
 *   `options["effect-toolset"].metadata` of the result. Default: none.
 * - `modelOutput`: text and files for the model in place of `value`, where its provider can send them.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { ToolReturn, Toolset } from "effect-toolset"
 *
 * const shout = Toolset.wrapper((call, next) =>
 *   Effect.map(next(call), (result) => new ToolReturn({ ...result, value: `${result.value}!` }))
 * )
 * const hello = Toolset.tool("hello", { handler: () => Effect.succeed("hello") }).pipe(shout)
 * console.log(Effect.runSync(Toolset.call(hello, "hello", {})))
 * //> hello!
 * ```
 */
export class ToolReturn<out A = unknown> {
  readonly value: A
  readonly content: ReadonlyArray<Prompt.UserMessagePart>
  readonly metadata: Readonly<Record<string, unknown>>
  readonly modelOutput: ReadonlyArray<Prompt.ToolModelOutputPart> | undefined

  constructor(fields: {
    readonly value: A
    readonly content?: ReadonlyArray<Prompt.UserMessagePart> | undefined
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    readonly modelOutput?: ReadonlyArray<Prompt.ToolModelOutputPart> | undefined
  }) {
    this.value = fields.value
    this.content = fields.content ?? []
    this.metadata = fields.metadata ?? {}
    this.modelOutput = fields.modelOutput
  }
}
