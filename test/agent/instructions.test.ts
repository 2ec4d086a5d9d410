import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Ref } from "effect"
import { Agent, RunContext, Toolset } from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"

const prompt = "Go."
const ping = Toolset.tool("ping", { handler: () => Effect.succeed("pong") })
const saying = Toolset.withInstructions

/** The instructions of each request: nothing, where there are none. */
const instructions = Effect.map(TestModel.requests, (requests) =>
  requests.map((request) => {
    const [first, ...others] = request.prompt.content
    assert.isFalse(others.some((message) => message.role === "system"))
    return first?.role === "system" ? first.content : undefined
  })
)

/** What the first request says, when an agent with these is run. */
const firstOf = <E>(options: {
  readonly instructions?: string | Effect.Effect<string, E>
  readonly toolsets?: ReadonlyArray<Toolset.Toolset>
}) =>
  Agent.run(Agent.make(options), { prompt }).pipe(
    Effect.andThen(instructions),
    Effect.map((all) => all[0]),
    Effect.provide(TestModel.layer())
  )

describe("the instructions of a request", () => {
  const cases: ReadonlyArray<
    [
      title: string,
      options: {
        readonly instructions?: string | Effect.Effect<string>
        readonly toolsets?: ReadonlyArray<Toolset.Toolset>
      },
      expected: string | undefined
    ]
  > = [
    ["are none by themselves", { toolsets: [ping] }, undefined],
    ["are the agent's", { instructions: "Be brief." }, "Be brief."],
    ["are those of a toolset", { toolsets: [ping.pipe(saying("Use ping."))] }, "Use ping."],
    [
      "are the agent's first, then the toolset's, with a blank line between (P150)",
      { instructions: "Be brief.", toolsets: [ping.pipe(saying("Use ping."))] },
      "Be brief.\n\nUse ping."
    ],
    [
      "are those of the toolsets in the order of the tree",
      {
        toolsets: [
          Toolset.combined(Toolset.empty.pipe(saying("1"), saying("2")), Toolset.empty.pipe(saying("3"))),
          Toolset.empty.pipe(saying("4"))
        ]
      },
      "1\n\n2\n\n3\n\n4"
    ],
    [
      "are static ones before dynamic ones",
      {
        instructions: Effect.succeed("dynamic 1"),
        toolsets: [
          Toolset.empty.pipe(saying(Effect.succeed("dynamic 2")), saying("static 1")),
          Toolset.empty.pipe(saying("static 2"))
        ]
      },
      "static 1\n\nstatic 2\n\ndynamic 1\n\ndynamic 2"
    ],
    [
      "are equal texts once, where they come first",
      {
        instructions: "A",
        toolsets: [Toolset.empty.pipe(saying("B"), saying("A"), saying(Effect.succeed("B")), saying(" B\n"))]
      },
      "A\n\nB"
    ],
    [
      "are without blank ones (P152)",
      { instructions: " \n\t", toolsets: [Toolset.empty.pipe(saying(""), saying("A"), saying("  "))] },
      "A"
    ],
    [
      "are none, where all are blank (P152)",
      { instructions: "", toolsets: [Toolset.empty.pipe(saying(" "), saying(Effect.succeed("\n")))] },
      undefined
    ],
    [
      "pass through what changes tools (P153)",
      {
        toolsets: [
          ping.pipe(
            saying("Use ping."),
            Toolset.prefixed("p"),
            Toolset.renamed({ q: "p_ping" }),
            Toolset.prepared((tools) => tools),
            Toolset.approvalRequired(() => false),
            Toolset.withMetadata({}),
            Toolset.wrapper((call, next) => next(call)),
            Toolset.sequential
          )
        ]
      },
      "Use ping."
    ],
    [
      "stay when every tool is filtered out",
      {
        toolsets: [
          ping.pipe(
            saying("Use ping."),
            Toolset.filtered(() => false)
          )
        ]
      },
      "Use ping."
    ],
    [
      "are those of what was chosen (P156)",
      { toolsets: [Toolset.dynamic(Effect.succeed(ping.pipe(saying("Use ping."))))] },
      "Use ping."
    ]
  ]
  for (const [title, options, expected] of cases) {
    it.effect(title, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* firstOf(options), expected)
      })
    )
  }

  it.effect("are of the run's toolsets too, after the agent's, under its transformation", () =>
    Effect.gen(function* () {
      const agent = Agent.make({
        instructions: "1",
        toolsets: [Toolset.empty.pipe(saying("2"))],
        transform: (all) => all.pipe(Toolset.prefixed("p"), saying("4"))
      })
      yield* Agent.run(agent, { prompt, toolsets: [ping.pipe(saying("3"))] })
      assert.deepStrictEqual(yield* instructions, ["1\n\n2\n\n3\n\n4", "1\n\n2\n\n3\n\n4"])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("are asked for at every step, once, where they are Effects", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const asked = (name: string) =>
        Effect.map(RunContext, ({ step }) => {
          log.push(`${name} ${step}`)
          return `${name} in step ${step}`
        })
      const agent = Agent.make({ instructions: asked("agent"), toolsets: [ping.pipe(saying(asked("tool")))] })
      yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(yield* instructions, [
        "agent in step 1\n\ntool in step 1",
        "agent in step 2\n\ntool in step 2"
      ])
      assert.deepStrictEqual(log.toSorted(), ["agent 1", "agent 2", "tool 1", "tool 2"])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("of a dynamic toolset are those of one choice per step (P156)", () =>
    Effect.gen(function* () {
      const chosen = yield* Ref.make(0)
      const choice = Effect.map(
        Ref.updateAndGet(chosen, (n) => n + 1),
        (n) => ping.pipe(saying(`Choice ${n}.`))
      )
      yield* Agent.run(Agent.make({ toolsets: [Toolset.dynamic(choice)] }), { prompt })
      assert.deepStrictEqual(yield* instructions, ["Choice 1.", "Choice 2."])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("need and fail with what their Effects do", () =>
    Effect.gen(function* () {
      class Name extends Context.Service<Name, string>()("test/Name") {}
      const agent = Agent.make({ instructions: Effect.map(Name, (name) => `You are ${name}.`) })
      yield* Effect.provideService(Agent.run(agent, { prompt }), Name, "Ada")
      assert.deepStrictEqual(yield* instructions, ["You are Ada."])
      const broken = Agent.make({ instructions: Effect.fail("no instructions" as const) })
      assert.strictEqual(yield* Effect.flip(Agent.run(broken, { prompt })), "no instructions")
      const tools = Agent.make({ toolsets: [ping.pipe(saying(Effect.fail("nothing to say" as const)))] })
      assert.strictEqual(yield* Effect.flip(Agent.run(tools, { prompt })), "nothing to say")
      assert.strictEqual((yield* TestModel.requests).length, 1)
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("may hold what they acquire for as long as they are asked", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const agent = Agent.make({
        instructions: Effect.acquireRelease(
          Effect.sync(() => (log.push("open"), "Be brief.")),
          () => Effect.sync(() => log.push("close"))
        )
      })
      const model = ScriptedModel.layer(() => (log.push("request"), ScriptedModel.text("Done.")))
      yield* Effect.provide(Agent.run(agent, { prompt }), model)
      assert.deepStrictEqual(log, ["open", "close", "request"])
    })
  )
})
