/**
 * Toolsets as plain data, so that a generated one shrinks and prints. `toolsets.ts` makes toolsets of it, `meaning.ts`
 * says what those have to be.
 *
 * A tree is over sources that it names by their index, so that one source, which is one toolset value, may occur several
 * times.
 */
import { Arbitrary, Schema } from "effect"

/** A tool. `does` is what its handler does, `asks` when it waits for a yes, `checks` what its validator says to 3. */
export const Tool = Schema.TaggedStruct("Tool", {
  does: Schema.Literals(["succeed", "show", "break", "retry", "refuse", "ask", "defer", "slow"]),
  asks: Schema.Literals(["never", "always", "odd"]),
  checks: Schema.Literals(["nothing", "retry", "break"]),
  onError: Schema.Literals(["fail", "recover", "retry"]),
  returns: Schema.Boolean,
  described: Schema.Boolean,
  sequential: Schema.Boolean,
  maxRetries: Schema.Literals(["none", 0, 3])
})
export type Tool = typeof Tool.Type

/** Where tools come from. `of`, `odd` and `even` are sources before this one, wherever there are any. */
const Source = Schema.Union([
  Tool,
  Tool,
  Tool,
  Tool,
  Tool,
  Tool,
  Schema.TaggedStruct("External", { count: Schema.Literals([1, 2]) }),
  Schema.TaggedStruct("Empty", {}),
  Schema.TaggedStruct("Unwrap", {
    of: Schema.Literals([0, 1, 2]),
    opens: Schema.Literals([true, true, true, false])
  }),
  Schema.TaggedStruct("Dynamic", {
    odd: Schema.Literals([0, 1, "none"]),
    even: Schema.Literals([0, 1, 2]),
    rebuild: Schema.Literals(["step", "step", "run"])
  })
])
export type Source = typeof Source.Type

/** What `filtered` keeps. */
export const Keep = Schema.Literals(["all", "even", "now", "none"])
export type Keep = typeof Keep.Type

/** What `approvalRequired` asks about; `all` is without a predicate. */
export const When = Schema.Literals(["all", "never", "odd", "even"])
export type When = typeof When.Type

/** What a wrapper does. */
export const Around = Schema.Literals([
  "nothing",
  "trace a",
  "trace b",
  "shout",
  "bump",
  "swallow",
  "refuse",
  "break",
  "twice",
  "opaque"
])
export type Around = typeof Around.Type

/** What a preparer does to the definitions. */
export const Edit = Schema.Literals([
  "nothing",
  "copy",
  "describe",
  "reverse",
  "tail",
  "narrow",
  "external",
  "unapproved",
  "now"
])
export type Edit = typeof Edit.Type

/** Those that treat each tool alone. */
export const EachEdit = Schema.Literals([
  "nothing",
  "copy",
  "describe",
  "narrow",
  "external",
  "unapproved",
  "now"
])

/** By a function: `nothing`, `suffix`; by a record of the names that there are: `none`, `swap`, `taken`, `missing`. */
export const Rename = Schema.Literals(["nothing", "suffix", "none", "swap", "taken", "missing"])
export type Rename = typeof Rename.Type

export const Asks = Schema.Literals(["value", "effect"])
export const Prefix = Schema.Literals(["", "x", "y_"])
export const Flavour = Schema.Literals(["sweet", "sour"])
const Mode = Schema.Literals(["fail", "recover", "retry"])

export const Filtered = Schema.TaggedStruct("filtered", { keep: Keep, as: Asks })
export const Prefixed = Schema.TaggedStruct("prefixed", { prefix: Prefix as Schema.Codec<string> })
export const Renamed = Schema.TaggedStruct("renamed", { rename: Rename })
export const Prepared = Schema.TaggedStruct("prepared", { edit: Edit, as: Asks })
export const ApprovalRequired = Schema.TaggedStruct("approvalRequired", { when: When, as: Asks })
export const Wrapper = Schema.TaggedStruct("wrapper", { around: Around })
export const WithMetadata = Schema.TaggedStruct("withMetadata", {
  key: Schema.Literals(["k", "l"]),
  value: Schema.Literals([1, 2, "name"])
})
export const WithMaxRetries = Schema.TaggedStruct("withMaxRetries", {
  maxRetries: Schema.Literals([0, 1, 2])
})
export const WithReturns = Schema.TaggedStruct("withReturns", {})
export const Sequential = Schema.TaggedStruct("sequential", {})
export const Timeout = Schema.TaggedStruct("timeout", { limit: Schema.Literals(["30 seconds", "1 hour"]) })
export const OnError = Schema.TaggedStruct("onError", { mode: Mode })
/** What becomes of `Broken`: a mode, or the other failure, `Lost`. */
export const CatchTags = Schema.TaggedStruct("catchTags", {
  broken: Schema.Literals(["fail", "recover", "retry", "lost"])
})
export const WithInstructions = Schema.TaggedStruct("withInstructions", {
  text: Schema.Literals(["a", "b"]),
  as: Asks
})
export const WithId = Schema.TaggedStruct("withId", { id: Schema.Literals(["id"]) })
export const Provide = Schema.TaggedStruct("provide", { flavour: Flavour })
export const MapLeaves = Schema.TaggedStruct("mapLeaves", {})

