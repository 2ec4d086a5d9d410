/** The parameters of a path, as effect's own client finds them. */
import { type Schema, SchemaAST } from "effect"
import { withoutPatterns } from "./naming.ts"
import type { Reflected } from "./reflected.ts"

export interface PathParameter {
  readonly name: string
  readonly isOptional: boolean
}

/** Where an endpoint declares its parameters, a colon before any other name is text: `/jobs/:id:cancel`. */
export const pathParameters = ({ declaration, path }: Reflected): ReadonlyArray<PathParameter> => {
  const declared = declaration.params === undefined ? undefined : declaredNames(declaration.params)
  return Array.from(withoutPatterns(path).matchAll(/::|:(\w+)(\?)?/g)).flatMap(([, name, mark]) =>
    name === undefined || declared?.has(name) === false ? [] : [{ name, isOptional: mark !== undefined }]
  )
}

/** Names on the wire; nothing, where there may be any. */
const declaredNames = (params: Schema.Top): ReadonlySet<string> | undefined => {
  const encoded = SchemaAST.toEncoded(params.ast)
  return SchemaAST.isObjects(encoded) && encoded.indexSignatures.length === 0
    ? new Set(encoded.propertySignatures.map(({ name }) => String(name)))
    : undefined
}

/** Why no client can fill in a path, if none can. */
export const pathFlaw = (endpoint: Reflected): string | undefined => {
  if (withoutPatterns(endpoint.path).includes("*"))
    return "its path has a wildcard, which a client cannot fill in"
  const names = pathParameters(endpoint).map(({ name }) => name)
  const [first] = names
  if (first !== undefined && endpoint.declaration.params === undefined) {
    return `its path has ':${first}', and it declares no \`params\``
  }
  const twice = names.find((name, i) => names.indexOf(name) < i)
  return twice === undefined ? undefined : `its path has ':${twice}' more than once`
}
