/** What an approval is bound to, and whether that is still so. */
import { Effect, Equal } from "effect"
import type { RunContext } from "../RunContext.ts"
import type { DeferredCall } from "../Deferred.ts"
import { isToolSignal } from "../ToolSignal.ts"
import type { ToolResultError } from "../ToolsetError.ts"
import type { Offer } from "../toolset/collect.ts"
import { decodedBy } from "../toolset/dispatch.ts"
import type { Tool } from "../toolset/model.ts"
import type { DeferredResultsMismatch } from "./AgentError.ts"
import { digest } from "./digest.ts"
import type { Placed } from "./history.ts"
import { mismatch } from "./misfit.ts"
import type { Granting } from "./resume.ts"

/** Of a call: as its tool has decoded it, and as it would run. */
export const digestOf = (
  { id, name, place }: Placed,
  source: ReadonlyArray<string>,
  decoded: unknown,
  args: unknown
): Effect.Effect<string> => digest([id, name, place, source, decoded, args])

/** The arguments of a request as its tool decoded them. */
const decodedIn = (request: DeferredCall): unknown =>
  "decodedArgs" in request ? request.decodedArgs : request.args

/** The tools that were granted are those that are offered now, and would run what was granted: those that will. */
export const stillGranted = <E>(
  offer: Offer<E>,
  granted: ReadonlyArray<Granting>
): Effect.Effect<ReadonlyArray<Granting>, E | DeferredResultsMismatch | ToolResultError, RunContext> =>
  Effect.forEach(granted, (one) =>
    Effect.gen(function* () {
      const { call, isChanged, request } = one
      const tool = offer.byName.get(call.name)
      if (tool === undefined) return yield* gone(`The tool '${call.name}' is not offered any more`, request)
      if (!Equal.equals(tool.origin, request.source))
        return yield* gone(`'${call.name}' is another tool now`, request)
      const asked = "changedArgs" in request ? request.changedArgs : request.rawArgs
      if (yield* wouldRun(tool, one, asked)) return one
      // A default that is another one each time was shown with a value, and with that it runs.
      const shown = decodedIn(request)
      if (!(yield* wouldRun(tool, one, shown)))
        return yield* gone(`'${call.name}' would run with other arguments`, request)
      return isChanged ? one : { ...one, call: { ...call, args: shown } }
    })
  )

/** Whether a tool makes of these arguments what was granted. */
const wouldRun = Effect.fnUntraced(function* <E>(
  tool: Tool<E>,
  { call, request }: Granting,
  args: unknown
): Effect.fn.Return<boolean, E | ToolResultError, RunContext> {
  const decoded = yield* decodedBy(tool, { ...call, args })
  if (isToolSignal(decoded)) return false
  const encoded = yield* decoded.encoded()
  const runs = "decodedArgs" in request ? request.args : encoded
  return (yield* digestOf(call, tool.origin, encoded, runs)) === request.digest
})

const gone = (problem: string, request: DeferredCall) =>
  mismatch(`${problem}; nothing has been executed`, [request.toolCallId])
