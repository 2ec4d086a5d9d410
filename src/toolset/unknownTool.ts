import { ModelRetry } from "../ToolSignal.ts"
import type { Offer } from "./collect.ts"

/** Asks the model for a name that there is; names only what is offered. */
export const unknownTool = (offer: Offer<unknown>, name: string): ModelRetry => {
  const names = offer.tools.map((tool) => `'${tool.definition.name}'`).toSorted()
  const more = names.length - listedNames
  const available = more > 0 ? `${names.slice(0, listedNames).join(", ")} and ${more} more` : names.join(", ")
  const hint = names.length === 0 ? "No tools available." : `Available tools: ${available}`
  return new ModelRetry({ message: `Unknown tool name: '${name}'. ${hint}`, reason: "unknown-tool" })
}

/** More would cost the model more than they help it. */
const listedNames = 50
