/** The operations of a document, before anything is judged. */
import { Predicate, Result } from "effect"
import {
  below,
  type Document,
  each,
  type Fault,
  faultAt,
  isFields,
  items,
  type Place,
  textAt
} from "./place.ts"

/** An operation of a document, as predicates and reports see it. */
export interface Operation {
  readonly operationId: string | undefined
  /** In upper case. */
  readonly method: string
  /** As the document writes it: `/users/{id}`. */
  readonly path: string
  readonly tags: ReadonlyArray<string>
  /** The first tag, else the first literal segment of the path. */
  readonly group: string
  readonly deprecated: boolean
}

/** An operation, and where it stands. */
export interface Located {
  readonly operation: Operation
  readonly place: Place
  readonly pathItem: Place
}

export interface Operations {
  readonly located: ReadonlyArray<Located>
  /** What is none, and why. */
  readonly broken: ReadonlyArray<readonly [Operation, Fault]>
}

/** Those that a path item may have. */
export const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

export const operationsOf = (document: Document): Operations => {
  const located: Array<Located> = []
  const broken: Array<readonly [Operation, Fault]> = []
  for (const [path, given] of each(below(document.root, "paths"))) {
    if (path.startsWith("x-")) continue
    if (!path.startsWith("/")) {
      // Behind a server's URL it would be a part of the host.
      broken.push([operationAt("*", path, given), faultAt(given, "its path does not begin with /")])
      continue
    }
    const pathItem = objectAt(document, given, "the path item")
    if (Result.isFailure(pathItem)) {
      broken.push([operationAt("*", path, given), pathItem.failure])
      continue
    }
    for (const method of methods) {
      const declared = below(pathItem.success, method)
      if (declared.value === undefined) continue
      const place = objectAt(document, declared, "the operation")
      if (Result.isFailure(place)) broken.push([operationAt(method, path, declared), place.failure])
      else
        located.push({
          operation: operationAt(method, path, place.success),
          place: place.success,
          pathItem: pathItem.success
        })
    }
  }
  return { located, broken }
}

/** The object that stands at a place, or that a reference there leads to. */
export const objectAt = (document: Document, place: Place, what: string): Result.Result<Place, Fault> =>
  Result.flatMap(document.followed(place), (found) =>
    isFields(found.value) ? Result.succeed(found) : Result.fail(faultAt(found, `${what} is no object`))
  )

const operationAt = (method: string, path: string, place: Place): Operation => {
  const tags = items(below(place, "tags"))
    .map(({ value }) => value)
    .filter(Predicate.isString)
  return {
    operationId: textAt(place, "operationId"),
    method: method.toUpperCase(),
    path,
    tags,
    group: tags[0] ?? firstLiteral(path),
    deprecated: below(place, "deprecated").value === true
  }
}

const firstLiteral = (path: string): string =>
  path.split(/[/?#]/).find((segment) => segment !== "" && !segment.includes("{")) ?? "root"

/** What the model is told of an operation, no longer than providers take. */
export const descriptionOf = ({ operation, place }: Located): string => {
  const summary = textAt(place, "summary")?.trim() ?? ""
  const description = textAt(place, "description")?.trim() ?? ""
  const parts = description.startsWith(summary) ? [description] : [summary, description]
  const text = parts.filter((part) => part !== "").join("\n\n")
  return cut(text === "" ? `${operation.method} ${operation.path}` : text)
}

const maxLength = 1024

/** Never through the middle of a character. */
const cut = (text: string): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`
