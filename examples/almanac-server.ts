// An MCP server over its input and output: a toolset like any other, for any MCP client.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { DateTime, Effect, Schema } from "effect"
import { Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"

const today = Toolset.tool("today", {
  handler: () => Effect.map(DateTime.now, DateTime.formatIsoDateUtc)
})

const feelsLike = Toolset.tool("feels_like", {
  description: "What a temperature in °C feels like in wind, in m/s.",
  parameters: Schema.Struct({ celsius: Schema.Finite, wind: Schema.Finite }),
  success: Schema.Struct({ celsius: Schema.Finite }),
  handler: ({ celsius, wind }) => {
    const v = (wind * 3.6) ** 0.16
    const felt = 13.12 + 0.6215 * celsius - 11.37 * v + 0.3965 * celsius * v
    return Effect.succeed({ celsius: Number(felt.toFixed(1)) })
  }
})

McpToolset.serve(Toolset.combined(today, feelsLike), { name: "almanac", version: "1.0.0" }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
