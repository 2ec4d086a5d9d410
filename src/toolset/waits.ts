/** Who waits for whom: what would come to wait for itself, through whatever others, fails instead. */
import { Context, Effect } from "effect"

/** Something that is done once, and that others may wait for. */
export interface Task {
  readonly waitsFor: Array<Task>
}

export const newTask = (): Task => ({ waitsFor: [] })

/** What is being done where the question comes from, from the outside in. */
export const UnderWay = Context.Reference<ReadonlyArray<Task>>("effect-toolset/UnderWay", {
  defaultValue: () => []
})

/** Does it as a part of what is being done around it. */
export const doing = <A, E, R>(task: Task, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateService(effect, UnderWay, (around) => [...around, task])

/** Waits for it, unless it waits itself for something that is being done here. */
export const waiting = <A, E, R, E2>(
  task: Task,
  wait: Effect.Effect<A, E, R>,
  forItself: () => E2
): Effect.Effect<A, E | E2, R> =>
  Effect.flatMap(UnderWay, (here): Effect.Effect<A, E | E2, R> =>
    here.some((one) => isWaitingFor(task, one))
      ? Effect.fail(forItself())
      : Effect.acquireUseRelease(
          Effect.sync(() => here.forEach((one) => one.waitsFor.push(task))),
          () => wait,
          () => Effect.sync(() => here.forEach((one) => one.waitsFor.splice(one.waitsFor.indexOf(task), 1)))
        )
  )

const isWaitingFor = (task: Task, other: Task): boolean =>
  task === other || task.waitsFor.some((next) => isWaitingFor(next, other))
