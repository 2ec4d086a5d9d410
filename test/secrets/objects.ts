/** Objects that hold a value, or a text, where it is not looked for first. */

/** Each holds a value. */
export const holders = {
  "a function": (of: unknown) => Object.assign(() => 1, { of }),
  "a class": (of: unknown) =>
    Object.assign(
      class Holder {
        readonly at = 1
      },
      { of }
    ),
  "a list with a name": (of: unknown) => Object.assign([1, 2], { of }),
  "a list with holes": (of: unknown) => {
    const list: Array<unknown> = []
    list[3] = of
    return list
  },
  "a subclass of Map": (of: unknown) => {
    class Registry extends Map<string, unknown> {
      readonly extra = of
    }
    return new Registry([["a", 1]])
  },
  "a subclass of Set": (of: unknown) => Object.assign(new (class Bag extends Set<unknown> {})(), { of }),
  "a subclass of an array": (of: unknown) => class List extends Array<unknown> {}.of(of, 1),
  "bytes with a name": (of: unknown) => Object.assign(new Uint8Array(3), { of }),
  "a field by symbol": (of: unknown) => ({ [Symbol.for("of")]: of }),
  "a prototype": (of: unknown) => Object.create({ of }) as object,
  "a private field with a getter": (of: unknown) =>
    new (class Private {
      readonly #of = of
      get of() {
        return this.#of
      }
    })(),
  "a private field with an iterator": (of: unknown) =>
    new (class Bag {
      readonly #items = [of];
      [Symbol.iterator]() {
        return this.#items.values()
      }
    })(),
  "a weak reference": (of: unknown) =>
    new WeakRef(typeof of === "object" && of !== null ? (kept.push(of), of) : keep({ of })),
  "an error with a cause": (of: unknown) => new Error("failed", { cause: of })
} satisfies Readonly<Record<string, (of: unknown) => object>>

/** What only weak references hold would be gone. */
const kept: Array<object> = []
const keep = <A extends object>(value: A): A => {
  kept.push(value)
  return value
}

/** Each holds a text. */
export const writers = {
  Headers: (text: string) => new Headers({ authorization: latin(text) }),
  URLSearchParams: (text: string) => new URLSearchParams({ token: text }),
  FormData: (text: string) => {
    const form = new FormData()
    form.append("token", text)
    return form
  },
  "the URL of a Request": (text: string) => new Request(`https://host/${encodeURIComponent(text)}`),
  "the headers of a Request": (text: string) =>
    new Request("https://host/", { headers: { authorization: latin(text) } }),
  "the headers of a Response": (text: string) =>
    new Response(null, { headers: { "set-cookie": latin(text) } }),
  URL: (text: string) => new URL(`https://host/?q=${encodeURIComponent(text)}`),
  "a File": (text: string) => new File([], text),
  "a symbol": (text: string) => Symbol(text),
  "a key that is a symbol": (text: string) => ({ [Symbol(text)]: 1 }),
  "a RegExp": (text: string) => new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")),
  "a String": (text: string) => Object(text) as object,
  "a private field with a value": (text: string) =>
    new (class Boxed {
      readonly #text = text
      valueOf() {
        return this.#text
      }
    })(),
  "the name of a function": (text: string) => ({ [text]: () => 1 })[text]!
} satisfies Readonly<Record<string, (text: string) => object | symbol>>

/** A header takes no others. */
const latin = (text: string): string => (/^[!-~]+$/.test(text) ? text : encodeURIComponent(text))

export const holderNames = Object.keys(holders) as ReadonlyArray<keyof typeof holders>
export const writerNames = Object.keys(writers) as ReadonlyArray<keyof typeof writers>
