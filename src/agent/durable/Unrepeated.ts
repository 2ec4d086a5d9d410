/** What calls gave that run again on every attempt. It is no part of what later model requests are known by. */
import type { Prompt } from "effect/ai"
import type { Outcome } from "../../toolset/outcome.ts"

export class Unrepeated {
  /** Calls of the step under way: models may count anew in each response. */
  readonly #calls = new Set<string>()
  readonly #content = new WeakSet<object>()

  add(toolCallId: string, outcome: Outcome): void {
    this.#calls.add(toolCallId)
    if (outcome._tag === "Returned") outcome.result.content.forEach((part) => this.#content.add(part))
  }

  readonly hasResult = (part: Prompt.ToolMessagePart): part is Prompt.ToolResultPart =>
    part.type === "tool-result" && this.#calls.has(part.id)

  readonly hasContent = (part: Prompt.UserMessagePart): boolean => this.#content.has(part)

  /** The model has been asked with what these gave. */
  readonly asked = (): void => this.#calls.clear()
}
