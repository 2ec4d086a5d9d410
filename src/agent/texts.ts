/** What the model reads from the loop itself. */

export const finalResultProcessed = "Final result processed."
export const outputNotUsed = "Output tool not used - a final result was already processed."
export const outputProcessedUnused =
  "Output tool processed, but its value will not be the final result of the agent run."
export const outputWithdrawn =
  "Output not used as the final result - addressing tool retries from this round first."
export const toolNotExecuted = "Tool not executed - a final result was already processed."
export const interrupted = "The run ended before this call had a result."
export const limitReached = "Not executed: the limit of this run is reached."
export const answerNow =
  "The limit of this run is reached: no more tools can be called. Give the final answer with what you have."

/** What a response that says nothing is told. */
export const sayAnything = (can: {
  readonly text: boolean
  readonly tools: boolean
  readonly output: boolean
}): string => {
  if (!can.text) return "Please include your response in a tool call."
  if (can.output) return "Please return text or include your response in a tool call."
  return can.tools ? "Please return text or call a tool." : "Please return text."
}
