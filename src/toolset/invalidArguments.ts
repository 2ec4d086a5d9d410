import { ModelRetry } from "../ToolSignal.ts"

/** Asks the model to mend the arguments of its call. */
export const invalidArguments = (problem: string): ModelRetry =>
  new ModelRetry({ message: `Invalid arguments: ${problem}`, reason: "arguments" })
