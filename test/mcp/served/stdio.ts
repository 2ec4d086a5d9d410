import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import * as McpToolset from "effect-toolset/McpToolset"
import { tools } from "./tools.ts"

McpToolset.serve(tools, { name: "served", version: "1.0.0" }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
