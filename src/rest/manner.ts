import type { Duration } from "effect"
import type { OnError } from "../toolset/failure.ts"
import type { Policy } from "./failure.ts"
import type { Retries } from "./retrying.ts"

/** What holds for all requests of a toolset. */
export interface Manner {
  readonly policy: Policy<OnError>
  /** The statuses that may be gone the next time. */
  readonly transient: ReadonlySet<number>
  readonly retries: Retries | undefined
  /** Bounds each attempt. */
  readonly limit: Duration.Duration | undefined
  /** Names of headers that nobody may see, besides those that the client knows. */
  readonly secretHeaders: ReadonlyArray<string>
  /** Credentials that the toolset was given, whether a request carries them or not. */
  readonly secrets: ReadonlyArray<string>
}
