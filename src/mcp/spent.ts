/** A connection that nothing is sent over once it was lost. */
import { Effect } from "effect"
import type { Connection } from "./connection.ts"
import { Trouble } from "./trouble.ts"

/** What comes after the loss was not sent, so that it can be asked of the next connection, whatever it is. */
export const spent = (connection: Connection): Connection => {
  let loss: Trouble | undefined
  const unlessLost = <A>(request: Effect.Effect<A, Trouble>): Effect.Effect<A, Trouble> =>
    Effect.suspend(() =>
      loss === undefined
        ? Effect.tapError(request, (trouble) =>
            Effect.sync(() => {
              if (trouble._tag === "Lost") loss = Trouble.Lost({ ...trouble, sent: false })
            })
          )
        : Effect.fail(loss)
    )
  return {
    ...connection,
    list: unlessLost(connection.list),
    call: (tool, args) => unlessLost(connection.call(tool, args))
  }
}
