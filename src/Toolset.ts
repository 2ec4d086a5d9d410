/** The algebra, in the order in which one learns it. */

// what a toolset is
export type {
  Any,
  Args,
  CallServices,
  CallSignals,
  Error,
  Instruction,
  ListServices,
  OrEffect,
  Run,
  Services,
  Session,
  Tool,
  Toolset
} from "./toolset/model.ts"
export { isToolset, TypeId } from "./toolset/model.ts"

// where tools come from
export { tool } from "./toolset/tool.ts"
export type { EmptyParams, Parameters, ParametersServices, ParametersType } from "./toolset/parameters.ts"
export { external } from "./toolset/external.ts"
export { empty } from "./toolset/empty.ts"
export { dynamic } from "./toolset/dynamic.ts"
export { unwrap } from "./toolset/unwrap.ts"
export { fromToolkit } from "./interop/fromToolkit.ts"

// which tools, under which names
export { combined } from "./toolset/combined.ts"
export { filtered, type ToolPredicate } from "./toolset/filtered.ts"
export { named } from "./toolset/named.ts"
export { searchable, type SearchOptions } from "./toolset/searchable.ts"
export { hasMetadata } from "./toolset/hasMetadata.ts"
export { prefixed } from "./toolset/prefixed.ts"
export { renamed } from "./toolset/renamed.ts"
export { prepared, type Preparer } from "./toolset/prepared.ts"

// what is said about them
export { withMetadata } from "./toolset/withMetadata.ts"
export { withInstructions } from "./toolset/withInstructions.ts"
export { withReturns } from "./toolset/withReturns.ts"
export { withMaxRetries } from "./toolset/withMaxRetries.ts"
export { withId } from "./toolset/withId.ts"
export { replayable } from "./toolset/replayable.ts"
export { sequential } from "./toolset/sequential.ts"

// what happens at a call
export { approvalRequired, type CallPredicate } from "./toolset/approvalRequired.ts"
export { type Decision, guard } from "./toolset/guard.ts"
export { type Invocation, type Next, wrapper } from "./toolset/wrapper.ts"

// what may be seen of it
export { masked } from "./toolset/masked.ts"
export { traced } from "./toolset/traced.ts"
export { metered } from "./toolset/metered.ts"

// how often, how long, how much
export { timeout } from "./toolset/timeout.ts"
export { concurrency } from "./toolset/concurrency.ts"
export { rateLimited, type RateLimitedOptions } from "./toolset/rateLimited.ts"
export { limited, type LimitedOptions, type OnLimit } from "./toolset/limited.ts"
export { truncated, type TruncatedOptions } from "./toolset/truncated.ts"
export { cached, type CachedOptions } from "./toolset/cached.ts"

// what becomes of failures
export type { OnError } from "./toolset/failure.ts"
export { onError } from "./toolset/onError.ts"
export { type Cases, catchTags, type Uncaught } from "./toolset/catchTags.ts"
export { retried } from "./toolset/retried.ts"
export { orElse } from "./toolset/orElse.ts"

// what a toolset needs, and for how long it is open
export { provide } from "./toolset/provide.ts"
export { shared } from "./toolset/shared.ts"

// the tree
export { type Leaf, mapLeaves } from "./toolset/mapLeaves.ts"
export { describe } from "./toolset/describe.ts"

// for tests of what uses a toolset
export { type Stub, stubbed, type Stubs } from "./toolset/stubbed.ts"

// looking and calling
export { open } from "./toolset/open.ts"
export { list } from "./toolset/list.ts"
export { call } from "./toolset/call.ts"

// for effect/ai without an agent
export { toToolkit, type ToolkitOf, type ToolkitTool } from "./interop/toToolkit.ts"
