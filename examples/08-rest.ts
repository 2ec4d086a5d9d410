// A REST service defined with HttpApi, its endpoints opted in one by one as tools.
import { Console, Effect, Layer, Schema } from "effect"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Agent, DeferredToolRequests, Toolset } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { ScriptedModel } from "effect-toolset/testing"
import { baseUrl, listening } from "./loopback.ts"

class User extends Schema.Class<User>("User")({ id: Schema.String, name: Schema.String }) {}
const UserCreate = Schema.Struct({ name: Schema.String })
class NoSuchUser extends Schema.TaggedError<NoSuchUser>()(
  "NoSuchUser",
  { id: Schema.String },
  { httpApiStatus: 404 }
) {}

const users = HttpApiGroup.make("users").add(
  HttpApiEndpoint.get("byId", "/users/:user_id", {
    params: { user_id: Schema.String },
    success: User,
    error: NoSuchUser
  }).annotate(HttpApiToolset.ToolMeta, {
    name: "get_user_by_id",
    description: "Get a single user by their id."
  }),
  HttpApiEndpoint.get("all", "/users", { success: Schema.Array(User) }).annotate(HttpApiToolset.ToolMeta, {
    name: "list_users",
    maxItems: 20
  }),
  HttpApiEndpoint.post("create", "/users", { payload: UserCreate, success: User }).annotate(
    HttpApiToolset.ToolMeta,
    {}
  ),
  // No ToolMeta: never a tool.
  HttpApiEndpoint.delete("remove", "/users/:user_id", { params: { user_id: Schema.String } })
)

const api = HttpApi.make("example").add(users)

// The service: here it runs beside the agent, on loopback.
const everybody = Array.from({ length: 137 }, (_, i) => new User({ id: `user${i}`, name: `User ${i}` }))
const service = HttpApiBuilder.layer(api).pipe(
  Layer.provide(
    HttpApiBuilder.group(api, "users", (handlers) =>
      handlers
        .handle("byId", ({ params: { user_id: id } }) =>
          id === "abc123"
            ? Effect.succeed(new User({ id, name: "Ada" }))
            : Effect.fail(new NoSuchUser({ id }))
        )
        .handle("all", () => Effect.succeed(everybody))
        .handle("create", ({ payload }) => Effect.succeed(new User({ id: "new", name: payload.name })))
        .handle("remove", () => Effect.void)
    )
  )
)

const program = Effect.gen(function* () {
  const toolset = HttpApiToolset.make(api, { baseUrl: yield* baseUrl, retryOn: [429, 503] })
  yield* Console.log((yield* Toolset.list(toolset)).map((tool) => tool.name))
  //> [ 'get_user_by_id', 'list_users', 'post_users' ]

  const agent = Agent.make({
    toolsets: [toolset.pipe(Toolset.approvalRequired((tool) => tool.metadata.method !== "GET"))],
    output: [Schema.String, DeferredToolRequests]
  })
  const { messages, output } = yield* Agent.run(agent, { prompt: "Look up the user with id abc123." })
  const read = messages.content.flatMap((message) => (message.role === "tool" ? message.content : []))
  yield* Console.log(
    read.map((part) => part.type === "tool-result" && part.result),
    output
  )
  //> [ { id: 'abc123', name: 'Ada' } ] That is Ada.

  // What a model gets wrong, it is told: nothing of it reaches another path of the service.
  const ask = (name: string, args: unknown) =>
    Effect.match(Toolset.call(toolset, name, args), { onSuccess: JSON.stringify, onFailure: String })
  yield* Console.log(yield* ask("get_user_by_id", { path_params: { user_id: "nobody" } }))
  //> ToolFailed: GET /users/:user_id returned 404: {"_tag":"NoSuchUser","id":"nobody"}
  yield* Console.log(yield* ask("get_user_by_id", { path_params: { user_id: "../admin" } }))
  //> ModelRetry: Invalid arguments: user_id must not contain a slash: "../admin".

  // 137 users are too many to read.
  const { items, ...note } = (yield* Toolset.call(toolset, "list_users", {})) as {
    items: ReadonlyArray<unknown>
  }
  yield* Console.log(items.length, note)
  //> 20 { truncated: true, total_items: 137, returned_items: 20 }
})

const model = ScriptedModel.layer([
  ScriptedModel.calls({ get_user_by_id: { path_params: { user_id: "abc123" } } }),
  ScriptedModel.text("That is Ada.")
])

Effect.runPromise(program.pipe(Effect.provide([listening(service), model])))
