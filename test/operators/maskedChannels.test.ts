/** For any secrets, and any values that hold them: no channel out of a masked toolset shows one. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Redacted, Schema, Stream } from "effect"
import { Prompt } from "effect/ai"
import {
  Agent,
  ApprovalRequired,
  CallDeferred,
  DeferredToolRequests,
  ModelRetry,
  Secrets,
  ToolCall,
  ToolFailed,
  ToolReturn,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { leaks } from "../secrets/leaking.ts"
import { JsonPlan, Plan, secretOf, SecretText, textOf, valueOf } from "../secrets/plans.ts"
import { watching } from "./watching.ts"

class Leaky extends Schema.TaggedError<Leaky>()("Leaky", { of: Schema.Unknown }) {
  override get message(): string {
    return `leaked ${String(this.of)}`
  }
}

const Way = Schema.Literals([
  "result",
  "rich result",
  "retry",
  "failed",
  "approval",
  "deferral",
  "error",
  "defect",
  "validator",
  "opening",
  "listing",
  "instructions"
])

/** What a tool says on each channel; `text` and `json` where it has to be one. */
const Leak = Schema.Struct({
  way: Way,
  masks: Schema.Literals(["inside", "outside", "twice"]),
  any: Plan,
  json: JsonPlan,
  log: Plan,
  progress: Plan,
  attribute: Plan,
  annotation: Plan
})

const toolset = (leak: typeof Leak.Type, secrets: readonly [string, string]): Toolset.Toolset<Leaky> => {
  const value = (plan: Plan) => valueOf(secrets, plan)
  const text = JSON.stringify([value(leak.json)])
  const metadata = { about: value(leak.json) as Schema.Json, [text]: 1 }
  const saying = Effect.gen(function* () {
    const { progress } = yield* ToolCall
    yield* progress(value(leak.progress))
    yield* Effect.annotateCurrentSpan({ about: value(leak.attribute), [text]: 1 })
    yield* Effect.log(value(leak.log), text, Cause.fail(value(leak.log))).pipe(
      Effect.annotateLogs({ about: value(leak.annotation) }),
      Effect.withLogSpan(text)
    )
    yield* Effect.ignore(Effect.fail(value(leak.any)).pipe(Effect.withSpan(text)))
  })
  const error = new Leaky({ of: value(leak.any) })
  const ending = (): Effect.Effect<
    unknown,
    Leaky | ModelRetry | ToolFailed | ApprovalRequired | CallDeferred
  > => {
    switch (leak.way) {
      case "retry":
        return Effect.fail(new ModelRetry({ message: text }))
      case "failed":
        return Effect.fail(new ToolFailed({ message: text, details: metadata }))
      case "approval":
        return Effect.fail(new ApprovalRequired({ metadata }))
      case "deferral":
        return Effect.fail(new CallDeferred({ metadata }))
      case "error":
        return Effect.fail(error)
      case "defect":
        return Effect.die(error)
      case "rich result": {
        const part = Prompt.makePart("text", { text })
        const file = Prompt.makePart("file", {
          mediaType: "text/plain",
          data: Buffer.from(text).toString("base64")
        })
        return Effect.succeed(
          new ToolReturn({
            value: value(leak.json),
            content: [part, file],
            metadata: { about: value(leak.any), [text]: 1 },
            modelOutput: [part, file]
          })
        )
      }
      default:
        return Effect.succeed(value(leak.json))
    }
  }
  const tool = Toolset.tool("leak", {
    validateArgs: () =>
      leak.way === "validator" ? Effect.fail(new ModelRetry({ message: text })) : Effect.void,
    handler: () => Effect.andThen(saying, ending())
  })
  switch (leak.way) {
    case "opening":
      return Toolset.unwrap(Effect.andThen(Effect.log(value(leak.log)), Effect.as(Effect.fail(error), tool)))
    case "listing":
      return tool.pipe(
        Toolset.filtered(() => Effect.andThen(Effect.log(value(leak.log)), Effect.fail(error)))
      )
    case "instructions":
      return tool.pipe(Toolset.withInstructions(text))
    default:
      return tool
  }
}

const covered = (
  self: Toolset.Toolset<Leaky>,
  masks: typeof Leak.Type.masks
): Toolset.Toolset<Leaky, Secrets> => {
  switch (masks) {
    case "inside":
      return self.pipe(
        Toolset.masked,
        Toolset.traced({ values: true }),
        Toolset.guard(() => "allow")
      )
    case "outside":
      return self.pipe(
        Toolset.traced({ values: true }),
        Toolset.wrapper((call, next) => next(call)),
        Toolset.truncated({ maxItems: 100 }),
        Toolset.masked
      )
    case "twice":
      return self.pipe(Toolset.masked, Toolset.prefixed(""), Toolset.masked)
  }
}

describe("no channel out of a masked toolset", () => {
  it.effect.prop(
    "shows a secret: requests, history, events, outcome, spans and logs",
    { one: SecretText, other: SecretText, leak: Leak },
    ({ leak, one, other }) =>
      Effect.gen(function* () {
        const texts = [secretOf(one), secretOf(other)] as const
        const { layer, seen } = watching()
        const agent = Agent.make({
          toolsets: [covered(toolset(leak, texts), leak.masks)],
          output: [Schema.String, DeferredToolRequests],
          traceValues: true
        })
        const call = ScriptedModel.calls({ leak: {} })
        const everything = Effect.gen(function* () {
          const events: Array<unknown> = []
          const exit = yield* Agent.stream(agent, { prompt: "go" }).pipe(
            Stream.runForEach((event) => Effect.sync(() => events.push(event))),
            Effect.exit
          )
          return { events, exit, requests: yield* ScriptedModel.requests }
        }).pipe(
          Effect.provide(Secrets.layer(...texts.map((text) => Redacted.make(text)))),
          Effect.provide(ScriptedModel.layer([call, ScriptedModel.text("done")])),
          Effect.provide(layer)
        )
        const all = { ...(yield* everything), ...seen() }
        assert.deepStrictEqual(leaks(all, texts), [])
      }),
    { arbitrary: { runs: 120, seed: process.env.LAWS_SEED ?? "channels" }, timeout: 120_000 }
  )

  it.effect("is one that the search for secrets would not find, were it not masked", () =>
    Effect.gen(function* () {
      const secret = "pw-91c3"
      const text = { _tag: "text", which: 0, form: "as base64", before: "x", after: "" } as const
      for (const way of Way.literals) {
        const leak = {
          way,
          masks: "inside",
          any: text,
          json: text,
          log: text,
          progress: text,
          attribute: text
        } as const
        const { layer, seen } = watching()
        const agent = Agent.make({
          toolsets: [toolset({ ...leak, annotation: text }, [secret, secret])],
          output: [Schema.String, DeferredToolRequests]
        })
        const all = yield* Agent.run(agent, { prompt: "go" }).pipe(
          Effect.exit,
          Effect.provide(
            ScriptedModel.layer([ScriptedModel.calls({ leak: {} }), ScriptedModel.text("done")])
          ),
          Effect.provide(layer)
        )
        assert.notDeepEqual(leaks({ all, ...seen() }, [secret]), [], way)
        assert.include(textOf([secret, secret], text), "eH")
      }
    })
  )
})
