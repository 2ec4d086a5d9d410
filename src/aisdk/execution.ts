/** One call of a tool of the AI SDK. */
import { Effect, Predicate } from "effect"
import { signalled } from "../interop/signalled.ts"
import { RunContext } from "../RunContext.ts"
import { ToolCall } from "../ToolCall.ts"
import type { ToolReturn } from "../ToolReturn.ts"
import { anyResult } from "../toolset/result.ts"
import { messagesBefore } from "./messages.ts"
import { returned } from "./fromModelOutput.ts"
import type { Failure, Held, Sdk } from "./held.ts"

type Calling<A> = Effect.Effect<A, Failure, RunContext | ToolCall>

/** Calls `execute`, and then `toModelOutput`, where there is one. */
export const executed = (
  held: Held,
  execute: NonNullable<Sdk["execute"]>,
  input: unknown
): Calling<ToolReturn> =>
  Effect.gen(function* () {
    const { failure, tool } = held
    const about = yield* aboutCall(held)
    const output = yield* signalled((abortSignal) =>
      outputOf(failure, () => execute.call(tool, input, { ...about, abortSignal }))
    )
    const { toModelOutput } = tool
    if (toModelOutput === undefined) return yield* anyResult.encode(output)
    const { toolCallId } = about
    const said = yield* promised(failure, () => toModelOutput.call(tool, { toolCallId, input, output }))
    return yield* Effect.flatMap(returned(said, output), anyResult.encode)
  })

/** Whether somebody has to say yes to the call. */
export const isAsked = (
  held: Held,
  needsApproval: Extract<Sdk["needsApproval"], Function>,
  input: unknown
): Calling<boolean> =>
  Effect.flatMap(aboutCall(held), (about) =>
    promised(held.failure, () => needsApproval.call(held.tool, input, about))
  )

/** What the AI SDK tells a tool of its call. */
const aboutCall = ({ context }: Held) =>
  Effect.gen(function* () {
    const { id: toolCallId } = yield* ToolCall
    const { messages } = yield* RunContext
    return { toolCallId, messages: messagesBefore(toolCallId, messages), context }
  })

/** What was given at once, or promised, or yielded last. */
const outputOf = (failure: Held["failure"], execute: () => unknown): Calling<unknown> =>
  Effect.flatMap(Effect.try({ try: execute, catch: failure }), (given): Calling<unknown> =>
    isAsyncIterable(given) ? lastOf(failure, given) : promised(failure, () => given)
  )

/** Each value is progress when it comes, since nobody knows yet whether it is the last one. */
const lastOf = (failure: Held["failure"], values: AsyncIterable<unknown>): Calling<unknown> =>
  Effect.gen(function* () {
    const { progress } = yield* ToolCall
    const iterator = values[Symbol.asyncIterator]()
    const next = promised(failure, () => iterator.next())
    const pull = Effect.gen(function* () {
      let last: unknown
      for (;;) {
        const { done, value } = yield* next
        if (done === true) return last
        last = value
        yield* progress(value)
      }
    })
    // Not awaited: a generator that waits for something takes notice when that has come.
    return yield* Effect.onInterrupt(pull, () =>
      Effect.sync(() => void Promise.resolve(iterator.return?.()).catch(() => {}))
    )
  })

const promised = <A>(failure: Held["failure"], ask: () => A | PromiseLike<A>): Effect.Effect<A, Failure> =>
  Effect.tryPromise({ try: async () => ask(), catch: failure })

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  Predicate.hasProperty(value, Symbol.asyncIterator) && Predicate.isFunction(value[Symbol.asyncIterator])
