/** Tools of LangChain.js, of which a test says only what it is about. */
import { tool } from "@langchain/core/tools"
import { Toolset } from "effect-toolset"
import * as LangChain from "effect-toolset/LangChain"
import * as z from "zod"

/** A tool that takes nothing. */
export const named = (name: string) => tool(async () => name, { name, schema: z.object({}) })

/** One tool, `t`, which takes what it is given where no schema says otherwise. */
export const only = <Mode extends Toolset.OnError | undefined = "retry">(
  run: (input: any, config: any) => unknown,
  fields: object = {},
  options?: LangChain.FromToolsOptions<Mode>
) => LangChain.fromTools([tool(run, { name: "t", schema: { type: "object" }, ...fields } as never)], options)

export const call = (run: (input: any, config: any) => unknown, args: unknown = {}, fields: object = {}) =>
  Toolset.call(only(run, fields), "t", args)
