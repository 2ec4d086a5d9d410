/** What a schema says of its encoded side before any value is there, so that values need not be looked at again. */
import { Predicate, SchemaAST } from "effect"

/** Whether a value of a schema's shape has properties that the schema does not know. */
export type HasExcess = (value: unknown) => boolean

/** Nothing, where only decoding can tell: a union of objects, a recursive schema, a record. */
export const excessIn = (ast: SchemaAST.AST): HasExcess | undefined => {
  if (isPrimitive(ast)) return none
  if (SchemaAST.isUnion(ast)) return ast.types.every((one) => excessIn(one) === none) ? none : undefined
  if (SchemaAST.isArrays(ast)) {
    const [every, ...others] = [...ast.elements, ...ast.rest].map(excessIn)
    return every !== undefined && others.every((one) => one === every) ? excessInItems(every) : undefined
  }
  return SchemaAST.isObjects(ast) && ast.indexSignatures.length === 0 && ast.propertySignatures.length > 0
    ? excessInFields(ast)
    : undefined
}

const none: HasExcess = () => false

const excessInItems = (every: HasExcess): HasExcess =>
  every === none ? none : (items) => Array.isArray(items) && items.some(every)

const excessInFields = ({ propertySignatures }: SchemaAST.Objects): HasExcess | undefined => {
  const known = new Map<PropertyKey, HasExcess>()
  for (const { name, type } of propertySignatures) {
    const inside = excessIn(type)
    if (inside === undefined) return undefined
    known.set(name, inside)
  }
  return (value) => {
    if (!Predicate.isObject(value)) return false
    for (const key in value) {
      const inside = known.get(key)
      if (inside === undefined || inside(value[key])) return true
    }
    return false
  }
}

/** Whether everything that a JSON codec encodes to is JSON; a schema of anything lets pass what is not. */
export const isAlwaysJson = (ast: SchemaAST.AST): boolean =>
  isPrimitive(ast) ||
  (SchemaAST.isUnion(ast) && ast.types.every(isAlwaysJson)) ||
  (SchemaAST.isArrays(ast) && [...ast.elements, ...ast.rest].every(isAlwaysJson)) ||
  (SchemaAST.isObjects(ast) &&
    ast.propertySignatures.length + ast.indexSignatures.length > 0 &&
    [...ast.propertySignatures, ...ast.indexSignatures].every(({ type }) => isAlwaysJson(type)))

/** As JSON has them; a codec writes numbers that JSON has not as text. */
const isPrimitive = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isString(ast) ||
  SchemaAST.isNumber(ast) ||
  SchemaAST.isBoolean(ast) ||
  SchemaAST.isNull(ast) ||
  SchemaAST.isTemplateLiteral(ast) ||
  (SchemaAST.isLiteral(ast) && typeof ast.literal !== "bigint")
