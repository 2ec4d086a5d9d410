import { Schema, SchemaAST } from "effect"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"

/**
 * The JSON codec of a schema, compiled to a function by effect when a value first goes through; interpreted where the
 * platform lets nobody make functions of text.
 */
export const jsonCodec = <S extends Schema.Constraint>(schema: S): Schema.toCodecJson<S> => {
  const codec = Schema.toCodecJson(schema)
  SchemaJITCompiler.enable(codec.ast)
  SchemaJITCompiler.enable(SchemaAST.flip(codec.ast))
  return codec
}
