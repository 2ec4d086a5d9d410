/** Models that make every run deterministic, and the laws that every toolset keeps. */
export { TestModel, type TestModelOptions } from "./testing/TestModel.ts"
export { ScriptedModel, TurnsLeft } from "./testing/ScriptedModel.ts"
export type { ModelRequest, OfferedTool } from "./testing/recording.ts"
export { ToolsetLaws } from "./testing/ToolsetLaws.ts"
export { ToolsetLawBroken } from "./testing/law.ts"
