/** Tools from an `HttpApi`: the endpoints that carry `ToolMeta`, and no others. */
export { ToolMeta } from "./httpapi/ToolMeta.ts"
export { make } from "./httpapi/make.ts"
export { report, type Report } from "./httpapi/report.ts"
export type { Endpoint, Options } from "./httpapi/options.ts"
export type { Skipped } from "./httpapi/tools.ts"
export type { Selection } from "./rest/selection.ts"
export type { Policy, RequestFailure } from "./rest/failure.ts"
