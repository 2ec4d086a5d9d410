import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Schema, Stream } from "effect"
import { LanguageModel, Prompt, type Response, Tool, Toolkit } from "effect/ai"
import { Agent, AgentDefinitionError, Toolset } from "effect-toolset"
import { TestModel } from "effect-toolset/testing"

const prompt = "Go."
const ping = Toolset.tool("ping", { handler: () => Effect.succeed("pong") })

/** A model that keeps what its provider is given, and calls `ping` twice. */
const keeping = (kept: Array<LanguageModel.ProviderOptions>) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({
      generateText: (options) =>
        Effect.sync((): Array<Response.PartEncoded> => {
          kept.push(options)
          const name = options.tools.find((tool) => tool.name.endsWith("ping"))?.name
          return kept.length % 3 === 0 || name === undefined
            ? [{ type: "text", text: "Done." }]
            : [{ type: "tool-call", id: `${kept.length}`, name, params: {} }]
        }),
      streamText: () => Stream.die("not streamed")
    })
  )

describe("the tools of a request", () => {
  const described = Toolset.tool("search", {
    description: "Finds things.",
    parameters: Schema.Struct({ query: Schema.String, most: Schema.optional(Schema.Int) }),
    handler: () => Effect.succeed([])
  })

  it.effect("are those of the step, as the definitions say", () =>
    Effect.gen(function* () {
      const definitions = yield* Toolset.list(Toolset.combined(ping, described))
      yield* Agent.run(Agent.make({ toolsets: [ping, described] }), { prompt })
      const [request] = yield* TestModel.requests
      assert.deepStrictEqual(
        request?.tools,
        definitions.map(({ description, name, parameters }) => ({ name, description, parameters }))
      )
      assert.deepStrictEqual(request?.outputTools, [])
      assert.isTrue(request?.allowText)
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("are dynamic ones, not strict unless the definition says so", () => {
    const kept: Array<LanguageModel.ProviderOptions> = []
    const annotations = Context.make(Tool.Strict, true).pipe(Context.add(Tool.Destructive, false))
    const strict = Toolset.tool("strict", {
      annotations: annotations as Context.Context<never>,
      handler: () => Effect.void
    })
    return Effect.gen(function* () {
      yield* Agent.run(Agent.make({ toolsets: [ping, strict] }), { prompt })
      const [loose, tight] = kept[0]!.tools
      assert.isTrue(Tool.isDynamic(loose))
      assert.deepStrictEqual(
        [loose, tight].map((tool) => Tool.getStrictMode(tool!)),
        [false, true]
      )
      assert.isFalse(Context.get(tight!.annotations, Tool.Destructive))
      assert.deepInclude(kept[0], { toolChoice: "auto", toolCallValidation: "deferred" })
    }).pipe(Effect.provide(keeping(kept)))
  })

  const sameInAll = (kept: ReadonlyArray<LanguageModel.ProviderOptions>) => {
    assert.strictEqual(kept.length, 6)
    for (const { tools } of kept) {
      assert.strictEqual(tools.length, kept[0]!.tools.length)
      tools.forEach((tool, i) => assert.strictEqual(tool, kept[0]!.tools[i]))
    }
  }

  const trees: ReadonlyArray<[title: string, toolset: Toolset.Toolset<any>]> = [
    ["of a tool", ping],
    ["of a combination", Toolset.combined(ping, described)],
    ["with another name", ping.pipe(Toolset.prefixed("p"), Toolset.renamed({ my_ping: "p_ping" }))],
    ["renamed by a function", ping.pipe(Toolset.renamed((name) => `my_${name}`))],
    ["filtered", Toolset.combined(ping, described).pipe(Toolset.filtered((tool) => tool.name === "ping"))],
    [
      "prepared to something equal",
      ping.pipe(Toolset.prepared((tools) => tools.map((tool) => ({ ...tool }))))
    ],
    [
      "prepared to something new, but the same each time",
      ping.pipe(Toolset.prepared((tools) => tools.map((tool) => ({ ...tool, description: "Pings." }))))
    ],
    [
      "in a wrapper",
      ping.pipe(
        Toolset.wrapper((call, next) => next(call)),
        Toolset.timeout("1 minute")
      )
    ],
    [
      "with more said about it",
      ping.pipe(
        Toolset.withMetadata({ a: 1 }),
        Toolset.withMaxRetries(3),
        Toolset.sequential,
        Toolset.withReturns
      )
    ],
    ["gated", ping.pipe(Toolset.approvalRequired(() => false))],
    ["chosen, the same each time", Toolset.dynamic(Effect.succeed(Toolset.prefixed(ping, "p")))],
    ["made when the run starts, of what was there before", Toolset.unwrap(Effect.succeed(ping))],
    ["with services of its own", ping.pipe(Toolset.provide(Layer.empty))]
  ]
  for (const [title, toolset] of trees) {
    it.effect(`are the same objects in every step and run: ${title}`, () => {
      const kept: Array<LanguageModel.ProviderOptions> = []
      return Effect.gen(function* () {
        const agent = Agent.make({ toolsets: [toolset], instructions: "Be brief." })
        yield* Agent.run(agent, { prompt })
        yield* Agent.run(agent, { prompt })
        sameInAll(kept)
      }).pipe(Effect.provide(keeping(kept)))
    })
  }

  it.effect("are the same objects in every step and run: of a toolkit of effect/ai", () => {
    const kept: Array<LanguageModel.ProviderOptions> = []
    const kit = Toolkit.make(Tool.make("ping"))
    return Effect.gen(function* () {
      const toolset = Toolset.fromToolkit(kit).pipe(Toolset.provide(kit.toLayer({ ping: () => Effect.void })))
      const agent = Agent.make({ toolsets: [toolset] })
      yield* Agent.run(agent, { prompt })
      yield* Agent.run(agent, { prompt })
      sameInAll(kept)
    }).pipe(Effect.provide(keeping(kept)))
  })

  const agents = [
    ["given to each run", Agent.make({ toolsets: [described] })],
    [
      "given to each run, under a transformation",
      Agent.make({ toolsets: [described], transform: Toolset.prefixed("p") })
    ]
  ] as const
  for (const [title, agent] of agents) {
    it.effect(`are the same objects in every step and run: ${title}`, () => {
      const kept: Array<LanguageModel.ProviderOptions> = []
      return Effect.gen(function* () {
        yield* Agent.run(agent, { prompt, toolsets: [ping] })
        yield* Agent.run(agent, { prompt, toolsets: [ping] })
        sameInAll(kept)
      }).pipe(Effect.provide(keeping(kept)))
    })
  }

  it.effect("are other objects where something has changed", () => {
    const kept: Array<LanguageModel.ProviderOptions> = []
    return Effect.gen(function* () {
      const toolset = Toolset.prepared(ping, (tools, { step }) =>
        tools.map((tool) => ({ ...tool, description: `Step ${step}.` }))
      )
      yield* Agent.run(Agent.make({ toolsets: [toolset] }), { prompt })
      assert.deepStrictEqual(
        kept.map(({ tools }) => Tool.getDescription(tools[0]!)),
        ["Step 1.", "Step 2.", "Step 3."]
      )
    }).pipe(Effect.provide(keeping(kept)))
  })
})

describe("the messages of a request", () => {
  it.effect("are those of the one before, as objects, and what came since", () => {
    const kept: Array<LanguageModel.ProviderOptions> = []
    return Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [ping], instructions: "Be brief." })
      const { messages } = yield* Agent.run(agent, { prompt })
      const [first, second, third] = kept.map((options) => options.prompt.content)
      assert.deepStrictEqual(
        [first, second, third].map((one) => one?.length),
        [2, 4, 6]
      )
      second!.slice(0, 2).forEach((message, i) => assert.strictEqual(message, first![i]))
      third!.slice(0, 4).forEach((message, i) => assert.strictEqual(message, second![i]))
      messages.content.slice(0, 5).forEach((message, i) => assert.strictEqual(message, third![i + 1]))
    }).pipe(Effect.provide(keeping(kept)))
  })
})

