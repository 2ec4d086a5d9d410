/** Calls of the tools of the API, against a server of it. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { api, baseUrl, type Line, serving } from "./api.ts"

/** Calls one tool and gives what it returned, or what the model reads instead. */
export const calling = (options: HttpApiToolset.Options = {}) =>
  Effect.map(baseUrl, (baseUrl) => {
    const toolset = HttpApiToolset.make(api, { baseUrl, ...options })
    return (name: string, args: unknown) =>
      Effect.match(Toolset.call(toolset, name, args), { onSuccess: (value) => value, onFailure: String })
  })

/** Runs with a server of its own. */
export const served = <A, E>(name: string, test: (seen: ReadonlyArray<Line>) => Effect.Effect<A, E, any>) => {
  it.live(name, () => {
    const seen: Array<Line> = []
    return test(seen).pipe(Effect.provide(serving(seen)) as never) as Effect.Effect<A, E>
  })
}
