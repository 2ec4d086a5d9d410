/** Toolsets that break a law each. What the algebra does not let one write is made of its parts. */
import { Context, Effect, Schema } from "effect"
import {
  type JsonSchemaValidator,
  type ToolDefinition,
  ToolFailed,
  ToolReturn,
  Toolset
} from "effect-toolset"
import { satisfying } from "effect-toolset/toolset/jsonArguments"
import { fixed, varying } from "effect-toolset/toolset/listing"
import { lightLeaf } from "effect-toolset/toolset/model"

interface Case {
  readonly toolset: () => Toolset.Toolset<unknown>
  readonly calls?: Readonly<Record<string, unknown>>
  readonly compile?: JsonSchemaValidator.Compile
}

const definition: ToolDefinition = {
  name: "raw",
  parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  kind: "function",
  sequential: false,
  metadata: {},
  annotations: Context.empty()
}

const rawTool = (
  changed: Partial<ToolDefinition>,
  parts?: Partial<Toolset.Tool<unknown>>
): Toolset.Tool<unknown> => ({
  definition: { ...definition, ...changed },
  source: "raw",
  origin: ["raw"],
  timed: false,
  decode: (raw) => Effect.succeed({ value: raw as Toolset.Args, raw, encoded: () => Effect.succeed(raw) }),
  validate: () => Effect.void,
  call: () => Effect.succeed(new ToolReturn({ value: "done" })),
  ...parts
})

const raw = (
  changed: Partial<ToolDefinition>,
  parts?: Partial<Toolset.Tool<unknown>>
): Toolset.Toolset<unknown> => lightLeaf("raw", Effect.succeed(fixed([rawTool(changed, parts)])))

const half = Toolset.tool("half", {
  parameters: Schema.Struct({ n: Schema.Finite }),
  handler: ({ n }) => Effect.succeed(n / 2)
})

/** By the law, and where there are several, which. */
export const broken: Readonly<Record<string, Case>> = {
  "The names of a step are unique.": { toolset: () => Toolset.combined(half, half) },
  "A name is 1 to 64 of a-z, A-Z, 0-9, _ and -. (a space)": { toolset: () => Toolset.prefixed(half, "a b") },
  "A name is 1 to 64 of a-z, A-Z, 0-9, _ and -. (too long)": {
    toolset: () => Toolset.prefixed(half, "x".repeat(60))
  },
  "What a model or a front end sees of a tool is JSON. (a schema)": {
    toolset: () => raw({ returns: { type: new Map() as never } })
  },
  "What a model or a front end sees of a tool is JSON. (retries)": { toolset: () => raw({ maxRetries: -1 }) },
  "Parameters are the JSON Schema of an object.": { toolset: () => raw({ parameters: { type: "array" } }) },
  "Any arguments can be checked against the parameters.": {
    toolset: () => half,
    compile:
      ({ properties }) =>
      () =>
        Effect.sync(() => JSON.parse(String(properties)) as undefined)
  },
  "A step is listed once, however often one asks.": {
    toolset: () => lightLeaf("raw", Effect.succeed(varying(() => Effect.sync(() => [rawTool({})]))))
  },
  "What is the same at the next step has the same definition.": {
    toolset: () => Toolset.dynamic(Effect.sync(() => Toolset.tool("new", { handler: () => Effect.void })))
  },
  "Instructions are there at every step.": {
    toolset: () => Toolset.withInstructions(half, Effect.fail("lost"))
  },
  "A call finds a tool exactly where the list of its step names it.": {
    toolset: () => half,
    calls: { third: { n: 3 } }
  },
  "Arguments that do not satisfy the parameters (taken)": { toolset: () => raw({}) },
  "Arguments that do not satisfy the parameters (another signal)": {
    toolset: () => raw({}, { decode: () => Effect.fail(new ToolFailed({ message: "no" })) })
  },
  "Arguments that do not satisfy the parameters (a defect)": {
    toolset: () => raw({}, { decode: (args) => Effect.sync(() => JSON.parse(String(args))) })
  },
  "Arguments that satisfy the parameters are taken.": {
    toolset: () => half,
    calls: { half: { n: "three" } }
  },
  "Results are JSON. (a tool's own)": {
    toolset: () => Toolset.tool("map", { handler: () => Effect.succeed(new Map()) }),
    calls: { map: {} }
  },
  "Results are JSON. (not encoded)": {
    toolset: () =>
      raw(
        {},
        {
          decode: satisfying(definition.parameters),
          call: () => Effect.succeed(new ToolReturn({ value: Number.NaN }))
        }
      ),
    calls: { raw: { n: 1 } }
  },
  "A toolset opens and closes as often as it is asked to. (opens)": {
    toolset: () => {
      let isOpen = false
      const only = Effect.suspend(() => (isOpen ? Effect.fail("in use") : Effect.sync(() => (isOpen = true))))
      return Toolset.unwrap(
        Effect.as(
          Effect.acquireRelease(only, () => Effect.sync(() => (isOpen = false))),
          half
        )
      )
    }
  },
  "A toolset opens and closes as often as it is asked to. (closes)": {
    toolset: () =>
      Toolset.unwrap(
        Effect.as(
          Effect.addFinalizer(() => Effect.die("cannot close")),
          half
        )
      )
  },
  "Sessions of a toolset list the same tools at the same step.": {
    toolset: () => {
      let opened = 0
      return Toolset.unwrap(Effect.sync(() => Toolset.prefixed(half, `x${opened++}`)))
    }
  },
  "A session outlives those that open and close beside it.": {
    toolset: () => {
      let closed = 0
      const counted = Effect.addFinalizer(() => Effect.sync(() => closed++))
      const lost = Effect.suspend(() => (closed > 1 ? Effect.fail("disconnected") : Effect.succeed(half)))
      return Toolset.unwrap(Effect.as(counted, Toolset.dynamic(lost)))
    }
  }
}
