/**
 * A toolset is a description, as a `Layer` is one. Opened in a `Scope` it gives a listing; the listing gives, at each
 * step, the tools; a tool carries its own call.
 *
 *     Toolset<E, R>  ──open──▶  Listing<E>  ──list──▶  [Tool { definition, validate, call }]
 */
import { Effect, Pipeable, Predicate, type Scope, type Types } from "effect"
import { identity } from "effect/Function"
import type { RunContext } from "../RunContext.ts"
import type { ToolCall } from "../ToolCall.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import type { ToolReturn } from "../ToolReturn.ts"
import type { ToolSignal } from "../ToolSignal.ts"
import type { ToolNotFound, ToolResultError, ToolsetError } from "../ToolsetError.ts"
import type { Opening } from "./opening.ts"

/** What a toolset is known by. */
export const TypeId = "~effect-toolset/Toolset" as const
/** The type of what a toolset is known by. */
export type TypeId = typeof TypeId

// models

/**
 * A collection of tools as an immutable value: what it may fail with (`E`) and what it needs when it is opened (`R`).
 *
 * Not an Effect itself: `Toolset.open` gives one. `label` is for error texts; `id` is stable across processes.
 */
export interface Toolset<out E = never, out R = never> extends Pipeable.Pipeable {
  readonly [TypeId]: {
    readonly _E: Types.Covariant<E>
    readonly _R: Types.Covariant<R>
  }
  readonly label: string
  readonly id: string | undefined
  readonly children: ReadonlyArray<Any>
}

/**
 * Any toolset, as a constraint. It says nothing of `E` and `R`: were it `Toolset<unknown, unknown>`, a constructor
 * written inside `combined(…)` or `toolsets: […]` would infer `unknown` for the type parameters that its arguments
 * leave open.
 */
export interface Any {
  readonly [TypeId]: unknown
  readonly label: string
  readonly id: string | undefined
  readonly children: ReadonlyArray<Any>
}

/** What a toolset may fail with, besides the signals and `ToolsetError`. */
export type Error<T> = T extends Toolset<infer E, infer _R> ? E : T extends Any ? unknown : never

/** What a toolset needs when it is opened. */
export type Services<T> = T extends Toolset<infer _E, infer R> ? R : T extends Any ? unknown : never

/** A listed tool. It carries its own call; nothing ever looks its name up again. */
export interface Tool<out E = never> {
  readonly definition: ToolDefinition
  /** For error texts: `prefixed(github)`. */
  readonly source: string
  /** Where it was declared: the ids around it, outermost first, and last the name it was declared with. */
  readonly origin: ReadonlyArray<string>
  /** Whether a timeout bounds its calls. */
  readonly timed: boolean
  /** The search that has to find it before it is offered. */
  readonly foundBy?: object | undefined
  /** The search that it is. */
  readonly finds?: object | undefined
  readonly decode: (args: unknown) => Effect.Effect<Decoded, CallSignals | E, RunContext | ToolCall>
  /** Asks the tool's own validator; before any approval. */
  readonly validate: (args: Decoded) => Effect.Effect<void, CallSignals | E, RunContext | ToolCall>
  readonly call: (args: Decoded) => Effect.Effect<ToolReturn, CallSignals | E, RunContext | ToolCall>
}

/** What a tool is called with, by the names of its parameters. */
export type Args = Readonly<Record<string, unknown>>

/** Arguments of a call. `decode` makes them, so that no path to a handler goes without; a wrapper may change the value. */
export interface Decoded {
  /** What the handler takes. */
  readonly value: Args
  /** As the model sent them. */
  readonly raw: unknown
  /** Decoded and encoded again: what will run, as JSON. Of another value: what would, in the place of this one. */
  readonly encoded: (value?: Args) => Effect.Effect<unknown, never, RunContext>
}

/** A text for the model's instructions. Static ones come before dynamic ones, so that a provider's cache holds. */
export interface Instruction {
  readonly text: string
  readonly dynamic: boolean
}

/**
 * An opened toolset, as combinators transform it: functions of the step, so that what can be answered at once is (an
 * `Exit`).
 */
export interface Listing<out E = never> {
  /** The tools, where they are the same at every step, so that what is wrong with them can be said at once. */
  readonly fixed: ReadonlyArray<Tool<E>> | undefined
  readonly list: (run: Run) => Effect.Effect<ReadonlyArray<Tool<E>>, E | ToolsetError, RunContext>
  /** Nothing, where it never has any. */
  readonly instructions:
    | ((run: Run) => Effect.Effect<ReadonlyArray<Instruction>, E | ToolsetError, RunContext>)
    | undefined
}

