/** What is wrong with a document, to somebody who gives flags and not options. */
import { Effect } from "effect"
import { OpenApiError } from "../openapi/OpenApiError.ts"
import type { ToolsetDefinitionError } from "../ToolsetError.ts"
import { CommandFailed } from "./CommandFailed.ts"

const flagOf: Readonly<Record<string, string>> = {
  baseUrl: "--base-url",
  headerParams: "--header-param",
  headers: "--header",
  security: "--token"
}

/** A text about options, with the flags that they are. */
export const worded = (text: string): string =>
  text
    .replaceAll(/`(\w+)`/g, (whole, option: string) => flagOf[option] ?? whole)
    .replaceAll("Toolset.renamed", "--rename")

/** What a document in a file fails with, as what ends the command. */
export const inFlags = <A, R>(
  file: string,
  effect: Effect.Effect<A, OpenApiError | ToolsetDefinitionError, R>
): Effect.Effect<A, CommandFailed, R> =>
  Effect.mapError(effect, (error) => {
    const where = error instanceof OpenApiError ? ` (at ${error.pointer}).` : ""
    return new CommandFailed({
      problem: `${file}: ${worded(error.problem)}${where}`,
      hint: worded(error.hint)
    })
  })
