import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import * as McpToolset from "effect-toolset/McpToolset"
import { tools } from "./tools.ts"

McpToolset.serve(tools, { name: "served", version: "1.0.0" }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
