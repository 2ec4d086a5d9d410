import type { ToolRunnableConfig } from "@langchain/core/tools"

/**
 * What is used of a tool of LangChain.js: made by `tool(…)`, a subclass of `StructuredTool`, or a runnable's `asTool`. One
 * that cannot be invoked only describes a tool that runs elsewhere.
 */
export interface LangChainTool {
  readonly name: string
  readonly description?: string | undefined
  readonly schema: unknown
  readonly returnDirect?: boolean | undefined
  readonly responseFormat?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly tags?: ReadonlyArray<string> | undefined
  readonly extras?: Readonly<Record<string, unknown>> | undefined
  // `any`: what it takes is in its schema, and not in its type.
  invoke?(input: any, config?: any): Promise<unknown>
}

/** A toolkit, which may give other tools each time it is asked. */
export interface LangChainToolkit {
  getTools(): ReadonlyArray<LangChainTool>
}

/** What tools are told besides their arguments. */
export type LangChainConfig = Pick<ToolRunnableConfig, "configurable" | "context" | "metadata" | "tags">
