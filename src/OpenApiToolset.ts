/** Tools from somebody's OpenAPI document, 3.0 or 3.1. */
export { make } from "./openapi/make.ts"
export { report, type Remark, type Report } from "./openapi/report.ts"
export { OpenApiError } from "./openapi/OpenApiError.ts"
export type { Credential, Configured, Options } from "./openapi/options.ts"
export type { Operation } from "./openapi/operations.ts"
export type { Policy, RequestFailure } from "./rest/failure.ts"
export type { Selection } from "./rest/selection.ts"
