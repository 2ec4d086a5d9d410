/** What happens while toolsets are used, and the services that they are made of. */
import { Context, Effect, Layer, Schema } from "effect"
import type { Toolset } from "effect-toolset"

/** The failures of generated toolsets, besides the signals. */
export class Broken extends Schema.TaggedError<Broken>()("Broken", { who: Schema.String }) {
  override get message(): string {
    return `${this.who} is broken`
  }
}
export class Lost extends Schema.TaggedError<Lost>()("Lost", { who: Schema.String }) {
  override get message(): string {
    return `${this.who} is lost`
  }
}

/** What handlers need, so that `provide` can be seen. */
export class Flavour extends Context.Service<Flavour, string>()("test/laws/Flavour") {}

/** What all generated toolsets may fail with, and need. */
export type Generated = Toolset.Toolset<Broken | Lost, Flavour>

/** One world is one log; two toolsets that are compared live in two of them. */
export const newWorld = () => {
  /** What was opened and closed, in order. */
  const resources: Array<string> = []
  /** What the current call did, in order. */
  const trace: Array<string> = []
  /** How often something was asked. */
  const asked = new Map<string, number>()
  return {
    resources,
    trace,
    asked,
    say: (event: string): Effect.Effect<void> => Effect.sync(() => void trace.push(event)),
    ask: (question: string): void => void asked.set(question, (asked.get(question) ?? 0) + 1),
    /** Something that is open while its scope is, and says whether it is. */
    resource: (name: string) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          resources.push(`open ${name}`)
          return { isOpen: true }
        }),
        (resource) =>
          Effect.sync(() => {
            resources.push(`close ${name}`)
            resource.isOpen = false
          })
      )
  }
}
export type World = ReturnType<typeof newWorld>

/** Builds a flavour, once per world. */
export const flavours = (world: World) => {
  const layer = (name: string) => Layer.effect(Flavour, Effect.as(world.resource(name), name))
  return { sweet: layer("sweet"), sour: layer("sour") }
}
