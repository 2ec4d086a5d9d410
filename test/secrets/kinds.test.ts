import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Secrets } from "effect-toolset"
import { inspect } from "node:util"
import { leaks } from "./leaking.ts"
import { holders, writers } from "./objects.ts"

const secret = "pw-91c3"

const masking = (...secrets: ReadonlyArray<string>) =>
  Effect.map(Secrets, ({ mask }) => mask as (value: unknown) => any).pipe(
    Effect.provide(Secrets.layer(...secrets.map((value) => Redacted.make(value))))
  )

describe("a secret in every kind of value", () => {
  for (const [name, hold] of Object.entries(holders)) {
    it.effect(`is hidden in ${name}, also below it; a value without one is the same`, () =>
      Effect.gen(function* () {
        const mask = yield* masking(secret)
        for (const of of [secret, [secret], new Map([[secret, 1]])]) {
          assert.isNotEmpty(leaks(hold(of), [secret]), "nobody would see it there")
          const masked = mask({ at: [hold(of)] })
          assert.deepStrictEqual(leaks(masked, [secret]), [])
          assert.strictEqual(mask(masked), masked)
          assert.notInclude(inspect(masked, { depth: 9, showHidden: true }), secret)
        }
        const other = hold("nothing")
        assert.strictEqual(mask(other), other)
      })
    )
  }

  for (const [name, write] of Object.entries(writers)) {
    it.effect(`is hidden in ${name}; one without it is the same`, () =>
      Effect.gen(function* () {
        const mask = yield* masking(secret)
        assert.isNotEmpty(leaks(write(secret), [secret]), "nobody would see it there")
        const masked = mask([write(secret)])
        assert.deepStrictEqual(leaks(masked, [secret]), [])
        assert.strictEqual(mask(masked), masked)
        assert.notInclude(inspect(masked, { depth: 9, showHidden: true }), secret)
        const other = write("nothing")
        assert.strictEqual(mask(other), other)
      })
    )
  }

  it.effect("is hidden in what never ends, as far as anybody looks", () =>
    Effect.gen(function* () {
      const mask = yield* masking(secret)
      class Endless {
        *[Symbol.iterator]() {
          for (;;) yield secret
        }
      }
      const masked = mask({ at: [new Endless()] })
      assert.notInclude(inspect(masked, { depth: 9, showHidden: true }), secret)
      for (const item of masked.at[0]) {
        assert.notInclude(String(item), secret)
        break
      }
    })
  )

  it.effect("keeps what a value is, and what can be done with it", () =>
    Effect.gen(function* () {
      const mask = yield* masking(secret)
      const headers = mask(
        new Headers([
          ["authorization", `Bearer ${secret}`],
          ["accept", "text/html"]
        ])
      )
      assert.instanceOf(headers, Headers)
      assert.deepStrictEqual(
        [...headers],
        [
          ["accept", "text/html"],
          ["authorization", "Bearer ***"]
        ]
      )
      const params = mask(new URLSearchParams(`a=1&token=${secret}&a=2`))
      assert.strictEqual(`${params}`, "a=1&token=***&a=2")
      const request = mask(new Request(`https://host/${secret}`, { headers: { token: secret } }))
      assert.instanceOf(request, Request)
      assert.deepStrictEqual([request.url, request.method], ["https://host/***", "GET"])
      assert.strictEqual(request.headers.get("token"), "***")
      const response = mask(new Response("", { status: 401, statusText: secret }))
      assert.deepStrictEqual([response.status, response.statusText], [401, "***"])

      const double = Object.assign((n: number) => n * 2, { token: secret })
      const masked = mask(double)
      assert.deepStrictEqual([masked(4), masked.token, masked.name, masked.length], [8, "***", "", 1])
      class Client {
        static readonly token = secret
        readonly host: string
        constructor(host: string) {
          this.host = host
        }
      }
      const Masked = mask(Client)
      assert.deepStrictEqual([Masked.token, new Masked("h").host], ["***", "h"])
      assert.instanceOf(new Masked("h"), Client)

      const list = mask(Object.assign(Array(1), { 2: secret, at: secret }))
      assert.deepStrictEqual([Object.keys(list), list.length, list.at], [["2", "at"], 3, "***"])
      class Registry extends Map<string, string> {
        readonly name = secret
        first() {
          return this.values().next().value
        }
      }
      const registry = mask(new Registry([["a", secret]]))
      assert.instanceOf(registry, Registry)
      assert.deepStrictEqual([registry.first(), registry.name, registry.size], ["***", "***", 1])
      const key = Symbol.for(`of ${secret}`)
      const bySymbol = mask([{ [key]: 1 }, key])
      assert.deepStrictEqual(bySymbol, [{ [Symbol.for("of ***")]: 1 }, Symbol.for("of ***")])
      const own = Symbol(secret)
      const [first, second] = mask([own, { [own]: 1 }])
      assert.strictEqual(second[first], 1)
      assert.strictEqual(mask(Object.create({ token: secret })).token, "***")
    })
  )

  it.effect("looks at everything, and comes to an end", () =>
    Effect.gen(function* () {
      const mask = yield* masking(secret)
      const revoked = Proxy.revocable({}, {})
      revoked.revoke()
      const angry = new Proxy(
        { token: secret },
        {
          ownKeys: () => {
            throw new Error(secret)
          }
        }
      )
      assert.strictEqual(mask(revoked.proxy), revoked.proxy)
      assert.deepStrictEqual(leaks(mask({ a: secret, angry }).a, [secret]), [])
      const all = {
        *[Symbol.iterator]() {
          for (;;) yield 1
        }
      }
      assert.strictEqual(mask(all), all)
      let left = 3
      const once = (function* () {
        while (left > 0) yield left--
      })()
      assert.strictEqual(mask(once), once)
      assert.deepStrictEqual([...once], [3, 2, 1])
    })
  )
})

