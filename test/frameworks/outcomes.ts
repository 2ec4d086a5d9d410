/** What every framework is told, and what its model reads. */
import { assert, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { DateTime, Effect, Schema } from "effect"
import { JsonSchemaValidator, ModelRetry, RunContext, ToolFailed, Toolset } from "effect-toolset"
import * as Neutral from "effect-toolset/Neutral"
import { prepared } from "../../examples/toolsets-weather.ts"
import { call, type Framework, going } from "./framework.ts"

const outcomes = Toolset.combined(
  Toolset.tool("value", { handler: () => Effect.succeed({ celsius: 21, error: "none" }) }),
  Toolset.tool("text", { handler: () => Effect.succeed("sunny") }),
  Toolset.tool("nothing", { handler: () => Effect.void }),
  Toolset.tool("retry", { handler: () => Effect.fail(new ModelRetry({ message: "Which city?" })) }),
  Toolset.tool("failed", { handler: () => Effect.fail(new ToolFailed({ message: "Station closed." })) }),
  Toolset.tool("detailed", {
    handler: () => Effect.fail(new ToolFailed({ message: "Station closed.", details: { until: 8 } }))
  }),
  Toolset.tool("double", {
    parameters: Schema.Struct({ n: Schema.Finite }),
    handler: ({ n }) => Effect.succeed(n * 2)
  }),
  Toolset.tool("asks", { handler: () => Effect.succeed("asked") }).pipe(
    Toolset.approvalRequired((tool) => tool.name === "asks")
  )
)

const withAjv: JsonSchemaValidator.Compile = (schema) => {
  const ajv = new Ajv2020({ strict: false })
  const check = ajv.compile(schema)
  return (args) => Effect.sync(() => (check(args) ? undefined : ajv.errorsText(check.errors)))
}

const exotic = {
  type: "object",
  properties: {
    kind: { const: "tree" },
    root: { $ref: "#/$defs/node" },
    size: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }], default: null },
    tags: { type: "object", patternProperties: { "^x-": { type: "string" } }, additionalProperties: false }
  },
  required: ["kind", "root"],
  $defs: {
    node: {
      type: "object",
      properties: { children: { type: "array", items: { $ref: "#/$defs/node" } } },
      additionalProperties: true
    }
  }
}

