/** Values with secrets in them, as plain data, so that a generated one shrinks and prints. */
import { Option, Schema } from "effect"
import { holderNames, holders, writerNames, writers } from "./objects.ts"

/** Secrets of every kind of character, long enough to be registered. */
const Piece = Schema.Literals([
  "a", "Z", "7", "pw", "-", "_", ".", "+", "/", "=", "%", "%25", "&", "?", "#", " ", "\"", "'", "\\", "\n", "\t", "\u0000",
  "é", "ß", "日本", "😀", "*", "**", "$", "$&", "(", "[", "\\n", "\\u0041", "<", ">", "aa", "0"
]) // prettier-ignore

export const SecretText = Schema.Struct({
  first: Schema.Literals(["a", "Q", "4", "é", "😀", "/", "+"]),
  middle: Schema.Array(Piece).check(Schema.isMinLength(5), Schema.isMaxLength(14)),
  last: Schema.Literals(["z", "9", "=", "ß", "日", "%"])
})
export const secretOf = ({ first, last, middle }: typeof SecretText.Type): string =>
  `${first}${middle.join("")}${last}`

/** How a text is written. */
const Form = Schema.Literals([
  "as it is",
  "as JSON",
  "as JSON in JSON",
  "as JSON in ASCII",
  "as a URL component",
  "as a URL",
  "as a query",
  "as base64",
  "as base64 for URLs",
  "not at all"
])

const Text = Schema.TaggedStruct("text", {
  which: Schema.Literals([0, 1]),
  form: Form,
  before: Schema.Literals(["", "x", "postgres://me:", "é ", "**", "\\"]),
  after: Schema.Literals(["", "y", "@host/db", " 日", "*", '"'])
})

const Leaf = Schema.Union([
  Text,
  Text,
  Text,
  Schema.TaggedStruct("bytes", {
    text: Text,
    as: Schema.Literals(["Uint8Array", "Buffer", "ArrayBuffer", "Uint16Array"])
  }),
  Schema.TaggedStruct("writer", { name: Schema.Literals(writerNames), text: Text }),
  Schema.TaggedStruct("other", { which: Schema.Literals([0, 1, 2, 3, 4]) })
])

export type Plan =
  | typeof Leaf.Type
  | { readonly _tag: "list" | "set"; readonly items: ReadonlyArray<Plan> }
  | { readonly _tag: "object" | "instance" | "map"; readonly entries: ReadonlyArray<Entry> }
  | { readonly _tag: "holder"; readonly name: keyof typeof holders; readonly of: Plan }
  | { readonly _tag: "error" | "opaque" | "cycle" | "getter" | "option"; readonly of: Plan }
interface Entry {
  readonly key: typeof Text.Type
  readonly value: Plan
}

const around = (inner: Schema.Codec<Plan>): Schema.Codec<Plan> => {
  const few = Schema.Array(inner).check(Schema.isMaxLength(3))
  const entries = Schema.Array(Schema.Struct({ key: Text, value: inner })).check(Schema.isMaxLength(3))
  const one = (tag: "error" | "opaque" | "cycle" | "getter" | "option") =>
    Schema.TaggedStruct(tag, { of: inner })
  return Schema.Union([
    inner,
    Schema.TaggedStruct("list", { items: few }),
    Schema.TaggedStruct("set", { items: few }),
    Schema.TaggedStruct("object", { entries }),
    Schema.TaggedStruct("instance", { entries }),
    Schema.TaggedStruct("map", { entries }),
    Schema.TaggedStruct("holder", { name: Schema.Literals(holderNames), of: inner }),
    one("error"),
    one("opaque"),
    one("cycle"),
    one("getter"),
    one("option")
  ])
}

/** Values four deep. */
export const Plan: Schema.Codec<Plan> = around(around(around(Leaf)))

/** JSON alone. */
export const JsonPlan: Schema.Codec<Plan> = (() => {
  const around = (inner: Schema.Codec<Plan>): Schema.Codec<Plan> =>
    Schema.Union([
      Text,
      Schema.TaggedStruct("list", { items: Schema.Array(inner).check(Schema.isMaxLength(3)) }),
      Schema.TaggedStruct("object", {
        entries: Schema.Array(Schema.Struct({ key: Text, value: inner })).check(Schema.isMaxLength(3))
      })
    ])
  return around(around(Text))
})()

