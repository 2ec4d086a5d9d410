import { assert, describe, it } from "@effect/vitest"
import { Effect, Equal, Option, Redacted, Schema } from "effect"
import { Prompt } from "effect/ai"
import { Secrets, SecretTooShort } from "effect-toolset"
import { leaks } from "./leaking.ts"
import { Plan, secretOf, SecretText, valueOf } from "./plans.ts"

const secret = "pw-91c3"

const masking = (...secrets: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { mask } = yield* Secrets
    return mask as (value: unknown) => any
  }).pipe(Effect.provide(Secrets.layer(...secrets.map((value) => Redacted.make(value)))))

describe("a secret in a text", () => {
  it.effect("is ***, each time (F1)", () =>
    Effect.gen(function* () {
      const mask = yield* masking(secret)
      assert.strictEqual(mask("password is pw-91c3, I repeat: pw-91c3!"), "password is ***, I repeat: ***!")
      assert.strictEqual(mask("pw-91c4 PW-91C3 pw-91c"), "pw-91c4 PW-91C3 pw-91c")
    })
  )

  it.effect("is found as JSON, URLs and base64 write it", () =>
    Effect.gen(function* () {
      const odd = `p"a\\s/s wörd+1\n`
      const mask = yield* masking(odd)
      const forms = [
        JSON.stringify(odd),
        JSON.stringify(JSON.stringify(odd)),
        JSON.stringify(odd).replaceAll("/", "\\/").replaceAll("ö", "\\u00F6"),
        encodeURIComponent(odd),
        encodeURIComponent(encodeURIComponent(odd)),
        encodeURIComponent(odd).toLowerCase(),
        new URLSearchParams({ odd }).toString(),
        ...["", "a", "ab", "abc"].flatMap((before) => [
          Buffer.from(`${before}${odd}after`).toString("base64"),
          Buffer.from(`${before}${odd}`).toString("base64url"),
          encodeURIComponent(Buffer.from(`${before}${odd}`).toString("base64"))
        ])
      ]
      for (const form of forms) {
        assert.include(mask(`: ${form}`), "***", form)
        for (const shown of [mask(form), mask(`: ${form}`)])
          assert.deepStrictEqual(leaks(shown, [odd]), [], form)
      }
    })
  )

  it.effect("is found in the header of basic authentication", () =>
    Effect.gen(function* () {
      const mask = yield* masking(secret)
      assert.strictEqual(mask(`Basic ${btoa("user:pw-91c3")}`), "Basic ***")
    })
  )

  it.effect("is hidden in a file that is base64, which stays one; and where it was escaped before", () =>
    Effect.gen(function* () {
      const mask = yield* masking(`pw"91c3`)
      const file = JSON.stringify({ token: `pw"91c3`, rest: "é" })
      const masked = Buffer.from(mask(Buffer.from(file).toString("base64")), "base64").toString()
      assert.strictEqual(masked, `{"token":"***","rest":"é"}`)
      assert.strictEqual(
        mask(`data:text/plain;base64,${Buffer.from(file).toString("base64")}`),
        "data:text/plain;base64,***"
      )
    })
  )

  it.effect("is hidden whole where it overlaps another one", () =>
    Effect.gen(function* () {
      const mask = yield* masking("secret-1", "secret-12", "12-other")
      assert.strictEqual(mask("secret-12 secret-1 secret-12-other"), "*** *** ***")
    })
  )

  it.effect("is hidden also where hiding another one makes it", () =>
    Effect.gen(function* () {
      const mask = yield* masking("ab***cd", "secret-1", "******")
      assert.strictEqual(mask("absecret-1cd"), "***")
      assert.strictEqual(mask("secret-1secret-1"), "***")
    })
  )

  it.effect("is a value, and not a pattern", () =>
    Effect.gen(function* () {
      const mask = yield* masking("a.c(d)+[e]*$")
      assert.strictEqual(mask("abc(d)+[e]*$ a.c(d)+[e]*$"), "abc(d)+[e]*$ ***")
    })
  )
})