export const tellsOutcomes = (framework: Framework): void => {
  const flagged = (isError: boolean) => (framework.hasFlag ? isError : undefined)
  const value = (text: string) => ({ text, isError: flagged(false) })
  const error = (text: string) => ({ text, isError: flagged(true) })
  const again = (text: string) => error(`${text}\n\nFix the errors and try again.`)

  it.effect("runs the weather chain", () =>
    Effect.gen(function* () {
      const city = { city: "Paris" }
      const { body, seen } = going(framework, prepared, [
        [call("temperature_celsius", city), call("weather_conditions", city), call("current_time")],
        [call("temperature_fahrenheit", city), call("weather_conditions", city)],
        "Nice."
      ])
      assert.strictEqual(yield* Neutral.run(prepared, body), "Nice.")
      const definitions = yield* Toolset.list(prepared)
      for (const { tools } of seen) {
        assert.deepStrictEqual(
          tools.map(({ description, name }) => [name, description]),
          definitions.map(({ description, name }) => [name, description])
        )
      }
      const now = yield* DateTime.now
      assert.deepStrictEqual(
        seen.map(({ results }) => results),
        [
          [],
          [value("21"), value("It's raining"), value(DateTime.formatIso(now))],
          [value("69.8"), value("It's sunny")]
        ]
      )
    })
  )

  it.effect("tells values, retries and failures apart", () =>
    Effect.gen(function* () {
      const names = ["value", "text", "nothing", "retry", "failed", "detailed", "asks"]
      const { body, seen } = going(framework, outcomes, [names.map((name) => call(name)), "Done."])
      assert.strictEqual(yield* Neutral.run(outcomes, body), "Done.")
      assert.deepStrictEqual(seen[1]?.results, [
        value('{"celsius":21,"error":"none"}'),
        value("sunny"),
        value("null"),
        again("Which city?"),
        error("Station closed."),
        error('{"message":"Station closed.","details":{"until":8}}'),
        error("The call waits for an approval. Nobody can be asked here.")
      ])
    })
  )

  it.effect("says itself what is wrong with arguments, without a stack", () =>
    Effect.gen(function* () {
      const args = [{ n: "two" }, {}, { n: 2 }]
      const { body, seen } = going(framework, outcomes, [args.map((n) => call("double", n)), "Done."])
      yield* Neutral.run(outcomes, body)
      assert.deepStrictEqual(seen[1]?.results, [
        again('Invalid arguments: Expected number\n  at ["n"]'),
        again('Invalid arguments: Missing key\n  at ["n"]'),
        value("4")
      ])
      assert.notMatch(JSON.stringify(seen), /at file:|node_modules|\.ts:\d/)
    })
  )

  it.effect("sends schemas as they are, and keeps its own", () =>
    Effect.gen(function* () {
      const toolset = Toolset.tool("grow", {
        parameters: Schema.Record(Schema.String, Schema.Unknown),
        handler: (tree) => Effect.succeed(Object.keys(tree).length)
      }).pipe(
        Toolset.prepared((tools) => Effect.succeed(tools.map((tool) => ({ ...tool, parameters: exotic }))))
      )
      const before = structuredClone(exotic)
      const { rewritten = (schema: object) => schema } = framework
      const tree = { kind: "tree", root: { children: [{}] } }
      const { body, seen } = going(framework, toolset, [
        [call("grow", tree), call("grow", { kind: "bush" })],
        "Done."
      ])
      yield* Neutral.run(toolset, body).pipe(
        // The default one reads no patterns, and `prepared` does not offer what nobody checks.
        Effect.provideService(JsonSchemaValidator.JsonSchemaValidator, withAjv)
      )
      assert.deepStrictEqual(seen[0]?.tools[0]?.parameters, rewritten(before))
      assert.deepStrictEqual(exotic, before)
      assert.deepStrictEqual(seen[1]?.results[0], value("2"))
      assert.match(seen[1]!.results[1]!.text, /^Invalid arguments: .*\n\nFix the errors and try again\.$/s)
    })
  )

  it.effect("counts retries once per turn, and anew in each run", () =>
    Effect.gen(function* () {
      const turns = [[call("retry"), call("retry")], [call("value")], "Done."]
      for (let i = 0; i < 3; i++) {
        const { body, seen } = going(framework, outcomes, turns)
        assert.strictEqual(yield* Neutral.run(outcomes, body), "Done.")
        assert.strictEqual(seen.length, 3)
      }
      const { body, seen } = going(framework, outcomes, [
        [call("retry")],
        [call("retry")],
        [call("retry")],
        "Done."
      ])
      const spent = yield* Effect.flip(Neutral.run(outcomes, body, { retries: 2 }))
      assert.strictEqual(spent._tag, "ToolRetriesExceeded")
      assert.strictEqual(seen.length, 3)
      assert.isTrue("toolName" in spent && spent.toolName === "retry")
    })
  )

  it.effect("forgets retries after a success, and counts no failures", () =>
    Effect.gen(function* () {
      const half = (args: object) => [call("double", args), call("failed")]
      const { body } = going(framework, outcomes, [
        half({ n: "one" }),
        half({ n: 1 }),
        half({ n: "one" }),
        half({ n: 1 }),
        "Done."
      ])
      assert.strictEqual(yield* Neutral.run(outcomes, body), "Done.")
    })
  )

  it.effect("refuses two tools of one name before anything is asked", () =>
    Effect.gen(function* () {
      const twice = Toolset.combined(
        Toolset.tool("same", { handler: () => Effect.void }),
        Toolset.tool("same", { handler: () => Effect.void })
      )
      const { body, seen } = going(framework, twice, ["Done."])
      const error = yield* Effect.flip(Neutral.run(twice, body))
      assert.strictEqual(error._tag, "ToolNameConflict")
      assert.strictEqual(seen.length, 0)
    })
  )

  it.effect(
    framework.follows ? "offers in each turn what there is then" : "refuses what has gone meanwhile",
    () =>
      Effect.gen(function* () {
        const at = (name: string) => Toolset.tool(name, { handler: () => Effect.succeed(name) })
        const changing = Toolset.dynamic(
          Effect.map(RunContext, ({ step }) =>
            Toolset.combined(
              at(step === 1 ? "first" : "second"),
              Toolset.tool("same", { description: `In turn ${step}.`, handler: () => Effect.succeed(step) })
            )
          )
        )
        const { body, seen } = going(framework, changing, [
          [call("first"), call("same")],
          [call(framework.follows ? "second" : "first"), call("same")],
          "Done."
        ])
        yield* Neutral.run(changing, body)
        const told = seen.map(({ tools }) => tools.map(({ description, name }) => [name, description]))
        if (framework.follows) {
          assert.deepStrictEqual(
            told.map((tools) => tools.map(([name]) => name)),
            [
              ["first", "same"],
              ["second", "same"],
              ["second", "same"]
            ]
          )
          assert.deepStrictEqual(
            told.map((tools) => tools.at(-1)?.at(-1)),
            ["In turn 1.", "In turn 2.", "In turn 3."]
          )
          assert.deepStrictEqual(seen[2]?.results, [value("second"), value("2")])
        } else {
          assert.deepStrictEqual(seen[2]?.results, [
            again("Unknown tool name: 'first'. Available tools: 'same', 'second'"),
            value("2")
          ])
        }
      })
  )
}
