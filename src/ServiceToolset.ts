/** The methods of a service, or of any client object, as tools. */
export { make } from "./service/make.ts"
export { MethodFailed } from "./service/MethodFailed.ts"
export type { Checked, Methods, MethodErrors, MethodServices, ServiceOf } from "./service/methods.ts"
