/** Durable runs: steps that are done are not done again by another attempt. */

// running
export { run, type RunOptions } from "./durable/run.ts"
export { type Slot, slot, step, type StepOptions } from "./durable/slot.ts"
export { MaxRecordBytes } from "./durable/recordable.ts"
export { forget } from "./durable/forget.ts"
export { DurableError } from "./durable/DurableError.ts"

// where the records are
export { layer, layerMemory } from "./durable/layer.ts"
export { layerFileSystem } from "./durable/layerFileSystem.ts"

// in the hands of a workflow engine
export { layerWorkflow } from "./durable/layerWorkflow.ts"
export { type Asked, awaitAnswers } from "./agent/durable/awaitAnswers.ts"
export { answer, type Reply } from "./agent/durable/answer.ts"
export { purge } from "./durable/purge.ts"

// a store of one's own
export { Durable, type Memo, type Place } from "./durable/Durable.ts"
