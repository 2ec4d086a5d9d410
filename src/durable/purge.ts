import { Context, Effect, Option } from "effect"
import { ClusterSchema, EntityAddress, EntityId, EntityType, MessageStorage, Sharding } from "effect/cluster"
import { type Workflow, WorkflowEngine } from "effect/workflow"
import { DurableError } from "./DurableError.ts"

/**
 * Removes everything that a cluster keeps of an execution which has ended: its steps, its answers and its result. Asked
 * for again, the execution runs from its start. Without it, everything is kept for ever.
 *
 * The process that ran it knows its answers for ten seconds more: purge before that only what nobody asks for again. An
 * execution that has not ended is refused: stop it first (`workflow.interrupt(executionId)`). For stores of one's own, see
 * `forget`.
 */
export const purge = Effect.fnUntraced(function* (
  workflow: Workflow.Any,
  executionId: string
): Effect.fn.Return<
  void,
  DurableError,
  WorkflowEngine.WorkflowEngine | MessageStorage.MessageStorage | Sharding.Sharding
> {
  const engine = yield* WorkflowEngine.WorkflowEngine
  const storage = yield* MessageStorage.MessageStorage
  const sharding = yield* Sharding.Sharding
  const entityId = EntityId.make(executionId)
  const shardId = sharding.getShardId(
    entityId,
    Context.get(workflow.annotations, ClusterSchema.ShardGroup)(entityId)
  )
  const addressOf = (entityType: string) =>
    EntityAddress.make({ entityType: EntityType.make(entityType), entityId, shardId })
  const address = addressOf(`Workflow/${workflow._tag}`)
  const reachable = Effect.mapError(unreachable(executionId))

  const begun = yield* storage.requestIdForPrimaryKey({ address, tag: "run", id: "" }).pipe(reachable)
  // `Any` hides schemas, which every workflow has.
  const result = yield* engine.poll(workflow as Workflow.Workflow<string, any, any, any>, executionId)
  const hasEnded = Option.isSome(result) && result.value._tag === "Complete"
  if (Option.isSome(begun) && !hasEnded) return yield* notEnded(workflow._tag, executionId)
  yield* storage.clearAddress(address).pipe(reachable)
  yield* storage.clearAddress(addressOf("Workflow/-/DurableClock")).pipe(reachable)
})

const notEnded = (workflowName: string, step: string) =>
  new DurableError({
    reason: "Workflow",
    step,
    problem: `This execution of ${workflowName} has not ended.`,
    hint: "Stop it first, with workflow.interrupt(executionId), or wait for it."
  })

const unreachable = (step: string) => (error: { readonly message: string }) =>
  new DurableError({
    reason: "Store",
    step,
    problem: `The cluster cannot be reached: ${error.message}.`,
    hint: "Purge again when it is there."
  })
