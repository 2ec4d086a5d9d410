/** Toolsets that cannot be opened, for a reason that was clear when they were made. */
import { Effect } from "effect"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import type { Toolset } from "./model.ts"
import { transform } from "./transform.ts"

/** What is wrong, and what to do. */
export interface Flaw {
  readonly problem: string
  readonly hint: string
}

export const flawed = <E, R>(self: Toolset<E, R>, name: string, flaw: Flaw): Toolset<E, R> =>
  transform<E, R, E, R>(self, name, () =>
    Effect.fail(new ToolsetDefinitionError({ source: `${name}(${self.label})`, ...flaw }))
  )