describe("what is sent", () => {
  it.effect("is not in the messages of the run, which go on under others", () =>
    Effect.gen(function* () {
      const first = yield* Agent.run(Agent.make({ instructions: "Be brief." }), { prompt })
      assert.deepStrictEqual(
        first.messages.content.map((message) => message.role),
        ["user", "assistant"]
      )
      const second = yield* Agent.run(Agent.make({ instructions: "Be long." }), {
        prompt,
        history: first.messages
      })
      assert.deepStrictEqual(
        (yield* TestModel.requests).map((request) => request.prompt.content[0]?.content),
        ["Be brief.", "Be long."]
      )
      assert.isFalse(second.messages.content.some((message) => message.role === "system"))
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("may be instructions alone (P154)", () =>
    Effect.gen(function* () {
      const { messages } = yield* Agent.run(
        Agent.make({ toolsets: [Toolset.withInstructions(ping, "Ping.")] }),
        {}
      )
      assert.deepStrictEqual(
        (yield* TestModel.requests)[0]?.prompt.content.map((one) => one.role),
        ["system"]
      )
      assert.deepStrictEqual(
        messages.content.map((message) => message.role),
        ["assistant", "tool", "assistant"]
      )
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("is never nothing at all (P155)", () =>
    Effect.gen(function* () {
      const expected = new AgentDefinitionError({
        problem: "There is nothing to send to the model: no prompt, no history and no instructions.",
        hint: "Give the run a prompt."
      })
      for (const instructions of [undefined, " ", Effect.succeed("")]) {
        const agent = Agent.make({ instructions, toolsets: [ping] })
        for (const options of [{}, { prompt: Prompt.empty }, { history: Prompt.empty, prompt: [] }]) {
          assert.deepStrictEqual(yield* Effect.flip(Agent.run(agent, options)), expected)
        }
      }
      assert.deepStrictEqual(yield* TestModel.requests, [])
    }).pipe(Effect.provide(TestModel.layer()))
  )
})
