import { ModelRetry, ToolFailed } from "../ToolSignal.ts"
import type { Offer } from "./collect.ts"

/** What the model is told about a name that is not offered. One that has to be found first costs no retry. */
export const notOffered = (offer: Offer<unknown>, name: string): ModelRetry | ToolFailed =>
  offer.hidden.has(name)
    ? new ToolFailed({
        message: `Tool '${name}' is not available yet: search for it first, then call it again once you've seen its schema.`
      })
    : unknownTool(offer, name)

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
