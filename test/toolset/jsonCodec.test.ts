import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Option, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { sample } from "../../src/testing/sample.ts"
import { jsonCodec } from "../../src/toolset/jsonCodec.ts"
import { outputsIn, root, unwrapped } from "../docs/fences.ts"
import { schemas } from "../testing/schemas.ts"

const seeds = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200 })))
const options = { timeout: 60_000, arbitrary: { runs: 150 } }

/** A value, and what it is with one place of it being something else, missing or too much. */
const damaged = (value: unknown): ReadonlyArray<unknown> => {
  const others = [null, undefined, "x", -1.5, true, [], {}]
  if (Array.isArray(value)) {
    const inside = value.flatMap((item, i) => damaged(item).map((other) => value.with(i, other)))
    return [value, ...others, ...inside, value.slice(1), [...value, value.at(-1)]]
  }
  if (typeof value !== "object" || value === null) return [value, ...others]
  const inside = Object.entries(value).flatMap(([key, field]) => {
    const { [key]: _, ...rest } = value as Record<string, unknown>
    return [rest, ...damaged(field).map((other) => ({ ...value, [key]: other }))]
  })
  return [value, ...others, ...inside, { ...value, unheardOf: 1 }]
}

/** How a value goes into a codec, and out again. */
const through = (codec: Schema.Codec<unknown, unknown>) => {
  const ways = [
    Schema.decodeUnknownEffect(codec),
    Schema.decodeUnknownEffect(codec, { errors: "all", onExcessProperty: "error" }),
    Schema.encodeUnknownEffect(codec)
  ]
  return (value: unknown) =>
    ways.map((way) =>
      Effect.runSync(
        Effect.match(way(value), { onFailure: (error) => error.message, onSuccess: (to) => [to] })
      )
    )
}

describe("a compiled codec", () => {
  it.prop(
    "gives for any value what effect gives that interprets the schema",
    [schemas, seeds],
    ([{ json, schema }, seed]) => {
      const values = damaged(Option.getOrUndefined(sample(json, seed)))
      // Effect keeps parsers under their schema: what it interprets is asked before it is compiled.
      const interpreted = values.map(through(Schema.toCodecJson(schema())))
      assert.deepStrictEqual(values.map(through(jsonCodec(schema()))), interpreted)
    },
    options
  )

  it("is made of text when a value first goes through, and once", () => {
    const texts: Array<string> = []
    const { Function: makes } = globalThis
    const codec = jsonCodec(Schema.Struct({ a: Schema.Struct({ b: Schema.Int }) }))
    const decode = Schema.decodeUnknownSync(codec)
    globalThis.Function = new Proxy(makes, {
      apply: (make, self, args: Array<string>) => (texts.push(args.at(-1)!), Reflect.apply(make, self, args))
    })
    try {
      const before = texts.length
      decode({ a: { b: 1 } })
      const first = texts.length
      assert.isAbove(first, before)
      decode({ a: { b: 2 } })
      assert.strictEqual(texts.length, first)
    } finally {
      globalThis.Function = makes
    }
  })

  it("is interpreted where nobody may make functions of text", { timeout: 60_000 }, () => {
    const example = join(root, "examples/01-toolsets.ts")
    const tsx = pathToFileURL(join(root, "node_modules/tsx/dist/loader.mjs")).href
    const flags = ["--disallow-code-generation-from-strings", "--import", tsx]
    const ran = (args: ReadonlyArray<string>) =>
      spawnSync(process.execPath, [...flags, ...args], { cwd: root, encoding: "utf8" })
    assert.include(ran(["--eval", "Function('')"]).stderr, "EvalError")
    const { stderr, stdout } = ran([example])
    assert.strictEqual(stderr, "")
    assert.strictEqual(unwrapped(stdout), unwrapped(outputsIn(readFileSync(example, "utf8")).join("\n")))
  })
})
