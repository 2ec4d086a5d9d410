/** Toolsets over resources, and a log of what was opened, used and closed. */
import { Effect, type Fiber, Scheduler, type Scope } from "effect"
import { RunContext, Toolset } from "effect-toolset"
import { outsideOfRuns } from "effect-toolset/RunContext"

interface Resource {
  readonly name: string
  isOpen: boolean
}

/** Everything that happens to the resources of one test, in order. */
export const logged = () => {
  const events: Array<string> = []
  /** What must never happen: used while closed, closed twice, open twice at the same time. */
  const flaws: Array<string> = []
  const open = new Set<string>()
  const say = (event: string): Effect.Effect<void> => Effect.sync(() => void events.push(event))

  const resource = (name: string): Effect.Effect<Resource, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync((): Resource => {
        events.push(`open ${name}`)
        if (open.has(name)) flaws.push(`${name} is open twice`)
        open.add(name)
        return { name, isOpen: true }
      }),
      (resource) =>
        Effect.sync(() => {
          events.push(`close ${name}`)
          if (!resource.isOpen) flaws.push(`${name} is closed twice`)
          resource.isOpen = false
          open.delete(name)
        })
    )

  const use = (resource: Resource): Effect.Effect<string> =>
    Effect.sync(() => {
      events.push(`use ${resource.name}`)
      if (!resource.isOpen) flaws.push(`${resource.name} is used while closed`)
      return resource.name
    })

  /** One tool of that name over one resource; `first` runs before it is acquired, `during` in the midst of a call. */
  const leaf = <E = never, R = never, E2 = never, R2 = never>(
    name: string,
    {
      during = Effect.void as Effect.Effect<unknown, E2, R2>,
      first = Effect.void as Effect.Effect<unknown, E, R>
    }: {
      readonly first?: Effect.Effect<unknown, E, R>
      readonly during?: Effect.Effect<unknown, E2, R2>
    } = {}
  ) =>
    Toolset.unwrap(
      Effect.map(Effect.andThen(first, resource(name)), (resource) =>
        Toolset.tool(name, {
          handler: () => Effect.andThen(Effect.andThen(use(resource), during), use(resource))
        })
      )
    )

  /** The events since it was asked last. */
  const recent = Effect.sync(() => events.splice(0))

  return { events, flaws, open, say, resource, use, leaf, recent }
}

/** One step of a run that no agent runs: what is asked in it has one `RunContext`. */
export const inStep = (step: number) => Effect.provideService(RunContext, { ...outsideOfRuns(), step })

export const namesOf = <E>({ tools }: Toolset.Session<E>) =>
  Effect.map(tools, (tools) => tools.map((tool) => tool.definition.name))

export const textsOf = <E>({ instructions }: Toolset.Session<E>) =>
  Effect.map(instructions, (all) => all.map((one) => one.text))

export const eventsOf = (events: ReadonlyArray<string>, kind: "open" | "close"): Array<string> =>
  events.filter((event) => event.startsWith(kind)).map((event) => event.slice(kind.length + 1))

/** Gives way to others after every few operations, so that it can be interrupted between any of them. */
export const stepwise = Effect.provideService(Scheduler.MaxOpsBeforeYield, 3)

/** Lets all other fibers go as far as they can without anybody's help. */
export const others: Effect.Effect<void> = Effect.repeat(Effect.yieldNow, { times: 30 }).pipe(Effect.asVoid)

/** How a fiber ended, where it ends by itself; one that hangs is left behind. */
export const ending = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.map(
    Effect.repeat(Effect.yieldNow, { until: () => fiber.pollUnsafe() !== undefined, times: 1000 }),
    () => fiber.pollUnsafe()
  )
