import { Effect, Schema } from "effect"
import { DurableDeferred, WorkflowEngine } from "effect/workflow"
import {
  DeferredAnswer,
  type DeferredAnswered,
  type DeferredCall,
  type DeferredToolRequests,
  DeferredToolResults
} from "../../Deferred.ts"
import { DurableError } from "../../durable/DurableError.ts"
import { claimIn, CurrentJournal, type Journal } from "../../durable/journal.ts"
import { step } from "../../durable/slot.ts"
import type { OnDeferred } from "../run.ts"

/** A call that waits, and the token by which `answer` finds it again. */
export interface Asked {
  /** An `approval` waits for a yes or a no, a `call` for its result. */
  readonly kind: "approval" | "call"
  readonly request: DeferredCall
  /** Text that goes into a link or a message. It is no secret: it can be guessed. */
  readonly token: string
}

/**
 * For the `onDeferred` of a run in a workflow (`layerWorkflow`): tells somebody what waits, once, and waits for `answer`,
 * which may come from another process and days later. Until then the run is at rest: nothing of it is open anywhere, and
 * no process has to live.
 *
 * ```ts run
 * import { Effect, Layer, Queue, Schema } from "effect"
 * import { Workflow, WorkflowEngine } from "effect/workflow"
 * import { Agent, Toolset } from "effect-toolset"
 * import * as Durable from "effect-toolset/Durable"
 * import { TestModel } from "effect-toolset/testing"
 *
 * const inbox = Effect.runSync(Queue.unbounded<Durable.Asked>())
 * const pay = Toolset.tool("pay", { requiresApproval: true, handler: () => Effect.succeed("paid") })
 * const agent = Agent.make({ toolsets: [Toolset.withId(pay, "bank")] })
 * const Order = Workflow.make("Order", {
 *   payload: { id: Schema.String },
 *   idempotencyKey: ({ id }) => id,
 *   success: Schema.String
 * })
 * const OrderLive = Order.toLayer((_, runId) =>
 *   Agent.run(agent, {
 *     prompt: "A teapot, please.",
 *     durable: { runId },
 *     onDeferred: Durable.awaitAnswers((asked) => Queue.offerAll(inbox, asked))
 *   }).pipe(
 *     Effect.map(({ output }) => output),
 *     Effect.orDie
 *   )
 * ).pipe(
 *   Layer.provide([Durable.layerWorkflow, TestModel.layer()]),
 *   Layer.provideMerge(WorkflowEngine.layerMemory)
 * )
 * const program = Effect.gen(function* () {
 *   const executionId = yield* Order.execute({ id: "7" }, { discard: true })
 *   const { kind, request, token } = yield* Queue.take(inbox)
 *   console.log(kind, request.toolName)
 *   yield* Durable.answer(token, { approval: true })
 *   return yield* Order.execute({ id: "7" })
 * })
 * console.log(await Effect.runPromise(program.pipe(Effect.provide(OrderLive))))
 * //> approval pay
 * //> {"pay":"paid"}
 * ```
 */
export const awaitAnswers = <E, R>(
  announce: (asked: ReadonlyArray<Asked>) => Effect.Effect<unknown, E, R>
): OnDeferred<E | DurableError, R | WorkflowEngine.WorkflowEngine | WorkflowEngine.WorkflowInstance> =>
  Effect.fnUntraced(function* (requests) {
    const journal = yield* CurrentJournal
    if (journal === undefined) return yield* notDurable
    const instance = yield* WorkflowEngine.WorkflowInstance
    const waiting = yield* Effect.forEach(openIn(requests), ({ kind, request }) =>
      Effect.map(waitFor(journal, kind, request), (deferred) => ({
        deferred,
        asked: {
          kind,
          request,
          token: DurableDeferred.tokenFromExecutionId(deferred, instance)
        }
      }))
    )
    yield* step(
      { name: "announce", id: null, schema: Schema.Null },
      Effect.as(announce(waiting.map(({ asked }) => asked)), null)
    )
    const answers = yield* Effect.forEach(waiting, ({ asked: { kind, request }, deferred }) =>
      Effect.map(Effect.flatMap(DurableDeferred.await(deferred), readable), (answer): DeferredAnswered => ({
        toolCallId: request.toolCallId,
        request,
        asked: kind,
        given: kind,
        answer
      }))
    )
    return new DeferredToolResults({ answers, suspended: requests.suspended })
  })

const openIn = ({ approvals, calls }: DeferredToolRequests) => [
  ...approvals.map((request) => ({ kind: "approval" as const, request })),
  ...calls.map((request) => ({ kind: "call" as const, request }))
]

/** Named after its place: models may give the calls of each response the same ids. */
const waitFor = (journal: Journal, kind: Asked["kind"], { digest, toolCallId }: DeferredCall) =>
  Effect.map(
    Effect.promise(() => claimIn(journal, kind, [toolCallId, digest]).key),
    (key) => DurableDeferred.make(`${kind}/${key}`, { success: Schema.Json })
  )

/** It comes from outside. */
const readable = (answer: Schema.Json): Effect.Effect<DeferredAnswer> =>
  Effect.catch(decode(answer), ({ message }) =>
    Effect.succeed<DeferredAnswer>({ _tag: "Unusable", problem: message })
  )

const decode = Schema.decodeUnknownEffect(Schema.toCodecJson(DeferredAnswer))

const notDurable = new DurableError({
  reason: "Workflow",
  step: "awaitAnswers",
  problem: "The run is not durable, and could not go on when its answers come.",
  hint: "Run it with durable: { runId }, and with Durable.layerWorkflow."
})
