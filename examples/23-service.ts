import { Context, Effect, Layer, Schema } from "effect"
import { ServiceToolset, Toolset } from "effect-toolset"

class Bank extends Context.Service<
  Bank,
  {
    readonly balance: (account: string) => Effect.Effect<number>
    readonly transfer: (to: string, amount: number) => Promise<string>
    readonly close: () => Effect.Effect<void>
  }
>()("examples/Bank") {}

const live = Layer.succeed(Bank, {
  balance: () => Effect.succeed(1200),
  transfer: async (to, amount) => `sent ${amount} to ${to}`,
  close: () => Effect.void
})

// What is listed is a tool, and nothing else.
const bank = ServiceToolset.make(Bank, {
  methods: {
    balance: { parameters: Schema.Struct({ account: Schema.String }), arguments: ["account"] },
    transfer: {
      parameters: Schema.Struct({ to: Schema.String, amount: Schema.Finite }),
      arguments: ["to", "amount"],
      metadata: { risk: { level: "high" } }
    }
  }
})

const guarded = bank.pipe(
  Toolset.guard((tool, { amount }) =>
    !Toolset.hasMetadata({ risk: { level: "high" } })(tool)
      ? "allow"
      : Number(amount) < 100
        ? "ask"
        : { deny: "Too much for a model." }
  )
)

const program = Effect.gen(function* () {
  console.log(yield* Toolset.call(guarded, "balance", { account: "Ada" }))
  //> 1200
  console.log(`${yield* Effect.flip(Toolset.call(guarded, "transfer", { to: "Bob", amount: 20 }))}`)
  //> ApprovalRequired: The call waits for an approval.
  console.log(`${yield* Effect.flip(Toolset.call(guarded, "transfer", { to: "Bob", amount: 2000 }))}`)
  //> ToolFailed: Too much for a model.
  // In a test nothing is sent, and the rest stays as it is.
  const tested = bank.pipe(
    Toolset.stubbed({ transfer: () => "sent nothing" }),
    Toolset.filtered(Toolset.named("transfer"))
  )
  console.log(yield* Toolset.call(tested, "transfer", { to: "Bob", amount: 20 }))
  //> sent nothing
})

await Effect.runPromise(program.pipe(Effect.provide(live)))