/** An opened toolset. */
export interface Session<out E = never> {
  readonly tools: Effect.Effect<ReadonlyArray<Tool<E>>, E | ToolsetError, RunContext>
  readonly instructions: Effect.Effect<ReadonlyArray<Instruction>, E | ToolsetError, RunContext>
  /** `Toolset.call` over a session that is open already. */
  readonly call: (
    name: string,
    args: unknown
  ) => Effect.Effect<unknown, E | ToolSignal | ToolResultError | ToolNotFound | ToolsetError>
}

/** Supplied while listing. */
export type ListServices = RunContext | Scope.Scope
/** Supplied while calling. */
export type CallServices = RunContext | ToolCall | Scope.Scope
/** Caught by dispatch, never in a toolset's `E`. */
export type CallSignals = ToolSignal | ToolResultError

/** The run, as a plain argument of predicates. */
export type Run = RunContext["Service"]

/** A value, or an Effect of one. */
export type OrEffect<A, E, R> = A | Effect.Effect<A, E, R>

// guards

/** Whether a value is a toolset. */
export const isToolset = (u: unknown): u is Any => Predicate.hasProperty(u, TypeId)

// constructors

/** What a toolset is inside; read by whoever opens toolsets or rebuilds trees of them. */
export interface Node<out E, out R> extends Toolset<E, R> {
  /** What was done, or what it is: `filtered`, `tool`. */
  readonly name: string
  readonly build: (opening: Opening) => Effect.Effect<Listing<E>, E | ToolsetError, R>
  /** Its listing, where opening it acquires nothing and remembers nothing, so that nobody needs to hold it open. */
  readonly light: Effect.Effect<Listing<E>, E | ToolsetError, R> | undefined
  /**
   * Whether the program alone says what it lists, and how: nothing is opened that could be another thing, or missing, the
   * next time that the same program runs.
   */
  readonly fromProgram: boolean
  /** The same toolset over other children, chosen ones when they are chosen; a leaf has none. */
  readonly over: ((f: (child: Any) => Any) => Any) | undefined
}

const Proto = {
  [TypeId]: { _E: identity, _R: identity },
  pipe() {
    return Pipeable.pipeArguments(this, arguments)
  }
}

type Parts<E, R> = Pick<Node<E, R>, "name" | "label" | "id" | "children" | "build" | "over"> &
  Partial<Pick<Node<E, R>, "light" | "fromProgram">>

/** A toolset from its parts. What is made of others, and does not say otherwise, opens nothing besides. */
export const make = <E, R>(parts: Parts<E, R>): Toolset<E, R> =>
  Object.assign(Object.create(Proto), parts, {
    light: parts.light && remembered(parts.light),
    fromProgram:
      parts.fromProgram ??
      (parts.light !== undefined ||
        (parts.children.length > 0 && parts.children.every((child) => nodeOf(child).fromProgram)))
  })

/** What is there without any resource is the same in every run. */
const remembered = <E, R>(
  listing: Effect.Effect<Listing<E>, E | ToolsetError, R>
): Effect.Effect<Listing<E>, E | ToolsetError, R> => {
  let known: Effect.Effect<Listing<E>> | undefined
  return Effect.suspend(
    () =>
      known ??
      Effect.mapEager(listing, (listing) => {
        known = Effect.succeed(listing)
        return listing
      })
  )
}

/** A toolset without children. */
export const leaf = <E, R>(
  label: string,
  build: Node<E, R>["build"],
  id?: string,
  fromProgram = false
): Toolset<E, R> => make({ name: label, label, id, children: [], build, over: undefined, fromProgram })

/** A toolset by its own types: `Error` and `Services` say what it fails with and what it needs. */
export const typed: <T extends Any>(self: T) => Toolset<Error<T>, Services<T>> = (self: Any): any => self

/** A toolset whose tools are there without any resource. */
export const lightLeaf = <E, R>(
  label: string,
  light: Effect.Effect<Listing<E>, E | ToolsetError, R>
): Toolset<E, R> =>
  make({ name: label, label, id: undefined, children: [], build: () => light, over: undefined, light })

/** The inside of a toolset. Every toolset was made by `make`. */
export const nodeOf: {
  <E, R>(self: Toolset<E, R>): Node<E, R>
  (self: Any): Node<unknown, unknown>
} = (self: Any): any => self
