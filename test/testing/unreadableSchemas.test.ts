/** What a TestModel calls tools with whose schemas effect cannot read: what somebody else found right, or nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect, type JsonSchema } from "effect"
import { AiError } from "effect/ai"
import { Agent, JsonSchemaValidator, Toolset } from "effect-toolset"
import { TestModel } from "effect-toolset/testing"
import { callsIn } from "../agent/answers.ts"

const ajv = new Ajv2020({ strict: false })
const judge = (schema: JsonSchema.JsonSchema) => {
  const check = ajv.compile(schema)
  return (value: unknown) => (check(value) ? undefined : ajv.errorsText(check.errors))
}
const withAjv = Effect.provideService(JsonSchemaValidator.JsonSchemaValidator, (schema) => {
  const problem = judge(schema)
  return (value) => Effect.sync(() => problem(value))
})

const one = (n: JsonSchema.JsonSchema, more: JsonSchema.JsonSchema = {}): JsonSchema.JsonSchema => ({
  type: "object",
  properties: { n },
  required: ["n"],
  ...more
})

/** `fits`: whether the plainest value is one of the schema. */
const schemas: ReadonlyArray<readonly [what: string, schema: JsonSchema.JsonSchema, fits: boolean]> = [
  ["not", one({ type: "integer", not: { const: 0 } }), false],
  ["not, which holds", one({ type: "integer", not: { const: 7 } }), true],
  ["contains", one({ type: "array", contains: { type: "integer" } }), false],
  ["if and then", one(JSON.parse('{"type":"integer","if":{"minimum":0},"then":{"minimum":5}}')), false],
  ["dependentRequired", one({ type: "string" }, { dependentRequired: { n: ["m"] } }), false],
  ["dependentSchemas", one({ type: "string" }, { dependentSchemas: { n: { required: ["m"] } } }), false],
  ["dependentRequired, which holds", one({ type: "string" }, { dependentRequired: { m: ["k"] } }), true]
]

describe("arguments by a schema that effect cannot read", () => {
  for (const [what, schema, fits] of schemas) {
    const agent = Agent.make({ toolsets: [Toolset.external([{ name: "t", parameters: schema }])] })
    const asked = Effect.gen(function* () {
      const { exit, messages } = yield* Agent.runExit(agent, { prompt: "Go." })
      for (const { params } of callsIn(messages)) assert.isUndefined(judge(schema)(params))
      const error =
        exit._tag === "Failure" ? exit.cause.reasons.find((one) => one._tag === "Fail")?.error : undefined
      return { calls: callsIn(messages).length, error }
    })

    it.effect(`are those that the validator takes, or none: ${what}`, () =>
      Effect.gen(function* () {
        const { calls, error } = yield* withAjv(asked)
        assert.strictEqual(calls, fits ? 1 : 0)
        assert.strictEqual(error instanceof AiError.AiError, !fits)
        if (!fits) assert.include(String(error), "What it tried does not satisfy the schema:")
      }).pipe(Effect.provide(TestModel.layer()))
    )

    it.effect(`are none where nobody can tell: ${what}`, () =>
      Effect.gen(function* () {
        const { calls, error } = yield* asked
        assert.strictEqual(calls, 0)
        assert.include(
          String(error),
          "say in `args` or `outputArgs` what to call it with. Its schema cannot be read: "
        )
      }).pipe(Effect.provide(TestModel.layer()))
    )
  }
})
