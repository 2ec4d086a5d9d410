/** What a run has used: model requests, tool calls that succeeded, tokens in and out. */
export interface Usage {
  readonly requests: number
  readonly toolCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export const none: Usage = { requests: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 }

export const sum = (a: Usage, b: Usage): Usage => ({
  requests: a.requests + b.requests,
  toolCalls: a.toolCalls + b.toolCalls,
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens
})
