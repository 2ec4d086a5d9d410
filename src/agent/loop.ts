/** The loop: what waits in the history, then a step after the other, until one ends the run. */
import { Context, Effect, Option, Random, type Scope } from "effect"
import { IdGenerator, type LanguageModel, Prompt } from "effect/ai"
import { flat } from "../toolset/environment.ts"
import type { Any, Toolset } from "../toolset/model.ts"
import { opened } from "../toolset/opening.ts"
import type { AgentError } from "./AgentError.ts"
import type { Bounds } from "./bounds.ts"
import type { Ended } from "./conclude.ts"
import { durably, recordedWhereDurable } from "./durable/durably.ts"
import { check, goOn } from "./goOn.ts"
import type { Ledger } from "./ledger.ts"
import type { Spec } from "./model.ts"
import { Nesting, nesting, newInside } from "./nesting.ts"
import { Override } from "./override.ts"
import { ask, instructing } from "./request.ts"
import type { AnyRunOptions, Result } from "./run.ts"
import type { Running, Watch } from "./running.ts"
import { type Settings, settingsOf } from "./settings.ts"
import { spanned } from "./spanned.ts"
import { step } from "./step.ts"

/** A run of an agent, in the current scope. `any`: the output is what the agent says it is. */
export const loop = <E, R>(
  spec: Spec<E, R>,
  options: AnyRunOptions,
  ledger: Ledger,
  watch: Watch,
  outside?: Bounds | undefined
): Effect.Effect<Result<any>, AgentError | E, LanguageModel.LanguageModel | R | Scope.Scope> =>
  spanned(`invoke_agent ${nameOf(spec)}`, attributesOf(spec), (span) =>
    Effect.gen(function* () {
      const settings = yield* settingsOf(spec, options)
      const runId = options.durable?.runId ?? (yield* newId)
      span.attribute("effect_toolset.run.id", runId)
      return yield* durably(
        options.durable,
        nameOf(spec),
        settings.outputs,
        ledger
      )(going(spec, settings, options, ledger, watch, runId, outside))
    })
  )

/** Whether a run that is to go on would: finds what does not fit, and runs nothing. */
export const checked = <E, R>(
  spec: Spec<E, R>,
  options: AnyRunOptions,
  ledger: Ledger
): Effect.Effect<void, AgentError | E, R | Scope.Scope> =>
  Effect.gen(function* () {
    const settings = yield* settingsOf(spec, options)
    const running = yield* started(spec, settings, options, ledger, unwatched, "check", undefined)
    yield* nestingIn(running)(check(running))
  })

const going = <E, R>(
  spec: Spec<E, R>,
  settings: Settings<E>,
  options: AnyRunOptions,
  ledger: Ledger,
  watch: Watch,
  runId: string,
  outside: Bounds | undefined
) =>
  Effect.gen(function* () {
    const live = yield* started(spec, settings, options, ledger, watch, runId, outside)
    const running = yield* recordedWhereDurable<E, R>(live)
    const { output } = yield* nestingIn(running)(steps(running))
    return {
      output,
      messages: ledger.messages,
      newMessages: ledger.newMessages,
      usage: ledger.usage,
      replayed: ledger.replayed,
      runId
    }
  })

/** Its toolsets are open, and nothing has been asked. */
const started = <E, R>(
  spec: Spec<E, R>,
  settings: Settings<E>,
  options: AnyRunOptions,
  ledger: Ledger,
  watch: Watch,
  runId: string,
  outside: Bounds | undefined
): Effect.Effect<Running<E, R>, AgentError | E, R | Scope.Scope> =>
  Effect.gen(function* () {
    const toolset = yield* toolsetOf(spec, options.toolsets ?? [])
    const listing = yield* opened(toolset)
    return {
      runId,
      spec,
      settings,
      options,
      toolset,
      listing,
      instruct: instructing(),
      ledger,
      inside: newInside(),
      bounds: { limits: settings.limits, ledger, outside },
      watch,
      answering: () => [options.onDeferred ?? []].flat(),
      claim: undefined
    }
  })

/** What runs inside of calls knows whose calls they are. */
const nestingIn =
  ({ bounds, inside, ledger }: Running<unknown, unknown>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateContext(effect, (around: Context.Context<R>) =>
      flat(Context.add(around, Nesting, nesting(ledger, inside, bounds)))
    )

/** Nobody watches. */
export const unwatched: Watch = { ask, emit: undefined }

const steps = Effect.fnUntraced(function* <E, R>(
  running: Running<E, R>
): Effect.fn.Return<Ended, AgentError | E, LanguageModel.LanguageModel | R> {
  const { ledger, options } = running
  let ended = yield* goOn(running)
  // Also where calls wait again: they are answered before it.
  if (options.prompt !== undefined) ledger.say(...Prompt.make(options.prompt).content)
  for (let number = 1; ended === undefined; number++) {
    ended = yield* spanned(`step ${number}`, {}, () => step(running, number))
  }
  return ended
})

/** The toolsets of the agent and of the run; those of an override in the place of both. */
const toolsetOf = <E, R>(spec: Spec<E, R>, extra: ReadonlyArray<Any>): Effect.Effect<Toolset<E, R>> =>
  Effect.map(Override, (override): Toolset<E, R> =>
    override === undefined ? spec.toolset(extra) : spec.transform(override)
  )

const nameOf = (spec: Spec<unknown, unknown>): string => spec.name ?? "agent"

const attributesOf = (spec: Spec<unknown, unknown>) => ({
  "gen_ai.operation.name": "invoke_agent",
  "gen_ai.agent.name": nameOf(spec)
})

const newId = Effect.flatMap(Effect.serviceOption(IdGenerator.IdGenerator), (service) =>
  Option.isSome(service)
    ? service.value.generateId()
    : Effect.zipWith(Random.next, Random.next, (a, b) => `run_${digits(a)}${digits(b)}`)
)

/** Ten digits of a number between 0 and 1. */
const digits = (random: number): string =>
  Math.floor(random * 36 ** 10)
    .toString(36)
    .padStart(10, "0")
