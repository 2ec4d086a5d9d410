/** Below the root every fault costs at most one operation: no defect, and no schema that is none. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Cause, Effect, Exit, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { dump } from "js-yaml"
import { Toolset } from "effect-toolset"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { anyArguments } from "./anyArguments.ts"
import { Damage, damaged } from "./damage.ts"
import { isHere, textOf, unlessHere } from "./documents.ts"
import { schemaProblem } from "./metaSchema.ts"
import { rich } from "./rich.ts"
import { anywhere, type Fields } from "./served.ts"

/** What becomes of a document; a root that is none is said as such. */
const survives = (document: unknown) =>
  Effect.gen(function* () {
    const report = yield* OpenApiToolset.report(document, anywhere)
    for (const { description, name, parameters, returns } of report.tools) {
      assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
      assert.isNotEmpty(description)
      assert.strictEqual(parameters.type, "object")
      assert.isUndefined(schemaProblem(parameters), name)
      if (returns !== undefined) assert.isUndefined(schemaProblem(returns), name)
      JSON.stringify([parameters, returns])
    }
    for (const { pointer, reason } of [...report.skipped, ...report.remarks]) {
      assert.match(pointer, /^#/)
      assert.isNotEmpty(reason)
    }
    return report
  }).pipe(
    Effect.catchTags({
      OpenApiError: ({ pointer }) =>
        Effect.as(
          Effect.sync(() => assert.match(pointer, /^#(\/\w+)?$/)),
          undefined
        )
    })
  )

const listsIn = (value: unknown, path: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value !== "object" || value === null
    ? []
    : [
        ...(Array.isArray(value) ? [path] : []),
        ...Object.entries(value).flatMap(([key, item]) => listsIn(item, [...path, key]))
      ]

describe("damaged documents", () => {
  it.effect("the whole one gives all its tools", () =>
    Effect.map(survives(rich), (report) => {
      assert.deepStrictEqual(report?.skipped, [])
      assert.strictEqual(report?.tools.length, 4)
    })
  )

  it.effect.prop(
    "give no defect and no invalid schema, in each version, as values and as YAML with aliases",
    { damage: Damage, openapi: Schema.Literals(["3.0.3", "3.1.0"]), isText: Schema.Boolean },
    ({ damage, isText, openapi }) => {
      const document = damaged({ ...rich, openapi }, damage)
      // What writes YAML does not end with those.
      const isEndless = damage.some(({ by }) => by === "deep" || by === "bomb")
      return survives(isText && !isEndless ? dump(document) : document)
    },
    { timeout: 120_000, arbitrary: { runs: 150 } }
  )

  it.effect("have lists with holes, wherever a list can stand", () =>
    Effect.forEach(listsIn(rich, []), (path) => {
      const document = structuredClone(rich)
      const list = path.reduce<any>((value, key) => value[key], document)
      list[list.length + 2] = list[0]
      return survives(document)
    })
  )

  it.effect.prop(
    "lose no other operation to faults inside one",
    { damage: Damage },
    ({ damage }) =>
      Effect.gen(function* () {
        const { get, ...pets } = rich.paths["/pets/{id}"]
        const broken = damaged({ get }, damage) as Fields
        const paths = { ...rich.paths, "/pets/{id}": { ...pets, ...broken } }
        const report = yield* survives({ ...rich, paths })
        const names = report!.tools.map(({ name }) => name)
        assert.includeMembers(names, ["put_pet", "post_forms_one", "get_other"])
        assert.isAtMost(names.length, 4)
        assert.strictEqual(names.length + report!.skipped.length, "get" in broken ? 4 : 3)
      }),
    { timeout: 120_000, arbitrary: { runs: 100 } }
  )

  it.effect.prop(
    "give tools that can be called: what comes back is a result or a signal",
    { damage: Damage },
    ({ damage }) =>
      Effect.gen(function* () {
        const document = damaged(rich, damage)
        const toolset = yield* OpenApiToolset.make(document, { ...anywhere, headerParams: true })
        const session = yield* Toolset.open(toolset)
        const { tools } = yield* OpenApiToolset.report(document, { ...anywhere, headerParams: true })
        for (const [i, { name, parameters }] of tools.entries()) {
          const exit = yield* Effect.exit(session.call(name, anyArguments(parameters, i)))
          assert.isTrue(Exit.isSuccess(exit) || !Cause.hasDies(exit.cause), name)
        }
      }).pipe(
        Effect.catchTag("OpenApiError", () => Effect.void),
        Effect.provide(FetchHttpClient.layer)
      ),
    { timeout: 120_000, arbitrary: { runs: 80 } }
  )

  it.effect.skipIf(!isHere)(
    `a real one, too${unlessHere}`,
    () =>
      Effect.gen(function* () {
        const damages = yield* Arbitrary.sampleEffect(Arbitrary.schema(Damage), {
          seed: "directus",
          count: 20
        })
        const document: unknown = JSON.parse(textOf("directus.json"))
        yield* Effect.forEach(damages, (damage) => survives(damaged(document, damage)))
      }),
    120_000
  )
})
