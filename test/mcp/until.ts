import { Effect, Schedule } from "effect"

/** Asks again until it is so: what it waits for happens in another process. */
export const until = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(condition, { until: (isSo) => isSo, schedule: Schedule.spaced("20 millis") })

/** Whether there is a process of an id. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