describe("a secret in a value", () => {
  it.effect("is hidden at any depth (F2)", () =>
    Effect.gen(function* () {
      const mask = yield* masking(secret)
      let deep: unknown = secret
      for (let i = 0; i < 20_000; i++) deep = i % 2 === 0 ? { deep } : [deep]
      let found = mask(deep)
      for (let i = 0; i < 20_000; i++) found = i % 2 === 0 ? found[0] : found.deep
      assert.strictEqual(found, "***")
    })
  )

  it.effect("is hidden in keys, and two of them are one (F4)", () =>
    Effect.gen(function* () {
      const mask = yield* masking(secret, "other-1")
      assert.deepStrictEqual(mask({ [secret]: 1 }), { "***": 1 })
      assert.deepStrictEqual(mask({ [secret]: 1, "other-1": 2 }), { "***": 2 })
      assert.deepStrictEqual(mask(new Map([[secret, { a: secret }]])), new Map([["***", { a: "***" }]]))
      assert.deepStrictEqual(mask(new Set([secret, 1])), new Set(["***", 1]))
    })
  )

  it.effect("is not what only looks like one (F5)", () =>
    Effect.gen(function* () {
      const mask = yield* masking(secret)
      const value = { password_policy: "rotate", api_key_count: 3, authorization: { type: "oauth" } }
      assert.strictEqual(mask(value), value)
    })
  )

  it.effect("leaves what has none as it is: numbers, flags, nothing, files (F6, F7)", () =>
    Effect.gen(function* () {
      const mask = yield* masking(secret)
      const image = Prompt.makePart("file", { mediaType: "image/png", data: new Uint8Array([1, 2, 3]) })
      const instance = new (class Client {
        readonly on = () => secret
      })()
      for (const value of [
        42,
        3.5,
        true,
        null,
        undefined,
        10n,
        image,
        new Date(0),
        instance,
        Redacted.make(secret)
      ]) {
        assert.strictEqual(mask(value), value)
      }
      const mixed = mask({ image, text: secret })
      assert.strictEqual(mixed.image, image)
      assert.strictEqual(mixed.text, "***")
    })
  )

  it.effect("is hidden in numbers, since they are text to a model", () =>
    Effect.gen(function* () {
      const mask = yield* masking("123456")
      assert.deepStrictEqual(mask([123456, 91234567n, 1234, -123456.5]), ["***", "***", 1234, "***"])
    })
  )

  it.effect("is hidden in bytes, which stay bytes of their kind (F6)", () =>
    Effect.gen(function* () {
      const mask = yield* masking(secret, "wörd-日本")
      const bytes = (text: string) => new TextEncoder().encode(text)
      assert.deepStrictEqual(mask(bytes("x pw-91c3 ÿ")), bytes("x *** ÿ"))
      assert.deepStrictEqual(mask(bytes("wörd-日本")), bytes("***"))
      assert.deepStrictEqual(mask(Buffer.from(`[${secret}]`)), Buffer.from("[***]"))
      assert.deepStrictEqual(mask(bytes(secret).buffer), bytes("***").buffer)
      assert.deepStrictEqual(mask(bytes(`x ${btoa(`me:${secret}`)}`)), bytes("x bWU6***"))
      const none = new Uint8Array([255, 0, 254])
      assert.strictEqual(mask(none), none)
    })
  )

  it.effect("is hidden in what contains itself, which goes on doing so", () =>
    Effect.gen(function* () {
      const mask = yield* masking(secret)
      const cycle: any = { list: [secret], map: new Map() }
      cycle.self = cycle
      cycle.map.set("self", cycle)
      const masked = mask(cycle)
      assert.strictEqual(masked.self, masked)
      assert.strictEqual(masked.map.get("self"), masked)
      assert.deepStrictEqual(masked.list, ["***"])
      assert.deepStrictEqual(cycle.list, [secret])
    })
  )

  it.effect("is hidden in instances, which stay of their class", () =>
    Effect.gen(function* () {
      class Token extends Schema.Class<Token>("Token")({ value: Schema.String }) {
        get shown() {
          return `<${this.value}>`
        }
      }
      const mask = yield* masking(secret)
      const masked = mask(new Token({ value: secret }))
      assert.instanceOf(masked, Token)
      assert.strictEqual(masked.shown, "<***>")
      assert.isTrue(Equal.equals(mask(Option.some(secret)), Option.some("***")))
    })
  )

  it.effect("is hidden in what only has a text or JSON (F10)", () =>
    Effect.gen(function* () {
      class Closed {
        readonly #token = secret
        toString() {
          return `token ${this.#token}`
        }
      }
      class Json {
        readonly #token = secret
        toJSON() {
          return { token: this.#token }
        }
      }
      const mask = yield* masking(secret)
      assert.deepStrictEqual(mask([new Closed(), new Json(), new URL(`https://me:${secret}@host/`)]), [
        "token ***",
        { token: "***" },
        "https://me:***@host/"
      ])
    })
  )
})

describe("registering", () => {
  it.effect("refuses what is too short, and does not repeat it", () =>
    Effect.gen(function* () {
      for (const short of ["", "12345", "   a   ", "abc\n\n\n"]) {
        const error = yield* Effect.flip(masking(short))
        assert.instanceOf(error, SecretTooShort)
        assert.notInclude(error.message, "12345")
      }
      const labelled = Effect.gen(function* () {
        const { register } = yield* Secrets
        yield* register(Redacted.make("12345", { label: "PIN" }))
      })
      const error = yield* Effect.flip(labelled.pipe(Effect.provide(Secrets.layer())))
      assert.strictEqual(
        error.message,
        "The secret 'PIN' of 5 characters cannot be masked: it would hide ordinary text, too. " +
          "Secrets have at least 6 characters."
      )
    })
  )

  it.effect("hides a value with and without the white space around it", () =>
    Effect.gen(function* () {
      const mask = yield* masking("from-a-file\n")
      assert.strictEqual(mask("x from-a-file y"), "x *** y")
      assert.strictEqual(mask("x from-a-file\ny"), "x ***y")
    })
  )

  it.effect("holds for what is masked from then on", () =>
    Effect.gen(function* () {
      const { isEmpty, mask, register } = yield* Secrets
      assert.strictEqual(mask(secret), secret)
      assert.isTrue(isEmpty())
      yield* register(Redacted.make(secret))
      assert.strictEqual(mask(secret), "***")
      assert.isFalse(isEmpty())
    }).pipe(Effect.provide(Secrets.layer()))
  )
})

describe("for any secrets and any value", () => {
  it.effect.prop(
    "nothing of a masked value shows one, and masking again changes nothing",
    { one: SecretText, other: SecretText, plan: Plan },
    ({ one, other, plan }) =>
      Effect.gen(function* () {
        const secrets = [secretOf(one), secretOf(other)] as const
        const mask = yield* masking(...secrets)
        const value = valueOf(secrets, plan)
        const masked = mask(value)
        assert.deepStrictEqual(leaks(masked, secrets), [])
        if (leaks(value, secrets).length > 0) assert.notStrictEqual(masked, value)
        assert.strictEqual(mask(masked), masked)
      }),
    { arbitrary: { runs: 400, seed: process.env.LAWS_SEED ?? "secrets" }, timeout: 60_000 }
  )

  it.effect.prop(
    "a value without one is the same value",
    { one: SecretText, plan: Plan },
    ({ one, plan }) =>
      Effect.gen(function* () {
        const mask = yield* masking(`${secretOf(one)}§${secretOf(one)}`)
        const value = valueOf([secretOf(one), "nothing"], plan)
        assert.strictEqual(mask(value), value)
      }),
    { arbitrary: { runs: 100, seed: process.env.LAWS_SEED ?? "secrets" }, timeout: 60_000 }
  )
})
