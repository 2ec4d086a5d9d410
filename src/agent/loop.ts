/** The loop: what waits in the history, then a step after the other, until one ends the run. */
import { Effect, Option, Random, type Scope } from "effect"
import { IdGenerator, type LanguageModel, Prompt } from "effect/ai"
import type { Any, Toolset } from "../toolset/model.ts"
import { opened } from "../toolset/opening.ts"
import type { AgentError } from "./AgentError.ts"
import type { Ended } from "./conclude.ts"
import { durably, recordedWhereDurable } from "./durable/durably.ts"
import { goOn } from "./goOn.ts"
import type { Ledger } from "./ledger.ts"
import type { Spec } from "./model.ts"
import { type Inside, Nesting, nestingIn } from "./nesting.ts"
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
  watch: Watch
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
      )(going(spec, settings, options, ledger, watch, runId))
    })
  )

const going = <E, R>(
  spec: Spec<E, R>,
  settings: Settings<E>,
  options: AnyRunOptions,
  ledger: Ledger,
  watch: Watch,
  runId: string
) =>
  Effect.gen(function* () {
    const toolset = yield* toolsetOf(spec, options.toolsets ?? [])
    const listing = yield* opened(toolset)
    const inside: Inside = { suspended: new Map(), resumed: new Map() }
    const instruct = instructing()
    const running = yield* recordedWhereDurable<E, R>({
      runId,
      spec,
      settings,
      options,
      listing,
      instruct,
      ledger,
      inside,
      watch,
      answering: () => [options.onDeferred ?? []].flat(),
      claim: undefined
    })
    const { output } = yield* Effect.provideService(steps(running), Nesting, nestingIn(ledger, inside))
    return {
      output,
      messages: ledger.messages,
      newMessages: ledger.newMessages,
      usage: ledger.usage,
      replayed: ledger.replayed,
      runId
    }
  })

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
