import { Effect, Exit, Schema } from "effect"
import { DurableDeferred, WorkflowEngine } from "effect/workflow"
import {
  type Answers,
  type Approval,
  DeferredAnswer,
  DeferredToolRequests,
  DeferredToolResults
} from "../../Deferred.ts"
import { DurableError } from "../../durable/DurableError.ts"
import { recordable } from "../../durable/recordable.ts"

/** What is said to a call that waits: to an approval whether it may run, to any other its result. */
export type Reply =
  | {
      readonly approval: Approval
      readonly metadata?: Readonly<Record<string, Schema.Json>> | undefined
    }
  | { readonly result: unknown }

/**
 * Answers a call that waits in a workflow (`awaitAnswers`), from whichever process. The first answer counts.
 *
 * What cannot be an answer is refused before anything is stored: a token that is none, an approval for a call that waits
 * for its result, a result that is not JSON. The engine may be that of a client (`clientOnly`), which runs no workflows.
 */
export const answer = Effect.fnUntraced(function* (
  token: string,
  reply: Reply
): Effect.fn.Return<void, DurableError, WorkflowEngine.WorkflowEngine> {
  const engine = yield* WorkflowEngine.WorkflowEngine
  const { deferredName, executionId, workflowName } = yield* Effect.mapError(parsed(token), () =>
    refused(token, "This is no token of a call that waits.")
  )
  const asked = deferredName.slice(0, deferredName.indexOf("/"))
  const given = "result" in reply ? "call" : "approval"
  if (asked !== "call" && asked !== "approval")
    return yield* refused(deferredName, "This is no token of a call that waits.")
  if (asked !== given) return yield* refused(deferredName, wrong[asked])
  const said = answerOf(reply)
  if (said._tag === "Unusable")
    return yield* refused(deferredName, `The answer cannot be used: ${said.problem}.`)
  const json = yield* Effect.orDie(encode(said))
  const exit = Exit.succeed(yield* recordable(deferredName, json as Schema.Json))
  const deferred = DurableDeferred.make(deferredName, { success: Schema.Json })
  yield* engine.deferredDone(deferred, { workflowName, executionId, deferredName, exit })
})

const parsed = Schema.decodeEffect(DurableDeferred.TokenParsed.FromString)

const encode = Schema.encodeEffect(Schema.toCodecJson(DeferredAnswer))

/** As it would be among the answers to requests. */
const answerOf = (reply: Reply): DeferredAnswer => {
  const answers: Answers =
    "result" in reply
      ? { calls: { it: reply.result } }
      : { approvals: { it: reply.approval }, metadata: { it: reply.metadata ?? {} } }
  return DeferredToolResults.from(nothing, answers).answers[0]!.answer
}

const nothing = new DeferredToolRequests({ calls: [], approvals: [], suspended: [] })

const wrong = {
  approval: "The call waits for an approval, and was given a result.",
  call: "The call waits for its result, and was given an approval."
}

const refused = (step: string, problem: string) =>
  new DurableError({
    reason: "Workflow",
    step,
    problem,
    hint: "Nothing was stored: answer again, with { approval } or { result } as the kind of what was asked says."
  })
