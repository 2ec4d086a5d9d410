import { Effect } from "effect"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import type { ToolDefinition } from "../ToolDefinition.ts"
import type { ToolsetDefinitionError } from "../ToolsetError.ts"
import type { Options } from "./options.ts"
import { type Skipped, toolsOf } from "./tools.ts"

/** The endpoints of an API: each one is a tool, or is skipped for a reason. */
export interface Report {
  readonly tools: ReadonlyArray<ToolDefinition>
  readonly skipped: ReadonlyArray<Skipped>
}

/**
 * What `make` takes and what it leaves out, and why; with the same options it fails with the same errors.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
 * import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
 *
 * const File = Schema.Struct({ file: Schema.String }).pipe(HttpApiSchema.asMultipart())
 * const upload = HttpApiEndpoint.post("upload", "/files", { payload: File })
 * const api = HttpApi.make("drive").add(HttpApiGroup.make("files").add(upload)).annotate(HttpApiToolset.ToolMeta, {})
 *
 * const { skipped } = Effect.runSync(HttpApiToolset.report(api))
 * console.log(skipped.map(({ method, path, reason }) => `${method} ${path}: ${reason}`))
 * //> [ 'POST /files: its request body is multipart/form-data' ]
 * ```
 */
export const report = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  options: Options = {}
): Effect.Effect<Report, ToolsetDefinitionError> =>
  Effect.suspend(() =>
    Effect.map(Effect.fromResult(toolsOf(api, options)), ({ skipped, tools }) => ({
      tools: tools.map(({ definition }) => definition),
      skipped
    }))
  )