describe("secrets and each other", () => {
  it.effect("hides all of those that overlap, and no half of one is left", () =>
    Effect.gen(function* () {
      const mask = yield* masking("abcdef", "defghi", "ghijkl")
      assert.strictEqual(mask("1 abcdefghijkl 2"), "1 *** 2")
      assert.strictEqual(mask("abcdefghi defghi ghijklabcdef"), "*** *** ***")
      const overlapping = yield* masking("aaaaaa")
      assert.strictEqual(overlapping("xaaaaaaaaay"), "x***y")
      const within = yield* masking("token-1", "my-token-1-is-long")
      assert.strictEqual(within("my-token-1-is-long, token-1"), "***, ***")
      const encoded = yield* masking("pass word", "word/s")
      assert.strictEqual(encoded("?q=pass+word%2Fs&"), "?q=***&")
    })
  )

  it.effect("comes to an end with those that hold ***, however often they make each other", () =>
    Effect.gen(function* () {
      for (const one of ["***abc", "abc***", "ab***cd", "******"]) {
        const mask = yield* masking(one, "secret-1")
        assert.strictEqual(mask(one), "***")
        const many = mask(`${"ab".repeat(20_000)}${one}${"abc".repeat(20_000)}${one}${"cd".repeat(20_000)}`)
        assert.notInclude(many, one)
        assert.strictEqual(mask(many), many)
        assert.notInclude(mask("secret-1".repeat(1000)), one)
        assert.notInclude(mask("*".repeat(100_000)), one)
      }
      const chain = yield* masking("secret-1", "***abc")
      assert.strictEqual(chain(`secret-1${"abc".repeat(10)}`), "***")
      assert.strictEqual(chain(`secret-1${"abc".repeat(10_000)}`), "***")
    })
  )

  it.effect("finds long ones, also where they were cut", () =>
    Effect.gen(function* () {
      const line = (i: number) => `${i}/${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC".repeat(2)}+${i}=\n`
      const key = Array.from({ length: 600 }, (_, i) => line(i)).join("")
      assert.isAbove(key.length, 40_000)
      const mask = yield* masking(key)
      assert.strictEqual(mask(`key: ${key}.`), "key: ***.")
      assert.strictEqual(mask(JSON.stringify({ key })), `{"key":"***"}`)
      assert.strictEqual(mask(`?key=${encodeURIComponent(key)}&`), "?key=***&")
      assert.strictEqual(mask(`cut: ${key.slice(0, 1500)}`).slice(0, 8), "cut: ***")
      assert.strictEqual(mask("nothing of it"), "nothing of it")
    })
  )

  it.effect("finds each of very many", () =>
    Effect.gen(function* () {
      const { mask, register } = yield* Secrets
      const all = Array.from({ length: 1000 }, (_, i) => `token-${i * 7919}-x`)
      for (const [i, one] of all.entries()) {
        yield* register(Redacted.make(one))
        // Whoever masks while others register makes anew what has changed, and no more.
        if (i % 100 === 0) assert.strictEqual(mask(`at ${one}`), "at ***")
      }
      for (const one of all.filter((_, i) => i % 50 === 0)) assert.strictEqual(mask(`at ${one}`), "at ***")
      assert.strictEqual(mask("token-1-x"), "token-1-x")
    }).pipe(Effect.provide(Secrets.layer()))
  )
})

describe("a registration", () => {
  it.effect("in a scope ends with it, and not before all of the same value have ended", () =>
    Effect.gen(function* () {
      const { isEmpty, mask, register, registerScoped } = yield* Secrets
      const registered = registerScoped(Redacted.make(secret))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* registered
          assert.strictEqual(mask(secret), "***")
          yield* Effect.scoped(registered)
          assert.strictEqual(mask(secret), "***")
        })
      )
      assert.strictEqual(mask(secret), secret)
      assert.isTrue(isEmpty())
      yield* register(Redacted.make(secret))
      yield* Effect.scoped(registered)
      assert.strictEqual(mask(secret), "***")
    }).pipe(Effect.provide(Secrets.layer()))
  )

  it.effect("that ends takes nothing of another along that has a part in common", () =>
    Effect.gen(function* () {
      const { mask, register, registerScoped } = yield* Secrets
      const shared = "s".repeat(100)
      yield* register(Redacted.make(`${shared}${"a".repeat(100)}`))
      yield* Effect.scoped(registerScoped(Redacted.make(`${shared}${"b".repeat(100)}`)))
      assert.strictEqual(mask(`${shared}${"a".repeat(100)}`), "***")
      assert.strictEqual(mask("b".repeat(100)), "b".repeat(100))
    }).pipe(Effect.provide(Secrets.layer()))
  )

  it.effect("in a scope is refused where it is too short, too", () =>
    Effect.gen(function* () {
      const { registerScoped } = yield* Secrets
      const error = yield* Effect.flip(Effect.scoped(registerScoped(Redacted.make("short"))))
      assert.strictEqual(error._tag, "SecretTooShort")
    }).pipe(Effect.provide(Secrets.layer()))
  )
})
