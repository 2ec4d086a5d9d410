/** Everything that changes nothing, of any kind. */
import { Context, Effect, Layer } from "effect"
import { Toolset } from "effect-toolset"
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
  "unwrap of a toolset": (self) => Toolset.unwrap(Effect.succeed(self))
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
  "renamed by no names": Toolset.renamed({})
}
