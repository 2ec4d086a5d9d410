import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Logger, Option, References, Scope } from "effect"
import { Agent, ApprovalRequired, DeferralNotAllowed, RunContext, ToolCall, Toolset } from "effect-toolset"
import { outsideOfRuns } from "effect-toolset/RunContext"
import { ScriptedModel } from "effect-toolset/testing"
import { inStep, logged, namesOf, textsOf } from "./resources.ts"

class Who extends Context.Service<Who, string>()("test/Who") {}

/** What an effect finds around it. */
interface Seen {
  readonly place: string
  readonly who: string
  readonly run: string | undefined
  readonly call: string | undefined
  readonly approved: boolean
  readonly span: string | undefined
  readonly annotation: unknown
  readonly logger: string | undefined
}

const logger = (name: string) =>
  Object.assign(
    Logger.make(() => {}),
    { name }
  )

/** A toolset that looks around in every place where it can. */
const looking = () => {
  const seen: Array<Seen> = []
  const look = (place: string) =>
    Effect.gen(function* () {
      const run = Option.getOrUndefined(yield* Effect.serviceOption(RunContext))
      const call = Option.getOrUndefined(yield* Effect.serviceOption(ToolCall))
      const span = Option.getOrUndefined(yield* Effect.option(Effect.currentSpan))
      const annotations = yield* References.CurrentLogAnnotations
      const [own] = Array.from(yield* Logger.CurrentLoggers).filter((one) => "name" in one)
      seen.push({
        place,
        who: yield* Who,
        run: run?.runId,
        call: call?.id,
        approved: call?.approved ?? false,
        span: span?.name,
        annotation: annotations["from"],
        logger: own?.name as string | undefined
      })
    })
  const no = (place: string) => Effect.as(look(place), false)
  const toolset = Toolset.tool("look", {
    validateArgs: () => look("validator"),
    requiresApproval: () => no("requiresApproval"),
    handler: () => look("handler")
  }).pipe(
    Toolset.filtered(() => Effect.as(look("filter"), true)),
    Toolset.prepared((tools) => Effect.as(look("preparer"), tools)),
    Toolset.withInstructions(Effect.as(look("instructions"), "")),
    Toolset.approvalRequired(() => no("gate")),
    Toolset.wrapper((call, next) => Effect.andThen(look("wrapper"), next(call)))
  )
  const choosing = Toolset.dynamic(Effect.as(look("choice"), toolset))
  return { seen, toolset, choosing }
}

const inCall = ["validator", "requiresApproval", "gate", "wrapper", "handler"]

/** Runs an effect in a handler of an approved call, in a run, a span and a log that are all called `name`. */
const within =
  (name: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      let result: Exit.Exit<A, E> | undefined
      const outer = Toolset.tool("outer", {
        handler: () => Effect.map(Effect.exit(effect), (exit) => void (result = exit))
      })
      const call = { id: name, name, exposedName: name, attempt: 0, maxRetries: 1, lastAttempt: false }
      yield* Toolset.call(outer, "outer", {}).pipe(
        Effect.provideService(RunContext, { ...outsideOfRuns(), runId: name }),
        Effect.provideService(ToolCall, {
          ...call,
          metadata: {},
          approved: true,
          progress: () => Effect.void
        }),
        Effect.annotateLogs("from", name),
        Effect.provide(Logger.layer([logger(name)])),
        Effect.withSpan(name)
      )
      return yield* result!
    })

type Looking = ReturnType<typeof looking>

/** Ways to open a toolset here, with the services of here, for whoever calls it later. */
const captures = {
  "Toolset.open": ({ choosing }: Looking) =>
    Effect.map(Toolset.open(choosing), (session) =>
      Effect.andThen(session.call("look", {}), textsOf(session))
    ),
  "Toolset.provide of a captured context": ({ choosing }: Looking) =>
    Effect.map(Effect.context<Who>(), (context) => using(choosing.pipe(Toolset.provide(context)))),
  "Toolset.provide of a layer of a captured context": ({ choosing }: Looking) =>
    Effect.map(Effect.context<Who>(), (context) =>
      using(choosing.pipe(Toolset.provide(Layer.succeedContext(context))))
    ),
  "Toolset.shared": ({ toolset }: Looking) => Effect.map(Toolset.shared(toolset), using)
}
const using = <E>(self: Toolset.Toolset<E>) =>
  Effect.scoped(
    Effect.flatMap(Toolset.open(self), (session) =>
      Effect.andThen(session.call("look", {}), textsOf(session))
    )
  )

/** A call of a toolset that was opened in a handler, and what is seen in it. */
const captured = Effect.fnUntraced(function* (capture: (typeof captures)[keyof typeof captures]) {
  const around = looking()
  const scope = yield* Effect.scope
  const opening = capture(around).pipe(Scope.provide(scope), Effect.provideService(Who, "captured"))
  const call = yield* within("capture")(opening)
  around.seen.length = 0
  return { call, seen: around.seen }
})

