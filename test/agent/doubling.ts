/** A tool that somebody says yes to, and a model that calls it. */
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { x } from "./deferring.ts"

const { calls, text } = ScriptedModel

/** A model that calls `t` with these arguments, ids counting from 1, and then is done, twice. */
export const callingT = (...args: ReadonlyArray<unknown>) =>
  ScriptedModel.layer([
    calls(args.map((args, i) => ({ name: "t", args, id: `${i + 1}` }))),
    text("Done."),
    text("Done again.")
  ])

/** A tool that doubles, and remembers what it was asked to. */
export const doubling = (ran: Array<number>, options?: { readonly maxRetries?: number }) =>
  Toolset.tool("t", {
    ...options,
    parameters: x,
    handler: ({ x }) => Effect.sync(() => (ran.push(x), x * 2))
  })
