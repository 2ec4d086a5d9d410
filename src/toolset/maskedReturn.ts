import type { Mask } from "../secrets/mask.ts"
import { ToolReturn } from "../ToolReturn.ts"

/** A whole result without secrets; the same one, where there are none in it. */
export const maskedReturn = (mask: Mask, result: ToolReturn): ToolReturn => {
  const { content, metadata, modelOutput, value } = result
  const next = { content, metadata, modelOutput, value }
  const masked = mask(next) as typeof next
  return masked === next ? result : new ToolReturn(masked)
}