export type Secrets = readonly [string, string]

const written = (secret: string, form: typeof Form.Type, before: string, after: string): string => {
  const buffer = () => Buffer.from(`${before}${secret}${after}`)
  const ascii = (text: string) =>
    text.replaceAll(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`
    )
  switch (form) {
    case "as it is":
      return `${before}${secret}${after}`
    case "as JSON":
      return `${before}${JSON.stringify({ a: secret })}${after}`
    case "as JSON in JSON":
      return JSON.stringify([JSON.stringify([secret])])
    case "as JSON in ASCII":
      return ascii(JSON.stringify([secret])).replaceAll("/", "\\/")
    case "as a URL component":
      return `${before}${encodeURIComponent(secret)}${after}`
    case "as a URL":
      return `${before}${encodeURI(secret)}${after}`
    case "as a query":
      return new URLSearchParams({ q: secret }).toString().toLowerCase() === ""
        ? ""
        : new URLSearchParams({ q: secret }).toString()
    case "as base64":
      return buffer().toString("base64")
    case "as base64 for URLs":
      return buffer().toString("base64url")
    case "not at all":
      return `${before}${after}`
  }
}

export const textOf = (secrets: Secrets, { after, before, form, which }: typeof Text.Type): string =>
  written(secrets[which], form, before, after)

class Instance {
  isInstance() {
    return true
  }
}

/** Shows what it holds in its text and its JSON alone. */
class Opaque {
  readonly #of: unknown
  constructor(of: unknown) {
    this.#of = of
  }
  toJSON() {
    return { of: this.#of }
  }
  toString() {
    return `Opaque ${String(this.#of)}`
  }
}

/** Computes its message. */
class Computed extends Error {
  readonly of: unknown
  constructor(of: unknown) {
    super(undefined, { cause: { of } })
    this.of = of
  }
  override get message(): string {
    return `failed with ${String(this.of)}`
  }
}

/** The value of a plan. */
export const valueOf = (secrets: Secrets, plan: Plan): unknown => {
  const value = (plan: Plan) => valueOf(secrets, plan)
  switch (plan._tag) {
    case "text":
      return textOf(secrets, plan)
    case "bytes": {
      const bytes = Buffer.from(textOf(secrets, plan.text))
      const even = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)])
      return {
        Uint8Array: () => new Uint8Array(bytes),
        Buffer: () => bytes,
        ArrayBuffer: () => new Uint8Array(bytes).buffer,
        Uint16Array: () => new Uint16Array(new Uint8Array(even).buffer)
      }[plan.as]()
    }
    case "holder":
      return holders[plan.name](value(plan.of))
    case "writer":
      return writers[plan.name](textOf(secrets, plan.text))
    case "other":
      return [null, 5, true, undefined, new Date(0)][plan.which]
    case "list":
      return plan.items.map(value)
    case "set":
      return new Set(plan.items.map(value))
    case "object":
      return Object.fromEntries(plan.entries.map((entry) => [textOf(secrets, entry.key), value(entry.value)]))
    case "instance": {
      const instance = new Instance()
      for (const entry of plan.entries) {
        Object.defineProperty(instance, textOf(secrets, entry.key), {
          value: value(entry.value),
          configurable: true
        })
      }
      return instance
    }
    case "map":
      return new Map(plan.entries.map((entry) => [textOf(secrets, entry.key), value(entry.value)]))
    case "error":
      return new Computed(value(plan.of))
    case "opaque":
      return new Opaque(value(plan.of))
    case "cycle": {
      const cycle: Record<string, unknown> = { of: value(plan.of) }
      cycle.self = [cycle]
      return cycle
    }
    case "getter": {
      const of = value(plan.of)
      return Object.defineProperty({}, "of", { get: () => of, enumerable: true })
    }
    case "option":
      return Option.some(value(plan.of))
  }
}
