/** Which tools an API has under some options, and why the other endpoints are none. */
import { Result } from "effect"
import { selected } from "../rest/selection.ts"
import { truncationFlaw } from "../rest/truncated.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import type { Flaw } from "../toolset/flawed.ts"
import { retriesFlaw } from "../toolset/withMaxRetries.ts"
import { type Compiled, compiled } from "./compiled.ts"
import type { Endpoint, Options } from "./options.ts"
import { type AnyApi, type Reflected, reflected } from "./reflected.ts"

/** An endpoint that is no tool, and why. */
export interface Skipped extends Endpoint {
  readonly reason: string
}

export interface Tools {
  readonly tools: ReadonlyArray<Compiled>
  readonly skipped: ReadonlyArray<Skipped>
  /** Those among them that say themselves that they are tools. */
  readonly chosen: ReadonlyArray<Skipped>
}

/** `http-api-example` */
export const idOf = (api: AnyApi, { id }: Options): string => id ?? `http-api-${api.identifier}`

export const toolsOf = (api: AnyApi, options: Options): Result.Result<Tools, ToolsetDefinitionError> =>
  Result.mapError(
    Result.gen(function* () {
      const all = reflected(api)
      const meant = new Set(yield* selected(all, options.include, options.exclude))
      const tools: Array<Compiled> = []
      const skipped: Array<Skipped> = []
      const chosen: Array<Skipped> = []
      for (const endpoint of all) {
        if (endpoint.meta === undefined || !meant.has(endpoint)) {
          const reason = endpoint.meta === undefined ? "it carries no ToolMeta" : "the options leave it out"
          skipped.push({ ...named(endpoint), reason })
          continue
        }
        const flaw = truncationFlaw(endpoint.meta)
        if (flaw !== undefined)
          return yield* Result.fail({ ...flaw, problem: `${endpointText(endpoint)}: ${flaw.problem}` })
        const result = compiled(api, endpoint, options)
        if (Result.isSuccess(result)) tools.push(result.success)
        else if ("clashing" in result.failure)
          return yield* Result.fail(clash(endpoint, result.failure.clashing))
        else {
          const left = { ...named(endpoint), reason: result.failure.reason }
          skipped.push(left)
          if (endpoint.isChosen) chosen.push(left)
        }
      }
      const flaw = optionsFlaw(options) ?? collision(tools)
      return flaw === undefined ? { tools, skipped, chosen } : yield* Result.fail(flaw)
    }),
    (flaw: Flaw) => new ToolsetDefinitionError({ source: idOf(api, options), ...flaw })
  )

const named = ({ endpoint, group, method, path }: Reflected): Endpoint => ({ group, endpoint, method, path })

/** `GET /users (users.all)` */
export const endpointText = ({ endpoint, group, method, path }: Endpoint): string =>
  `${method} ${path} (${group}.${endpoint})`

const optionsFlaw = (options: Options): Flaw | undefined =>
  truncationFlaw(options) ?? (options.maxRetries === undefined ? undefined : retriesFlaw(options.maxRetries))

const clash = (endpoint: Reflected, names: ReadonlyArray<string>): Flaw => ({
  problem: `${endpointText(endpoint)} has more than one ${names.map((name) => `'${name}'`).join(", ")} among its arguments.`,
  hint: "Leave `flat` away, so that the parts of a request keep them apart."
})

const collision = (tools: ReadonlyArray<Compiled>): Flaw | undefined => {
  const names = tools.map(({ definition }) => definition.name)
  const name = names.find((name, i) => names.indexOf(name) < i)
  if (name === undefined) return undefined
  const same = tools.filter(({ definition }) => definition.name === name)
  return {
    problem: `${same.map(({ endpoint }) => endpointText(endpoint)).join(" and ")} are all called '${name}'.`,
    hint: "Give them different names with `ToolMeta`, or leave all but one out with `exclude`."
  }
}