/** One of everything that takes one toolset. */
export const Unary = Schema.Union([
  Filtered,
  Prefixed,
  Renamed,
  Prepared,
  ApprovalRequired,
  Wrapper,
  WithMetadata,
  WithMaxRetries,
  WithReturns,
  Sequential,
  Timeout,
  OnError,
  CatchTags,
  WithInstructions,
  WithId,
  Provide,
  MapLeaves
])
export type Unary = typeof Unary.Type

export type Tree =
  | { readonly _tag: "Use"; readonly source: number; readonly apart: number }
  | { readonly _tag: "Over"; readonly how: Unary; readonly of: Tree }
  | { readonly _tag: "Combined"; readonly of: ReadonlyArray<Tree> }

/** `apart`: under a prefix of its own, where it is not 0. */
const Use: Schema.Codec<Tree> = Schema.TaggedStruct("Use", {
  source: Schema.Literals([0, 1, 2, 3]),
  apart: Schema.Literals([0])
})

const treeOf = (how: Schema.Codec<Unary>, depth: number): Schema.Codec<Tree> => {
  if (depth === 0) return Use
  const below = treeOf(how, depth - 1)
  const over = Schema.TaggedStruct("Over", { how, of: below })
  const combined = Schema.TaggedStruct("Combined", {
    of: Schema.Array(below).check(Schema.isMinLength(2), Schema.isMaxLength(depth > 2 ? 2 : 3))
  })
  const few = Schema.TaggedStruct("Combined", { of: Schema.Array(below).check(Schema.isMaxLength(1)) })
  return Schema.Union([Use, over, over, over, over, combined, combined, combined, few])
}

/** A tree of some depth over these combinators; a smaller one is one of those below it. */
export const trees = (how: Schema.Codec<Unary> = Unary, depth = 4): Arbitrary.Arbitrary<Tree> =>
  Arbitrary.schema(treeOf(how, depth), { shrink: childrenOf })

export const childrenOf = (tree: Tree): ReadonlyArray<Tree> =>
  tree._tag === "Use" ? [] : tree._tag === "Over" ? [tree.of] : tree.of

export const anyTree = trees()

/** What is in a tree, all the way down. */
export const partsOf = (tree: Tree): ReadonlyArray<Tree> => [tree, ...childrenOf(tree).flatMap(partsOf)]

/** Whether a tree has some combinator somewhere. */
export const has = (tree: Tree, ...names: ReadonlyArray<Unary["_tag"]>): boolean =>
  partsOf(tree).some((part) => part._tag === "Over" && names.includes(part.how._tag))

/** Every tree has its own names: what is used again is used under a prefix of its own. */
export const distinct = (trees: ReadonlyArray<Tree>): ReadonlyArray<Tree> => {
  let uses = 0
  const visit = (tree: Tree): Tree => {
    switch (tree._tag) {
      case "Use":
        return { ...tree, apart: uses++ }
      case "Over":
        return { ...tree, of: visit(tree.of) }
      case "Combined":
        return { ...tree, of: tree.of.map(visit) }
    }
  }
  return trees.map(visit)
}

const SourceTuple = Schema.Tuple([Tool, Source, Source, Source])

/**
 * The sources of a tree. Dynamic ones do not choose among dynamic ones where one of them chooses once for all steps: what
 * that chooses depends on when it is first listed, and by whom.
 */
export const sources: Arbitrary.Arbitrary<Sources> = Arbitrary.filter(
  Arbitrary.schema(SourceTuple),
  (all) => {
    const dynamic = all.filter((source) => source._tag === "Dynamic")
    return dynamic.length < 2 || dynamic.every((source) => source.rebuild === "step")
  }
)
export type Sources = ReadonlyArray<Source>

/** The source that a use is of. */
export const sourceAt = (sources: Sources, index: number): number => index % sources.length
