/** Everything that changes nothing, of any kind. */
import { Context, Effect, Layer, Schedule } from "effect"
import { Secrets, Toolset } from "effect-toolset"
import type { Generated } from "./world.ts"

/** Needed by nobody. */
class Unused extends Context.Service<Unused, number>()("test/laws/Unused") {}

export const identities: Readonly<Record<string, (self: Generated) => Generated>> = {
  "filtered by true": Toolset.filtered(() => true),
  "filtered by an effect of true": Toolset.filtered(() => Effect.succeed(true)),
  'prefixed by ""': Toolset.prefixed(""),
  "renamed by the identity": Toolset.renamed((name) => name),
  "approvalRequired never": Toolset.approvalRequired(() => false),
  "a wrapper of next": (self) => Toolset.wrapper(self, (call, next) => next(call)),
  "a wrapper of a copy": (self) =>
    Toolset.wrapper(self, (call, next) => next({ ...call, args: { ...call.args } })),
  "withMetadata of nothing": Toolset.withMetadata({}),
  "withInstructions that are blank": Toolset.withInstructions(" "),
  withId: Toolset.withId("id"),
  "timeout that nobody needs": Toolset.timeout("1 day"),
  "onError fail": Toolset.onError("fail"),
  "catchTags of none": (self) => Toolset.catchTags(self, {}),
  "combined alone": (self) => Toolset.combined(self),
  "combined with empty": (self) => Toolset.combined(Toolset.empty, self),
  "mapLeaves by the identity": Toolset.mapLeaves((leaf) => leaf),
  "provide of what nobody needs": Toolset.provide(Layer.succeed(Unused, 1)),
  "unwrap of a toolset": (self) => Toolset.unwrap(Effect.succeed(self)),
  "guard that allows": Toolset.guard(() => "allow"),
  "guard that allows, as an effect": Toolset.guard(() => Effect.succeed("allow" as const)),
  "concurrency that nobody reaches": Toolset.concurrency(100),
  "limited, where nobody reaches the limit": Toolset.limited({ perRun: 100_000, perStep: 100_000 }),
  "limited, where nothing is hidden": Toolset.limited({ perRun: 100_000, onLimit: "hide" }),
  "truncated, where nothing is too long": Toolset.truncated({
    maxItems: 100,
    maxBytes: 100_000,
    onTruncate: "raise"
  }),
  "retried never": (self) => Toolset.retried(self, Schedule.recurs(0)),
  traced: Toolset.traced({ values: true }),
  metered: Toolset.metered,
  "masked without secrets": (self) =>
    Toolset.provide(Toolset.masked(self), Secrets.layer().pipe(Layer.orDie)),
  "searchable of no tool": Toolset.searchable({ when: () => false }),
  "mapLeaves over operators": (self) =>
    Toolset.mapLeaves(
      Toolset.guard(Toolset.traced(self, {}), () => "allow"),
      (leaf) => leaf
    )
}

/** Those that open what they are of when it is first listed. */
export const lateIdentities: Readonly<Record<string, (self: Generated) => Generated>> = {
  "dynamic of one toolset": (self) => Toolset.dynamic(Effect.succeed(self)),
  "dynamic of one toolset, chosen once": (self) => Toolset.dynamic(Effect.succeed(self), { rebuild: "run" })
}

/** Those that go by name, and so fail with a conflict at once where there is one. */
export const identitiesByName: Readonly<Record<string, (self: Generated) => Generated>> = {
  "prepared by the identity": Toolset.prepared((tools) => tools),
  "prepared by a copy": Toolset.prepared((tools) => Effect.succeed(tools.map((tool) => ({ ...tool })))),
  "renamed by no names": Toolset.renamed({}),
  "stubbed by no stub": Toolset.stubbed({})
}
