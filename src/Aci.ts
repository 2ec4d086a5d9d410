/** Functions of ACI.dev. */
export { type FunctionFailure, make, type Options } from "./aci/make.ts"
export { AciError, AciFunctionError } from "./aci/AciError.ts"
