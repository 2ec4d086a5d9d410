/** Texts of servers, as they may be shown: without secrets, and to a model also without stacks and in bounds. */
import { readable } from "../interop/readable.ts"

export type Hide = (text: string) => string

/** What a model may read of a failure. */
export const forModel = (text: string, hide: Hide): string => readable(hide(text))
