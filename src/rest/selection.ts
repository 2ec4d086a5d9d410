/** Which operations of an API become tools. */
import { Predicate, Result } from "effect"
import type { Flaw } from "../toolset/flawed.ts"
import type { Endpoint } from "./failure.ts"

/** An operation and the part of the API that it belongs to. */
export interface Grouped extends Endpoint {
  readonly group: string
}

/**
 * Groups; methods of a group; paths of a method of a group; or a predicate. Methods in any case, paths as declared. A
 * selection that names nothing selects nothing.
 */
export type Selection<O extends Grouped> =
  | ReadonlyArray<string>
  | Readonly<Record<string, ReadonlyArray<string> | Readonly<Record<string, ReadonlyArray<string>>>>>
  | ((operation: O) => boolean)

/** What both options leave: included, and then not excluded. A name that the API does not have is a flaw. */
export const selected = <O extends Grouped>(
  operations: ReadonlyArray<O>,
  include: Selection<O> | undefined,
  exclude: Selection<O> | undefined
): Result.Result<ReadonlyArray<O>, Flaw> =>
  Result.gen(function* () {
    const isIncluded = include === undefined ? undefined : yield* matching("include", include, operations)
    const isExcluded = exclude === undefined ? undefined : yield* matching("exclude", exclude, operations)
    return operations.filter(
      (operation) => (isIncluded?.(operation) ?? true) && !(isExcluded?.(operation) ?? false)
    )
  })

const matching = <O extends Grouped>(
  option: string,
  selection: Selection<O>,
  operations: ReadonlyArray<O>
): Result.Result<(operation: O) => boolean, Flaw> =>
  Predicate.isFunction(selection)
    ? Result.succeed(selection)
    : Result.map(Result.all(rulesOf(selection).map((rule) => known(option, rule, operations))), (rules) =>
        rules.length === 0
          ? () => false
          : (operation) => rules.some((rule) => rule.every(({ field, name }) => same(field, operation, name)))
      )

/** Names from the group down to the path: an operation has all of them. */
type Rule = ReadonlyArray<{ readonly field: "group" | "method" | "path"; readonly name: string }>

const rulesOf = (selection: Exclude<Selection<Grouped>, Function>): ReadonlyArray<Rule> =>
  isList(selection)
    ? selection.map((group): Rule => [{ field: "group", name: group }])
    : Object.entries(selection).flatMap(([group, methods]) =>
        isList(methods)
          ? methods.map((method): Rule => [
              { field: "group", name: group },
              { field: "method", name: method }
            ])
          : Object.entries(methods).flatMap(([method, paths]) =>
              paths.map((path): Rule => [
                { field: "group", name: group },
                { field: "method", name: method },
                { field: "path", name: path }
              ])
            )
      )

const isList = (value: unknown): value is ReadonlyArray<string> => Array.isArray(value)

const same = (field: "group" | "method" | "path", operation: Grouped, name: string): boolean =>
  field === "method" ? operation.method.toUpperCase() === name.toUpperCase() : operation[field] === name

/** Each name is one that operations have, of those that have the names before it. */
const known = (option: string, rule: Rule, operations: ReadonlyArray<Grouped>): Result.Result<Rule, Flaw> => {
  let left = operations
  for (const { field, name } of rule) {
    const found = left.filter((operation) => same(field, operation, name))
    if (found.length === 0) return Result.fail(unknown(option, rule, field, name, left))
    left = found
  }
  return Result.succeed(rule)
}

const unknown = (
  option: string,
  rule: Rule,
  field: "group" | "method" | "path",
  name: string,
  left: ReadonlyArray<Grouped>
): Flaw => {
  const above = rule
    .slice(
      0,
      rule.findIndex((part) => part.field === field)
    )
    .map((part) => `'${part.name}'`)
  const where = above.length === 0 ? "" : ` of ${above.toReversed().join(" of ")}`
  const names = [...new Set(left.map((operation) => operation[field]))].map((name) => `'${name}'`)
  const shown = names.slice(0, longest).join(", ")
  const more = names.length > longest ? ` and ${names.length - longest} more` : ""
  return {
    problem: `Its \`${option}\` names the ${field} '${name}'${where}, which the API does not have.`,
    hint: names.length === 0 ? "There are none." : `There are: ${shown}${more}.`
  }
}

/** The most names that an error lists. */
const longest = 20