describe("environment", () => {
  for (const [way, capture] of Object.entries(captures)) {
    it.effect(`${way} brings services into a call, and nothing of where it stands`, () =>
      Effect.gen(function* () {
        const { call, seen } = yield* captured(capture)
        yield* call.pipe(inStep(1))
        const listing = ["filter", "preparer", "instructions"]
        assert.includeMembers(
          seen.map(({ place }) => place),
          [...listing, ...inCall]
        )
        for (const { place, ...around } of seen) {
          assert.strictEqual(around.who, "captured", place)
          const nothing = { run: "direct", approved: false, annotation: undefined, logger: undefined }
          assert.deepInclude(around, nothing, place)
          assert.strictEqual(around.call, inCall.includes(place) ? "direct" : undefined, place)
          assert.oneOf(around.span, [undefined, "execute_tool look"], place)
        }
      })
    )

    it.effect(`${way} leaves a call in the run, the span and the log of its caller`, () =>
      Effect.gen(function* () {
        const { call, seen } = yield* captured(capture)
        yield* call.pipe(within("caller"))
        for (const { place, ...around } of seen) {
          assert.strictEqual(around.who, "captured", place)
          assert.deepInclude(around, { run: "caller", annotation: "caller", logger: "caller" }, place)
          // An approval is for one call, and not for those made in it.
          if (inCall.includes(place)) assert.deepInclude(around, { call: "direct", approved: false }, place)
          assert.oneOf(around.span, ["execute_tool outer", "execute_tool look"], place)
        }
      })
    )
  }

  it.effect("an approved call does not approve one that is made in it", () =>
    Effect.gen(function* () {
      const inner = Toolset.tool("inner", { requiresApproval: true, handler: () => Effect.succeed("done") })
      const gated = Toolset.tool("inner", { handler: () => Effect.succeed("done") }).pipe(
        Toolset.approvalRequired()
      )
      const session = yield* Toolset.open(inner)
      const captured = yield* Effect.context().pipe(within("capture"))
      const calls = [
        Toolset.call(inner, "inner", {}),
        Toolset.call(gated, "inner", {}),
        Toolset.call(inner.pipe(Toolset.provide(captured)), "inner", {}),
        session.call("inner", {}),
        Effect.scoped(Effect.flatMap(Toolset.open(inner), (session) => session.call("inner", {}))),
        Effect.scoped(Effect.flatMap(Toolset.shared(inner), (shared) => Toolset.call(shared, "inner", {})))
      ]
      for (const call of calls)
        assert.instanceOf(yield* Effect.flip(call).pipe(within("outer")), ApprovalRequired)
      const model = ScriptedModel.layer([ScriptedModel.calls({ inner: {} })])
      const run = Agent.run(Agent.make({ toolsets: [inner] }), { prompt: "Go." }).pipe(Effect.provide(model))
      assert.instanceOf(yield* Effect.flip(run).pipe(within("outer")), DeferralNotAllowed)
    })
  )

  it.effect("is captured when a toolset is opened; the caller's services are over it", () =>
    Effect.gen(function* () {
      const { seen, toolset } = looking()
      const session = yield* Toolset.open(toolset).pipe(Effect.provideService(Who, "opening"))
      yield* session.call("look", {}).pipe(inStep(1))
      assert.deepStrictEqual(new Set(seen.map(({ who }) => who)), new Set(["opening"]))
      seen.length = 0
      yield* Effect.andThen(session.call("look", {}), textsOf(session)).pipe(
        inStep(2),
        Effect.provideService(Who, "caller")
      )
      assert.deepStrictEqual(new Set(seen.map(({ who }) => who)), new Set(["caller"]))
    })
  )

  it.effect(
    "a Scope is that of its effect: the call's, the predicate's, the listing's; unwrap's is the run's",
    () =>
      Effect.gen(function* () {
        const log = logged()
        const here = (place: string) => Effect.asVoid(log.resource(place))
        const toolset = Toolset.unwrap(
          Effect.as(
            here("unwrap"),
            Toolset.tool("a", {
              validateArgs: () => here("validator"),
              requiresApproval: () => Effect.as(here("predicate"), false),
              handler: () => Effect.andThen(here("handler"), log.say("handler ends"))
            })
          )
        ).pipe(
          Toolset.filtered(() => Effect.as(here("filter"), true)),
          Toolset.withInstructions(Effect.as(here("instructions"), "")),
          Toolset.wrapper((call, next) =>
            Effect.andThen(here("wrapper"), Effect.tap(next(call), log.say("wrapper ends")))
          )
        )
        const alone = (place: string) => [`open ${place}`, `close ${place}`]
        yield* Effect.scoped(
          Effect.gen(function* () {
            const session = yield* Toolset.open(toolset)
            assert.deepStrictEqual(yield* log.recent, ["open unwrap"])
            yield* Effect.andThen(namesOf(session), textsOf(session)).pipe(inStep(1))
            assert.deepStrictEqual(yield* log.recent, [...alone("filter"), ...alone("instructions")])
            yield* session.call("a", {}).pipe(inStep(2))
            assert.deepStrictEqual(yield* log.recent, [
              ...alone("filter"),
              ...alone("validator"),
              "open wrapper",
              ...alone("predicate"),
              "open handler",
              "handler ends",
              "close handler",
              "wrapper ends",
              "close wrapper"
            ])
          })
        )
        assert.deepStrictEqual(log.events, ["close unwrap"])
      })
  )
})
