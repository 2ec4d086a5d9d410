/** Durable runs: steps that are done are not done again by another attempt. */

// running
export { run, type RunOptions } from "./durable/run.ts"
export { MaxRecordBytes, type Slot, slot, step, type StepOptions } from "./durable/slot.ts"
export { forget } from "./durable/forget.ts"
export { DurableError } from "./durable/DurableError.ts"

// where the records are
export { layer, layerMemory } from "./durable/layer.ts"
export { layerWorkflow } from "./durable/layerWorkflow.ts"
export { layerFileSystem } from "./durable/layerFileSystem.ts"
export { Durable, type Memo, type Place } from "./durable/Durable.ts"
