import { ToolReturn } from "../ToolReturn.ts"
import { isPlain } from "../secrets/reading.ts"

/** A result that nobody can change for anybody else. What has a class of its own (a client, a date) is shared. */
export const copied = ({ content, metadata, modelOutput, value }: ToolReturn): ToolReturn =>
  new ToolReturn(copyOf({ content, metadata, modelOutput, value }, new Map()) as ToolReturn)

/** A part of content: its prototype has no state. */
const isPart = (value: object): boolean => "~effect/ai/Prompt/Part" in value

const bytesLike = (view: ArrayBufferView): object => {
  const bytes = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)
  const Kind = viewKinds.find((Kind) => view instanceof Kind) ?? Uint8Array
  return Object.setPrototypeOf(Reflect.construct(Kind, [bytes]), Object.getPrototypeOf(view))
}

const viewKinds = [
  DataView,
  Int8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array
]

const copyOf = (value: unknown, known: Map<object, unknown>): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (known.has(value)) return known.get(value)
  const add = <A>(copy: A): A => {
    known.set(value, copy)
    return copy
  }
  if (Array.isArray(value)) {
    const copy = add<Array<unknown>>([])
    for (const item of value) copy.push(copyOf(item, known))
    return copy
  }
  if (value instanceof Map) {
    const copy = add(new Map<unknown, unknown>())
    for (const [key, item] of value) copy.set(copyOf(key, known), copyOf(item, known))
    return copy
  }
  if (value instanceof Set) {
    const copy = add(new Set<unknown>())
    for (const item of value) copy.add(copyOf(item, known))
    return copy
  }
  if (value instanceof Date) return add(new Date(value))
  if (value instanceof ArrayBuffer) return add(value.slice(0))
  if (ArrayBuffer.isView(value)) return add(bytesLike(value))
  if (!isPlain(value) && !isPart(value)) return value
  const copy: object = add(Object.create(Object.getPrototypeOf(value)))
  for (const key of Reflect.ownKeys(value)) {
    const field = Object.getOwnPropertyDescriptor(value, key)!
    Object.defineProperty(
      copy,
      key,
      "value" in field ? { ...field, value: copyOf(field.value, known) } : field
    )
  }
  return copy
}
