/** What the servers of the tests serve. */
import { Console, Context, Duration, Effect, Ref, Schema } from "effect"
import { Prompt, Tool } from "effect/ai"
import { ModelRetry, ToolCall, ToolFailed, ToolReturn, Toolset } from "effect-toolset"

class City extends Schema.Class<City>("City")({ name: Schema.String, degrees: Schema.Finite }) {}

const weather = Toolset.tool("weather", {
  description: "The weather in a city.",
  parameters: Schema.Struct({ city: Schema.String }),
  success: City,
  annotations: Context.empty().pipe(
    Context.add(Tool.Readonly, true),
    Context.add(Tool.Title, "Weather")
  ) as Context.Context<never>,
  handler: Effect.fnUntraced(function* ({ city }) {
    if (city === "Atlantis") return yield* new ModelRetry({ message: "There is no such city." })
    if (city === "Oz") return yield* new ToolFailed({ message: "Oz is closed." })
    return new City({ name: city, degrees: 20 })
  })
})

const plain = Toolset.combined(
  Toolset.tool("list", { success: Schema.Array(Schema.Finite), handler: () => Effect.succeed([1, 2]) }),
  Toolset.tool("hello", { handler: () => Effect.as(Console.error("on stderr"), "hello") }),
  Toolset.tool("picture", {
    handler: () =>
      Effect.succeed(
        new ToolReturn({
          value: "a picture",
          modelOutput: [
            Prompt.textPart({ text: "Look:" }),
            Prompt.filePart({ mediaType: "image/png", data: new Uint8Array([1, 2, 3]) })
          ]
        })
      )
  }),
  Toolset.tool("logs", { handler: () => Effect.as(Effect.logInfo("a log line"), "logged") }),
  Toolset.tool("breaks", { handler: () => Effect.fail("secret reason" as const) }),
  Toolset.tool("dies", { handler: () => Effect.die("secret defect") }),
  Toolset.tool("hangs", { handler: () => Effect.never }),
  Toolset.tool("counts", {
    handler: () =>
      Effect.gen(function* () {
        const { progress } = yield* ToolCall
        yield* progress({ progress: 1, total: 2 })
        yield* progress({ progress: 2, total: 2 })
        return "counted"
      })
  }),
  Toolset.tool("slow", { handler: () => Effect.as(Effect.sleep(Duration.millis(50)), "slow") })
)

const pay = Toolset.tool("pay", {
  parameters: Schema.Struct({ amount: Schema.Finite }),
  handler: ({ amount }) => Effect.succeed(`paid ${amount}`)
}).pipe(Toolset.approvalRequired((_, { amount }) => Number(amount) > 10))

const elsewhere = Toolset.external([{ name: "elsewhere" }])

/** A tool that exchanges tools: `one` for `two`, and back. */
const exchanging = Toolset.unwrap(
  Effect.map(Ref.make("one"), (shown) => {
    const one = Toolset.tool("one", { handler: () => Effect.succeed("one") })
    const two = Toolset.tool("two", { handler: () => Effect.succeed("two") })
    const exchange = Toolset.tool("exchange", {
      handler: () => Ref.update(shown, (name) => (name === "one" ? "two" : "one"))
    })
    return Toolset.combined(
      exchange,
      Toolset.dynamic(Effect.map(Ref.get(shown), (name) => (name === "one" ? one : two)))
    )
  })
)

export const tools = Toolset.combined(weather, plain, pay, elsewhere, exchanging).pipe(
  Toolset.withInstructions("Be kind.")
)
