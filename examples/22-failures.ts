import { Effect, References, Schedule, Schema } from "effect"
import { Toolset } from "effect-toolset"

class Busy extends Schema.TaggedError<Busy>()("Busy", { after: Schema.Int }) {}
class NoOrder extends Schema.TaggedError<NoOrder>()("NoOrder", { id: Schema.Int }) {}

let attempts = 0
const order = Toolset.tool("order", {
  parameters: Schema.Struct({ id: Schema.Int }),
  handler: Effect.fnUntraced(function* ({ id }) {
    if (++attempts % 3 !== 0) return yield* new Busy({ after: 1 })
    return id === 7 ? "shipped" : yield* new NoOrder({ id })
  })
})

// What the transport can mend is nobody's business; what the model can mend it is asked to; the rest it is told.
const calm: Toolset.Toolset = order.pipe(
  Toolset.retried(Schedule.recurs(2)),
  Toolset.catchTags({ NoOrder: "retry" }),
  Toolset.onError("recover")
)

// One that is down is replaced.
const down = Toolset.unwrap(Effect.as(Effect.fail(new Busy({ after: 60 })), Toolset.empty))
const instead = Toolset.tool("offline", { handler: () => Effect.succeed("The shop is closed.") })

const program = Effect.gen(function* () {
  console.log(yield* Toolset.call(calm, "order", { id: 7 }))
  //> shipped
  console.log(`${yield* Effect.flip(Toolset.call(calm, "order", { id: 8 }))}`)
  //> ModelRetry: NoOrder: {"id":8}
  const standing = down.pipe(Toolset.orElse(instead))
  console.log((yield* Toolset.list(standing)).map((tool) => tool.name))
  //> [ 'offline' ]
})

await Effect.runPromise(program.pipe(Effect.provideService(References.MinimumLogLevel, "Error")))
