/** What a server says about a tool, as a definition. */
import { Context, type JsonSchema } from "effect"
import { type McpSchema, Tool } from "effect/ai"
import { inCurrentDraft } from "../interop/inCurrentDraft.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { frozen, objectRoot } from "../toolset/parameters.ts"
import { validName } from "../toolset/validName.ts"
import type { Descriptor } from "./connection.ts"
import { unwrappedSchema } from "./returned.ts"

/** Its metadata has the server and the name there (`mcp`), and what else the server says (`annotations`, `meta`). */
export const described = (descriptor: Descriptor, server: string): ToolDefinition => {
  const { _meta, annotations, description, inputSchema, name, outputSchema } = descriptor
  return Object.freeze({
    name: validName(name),
    description,
    parameters: frozen(objectRoot(inCurrentDraft(inputSchema))),
    returns:
      outputSchema === undefined
        ? undefined
        : frozen(unwrappedSchema(withoutDialect(inCurrentDraft(outputSchema)))),
    kind: "function",
    sequential: false,
    metadata: {
      mcp: { server, name },
      ...(annotations === undefined ? {} : { annotations }),
      ...(_meta === undefined ? {} : { meta: _meta })
    },
    annotations: annotationsOf(descriptor)
  })
}

/** Whether a call may be made again that perhaps was carried out. */
export const isRepeatable = ({ annotations }: Descriptor): boolean =>
  annotations?.readOnlyHint === true || annotations?.idempotentHint === true

const withoutDialect = ({ $schema: _, ...schema }: JsonSchema.JsonSchema): JsonSchema.JsonSchema => schema

const annotationsOf = ({ _meta, annotations, title }: Descriptor): Context.Context<never> => {
  const shown = title ?? annotations?.title
  let context = Context.empty()
  if (shown !== undefined) context = add(context, Tool.Title, shown)
  if (_meta !== undefined) context = add(context, Tool.Meta, _meta)
  return annotations === undefined ? context : Context.merge(context, hintsOf(annotations))
}

/** A tool that only reads destroys nothing, whatever the default of that hint is. */
const hintsOf = (hints: McpSchema.ToolAnnotations): Context.Context<never> => {
  const isReadonly = hints.readOnlyHint === true
  return Context.empty().pipe(
    Context.add(Tool.Readonly, isReadonly),
    Context.add(Tool.Destructive, !isReadonly && hints.destructiveHint !== false),
    Context.add(Tool.Idempotent, hints.idempotentHint === true),
    Context.add(Tool.OpenWorld, hints.openWorldHint !== false)
  )
}

/** Annotations say nothing of themselves in the type of a definition. */
const add = <I, S>(
  context: Context.Context<never>,
  key: Context.Key<I, S>,
  value: S
): Context.Context<never> => Context.add(context, key, value) as Context.Context<never>
