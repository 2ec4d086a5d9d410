import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Logger, References } from "effect"
import { McpSchema, Tool } from "effect/ai"
import { Agent, ModelRetry, ToolCall, Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { ScriptedModel, ToolsetLaws } from "effect-toolset/testing"
import { satisfying } from "../../src/toolset/jsonArguments.ts"
import { returned, unwrappedSchema } from "../../src/mcp/returned.ts"
import { everything, filesystem, memory, onNode, sdk1, watchedCall } from "./serving.ts"

const result = (fields: Partial<McpSchema.CallToolResult>) =>
  returned(new McpSchema.CallToolResult({ content: [], ...fields }))

const text = (text: string): McpSchema.ContentBlock => ({ type: "text", text })
const bytes = new Uint8Array([1, 2, 3])

describe("a result", () => {
  it("is the structured content, whatever else there is", () => {
    assert.deepStrictEqual(result({ content: [text("other")], structuredContent: { a: 1 } }).value, { a: 1 })
    assert.strictEqual(result({ structuredContent: 5 }).value, 5)
  })

  it("is what is in an object whose only field is `result`", () => {
    assert.deepStrictEqual(result({ structuredContent: { result: [1, 2] } }).value, [1, 2])
    assert.deepStrictEqual(result({ structuredContent: { result: 1, more: 2 } }).value, {
      result: 1,
      more: 2
    })
  })

  it("is the text, or the JSON that it holds", () => {
    assert.strictEqual(result({ content: [text("hello")] }).value, "hello")
    assert.deepStrictEqual(result({ content: [text(' {"a":[1]}')] }).value, { a: [1] })
    assert.deepStrictEqual(result({ content: [text("[1]")] }).value, [1])
    assert.strictEqual(result({ content: [text("[1] note")] }).value, "[1] note")
    assert.strictEqual(result({ content: [text("3")] }).value, "3")
    assert.strictEqual(result({ content: [text("")] }).value, "")
  })

  it("is a list where there are several blocks, and null where there is none", () => {
    assert.deepStrictEqual(result({ content: [text("a"), text("[1]")] }).value, ["a", [1]])
    assert.isNull(result({}).value)
  })

  it("goes to the model as files where there are any", () => {
    const image = { type: "image", data: bytes, mimeType: "image/png" } as const
    const { modelOutput, value } = result({ content: [text("Look:"), image] })
    assert.deepStrictEqual(value, ["Look:", { type: "image", mimeType: "image/png", bytes: 3 }])
    assert.deepStrictEqual(
      modelOutput?.map((part) => (part.type === "text" ? part.text : [part.mediaType, part.data])),
      ["Look:", ["image/png", bytes]]
    )
    assert.isUndefined(result({ content: [text("Look:")] }).modelOutput)
    const audio = { type: "audio", data: bytes, mimeType: "audio/wav" } as const
    assert.deepStrictEqual(result({ content: [audio] }).value, {
      type: "audio",
      mimeType: "audio/wav",
      bytes: 3
    })
    const both = result({ content: [image], structuredContent: { a: 1 } })
    assert.deepStrictEqual(
      both.modelOutput?.map((part) => (part.type === "text" ? part.text : part.mediaType)),
      ['{"a":1}', "image/png"]
    )
  })

  it("names resources, and has the text of those that are text", () => {
    const resource = (resource: McpSchema.EmbeddedResource["resource"]) =>
      ({ type: "resource", resource }) as const
    const { modelOutput, value } = result({
      content: [
        resource({ uri: "file:///a.txt", text: "in a" }),
        resource({ uri: "file:///b.json", text: '{"b":1}' }),
        resource({ uri: "file:///c.bin", blob: bytes }),
        { type: "resource_link", uri: "file:///d", name: "d", description: "D." }
      ]
    })
    assert.deepStrictEqual(value, [
      "in a",
      { b: 1 },
      { type: "resource", uri: "file:///c.bin", mimeType: "application/octet-stream", bytes: 3 },
      { type: "resource_link", uri: "file:///d", name: "d", description: "D." }
    ])
    assert.deepStrictEqual(
      modelOutput?.map((part) => (part.type === "text" ? part.text : [part.fileName, part.data])),
      [
        "in a",
        '{"b":1}',
        ["c.bin", bytes],
        '{"type":"resource_link","uri":"file:///d","name":"d","description":"D."}'
      ]
    )
  })

  it("has what the server says beside it as metadata, but for its name", () => {
    const serverInfo = { "io.modelcontextprotocol/serverInfo": { name: "x", version: "1" } }
    assert.deepStrictEqual(result({ _meta: { ...serverInfo, cost: 3 } }).metadata, { meta: { cost: 3 } })
    assert.deepStrictEqual(result({ _meta: serverInfo }).metadata, {})
  })

  it("has the schema of what is in it", () => {
    const wrapped = { type: "object", properties: { result: { $ref: "#/$defs/R" } }, $defs: { R: {} } }
    assert.deepStrictEqual(unwrappedSchema(wrapped), { $ref: "#/$defs/R", $defs: { R: {} } })
    const plain = { type: "object", properties: { result: {}, more: {} } }
    assert.strictEqual(unwrappedSchema(plain), plain)
  })
})

describe("a server's tools", { timeout: 60_000 }, () => {
  it.live("are described as the server describes them", () =>
    onNode(
      Effect.gen(function* () {
        const tools = new Map((yield* Toolset.list(sdk1())).map((tool) => [tool.name, tool]))
        const add = tools.get("add")!
        assert.strictEqual(add.description, "Adds two numbers.")
        assert.deepStrictEqual(add.parameters, {
          type: "object",
          properties: { a: { type: "number" }, b: { $ref: "#/$defs/B" } },
          required: ["a", "b"],
          $defs: { B: { type: "number" } }
        })
        assert.deepStrictEqual(add.metadata.mcp, { server: "offer", name: "add" })
        assert.deepStrictEqual(add.metadata.meta, { team: "maths" })
        assert.isTrue(Toolset.isToolset(sdk1()))
        assert.strictEqual(Context.get(add.annotations as Context.Context<Tool.Title>, Tool.Title), "Adder")
        const hints = [Tool.Readonly, Tool.Destructive, Tool.Idempotent, Tool.OpenWorld]
        assert.deepStrictEqual(
          hints.map((hint) => Context.get(add.annotations, hint)),
          [true, false, false, true]
        )
        const picture = tools.get("picture")!
        assert.deepStrictEqual(
          hints.map((hint) => Context.get(picture.annotations, hint)),
          [false, true, false, true]
        )
        assert.isUndefined(picture.metadata.annotations)
        assert.deepStrictEqual(tools.get("structured")?.returns, {
          type: "object",
          properties: { city: { type: "string" } },
          required: ["city"]
        })
        assert.deepStrictEqual(tools.get("wrapped")?.returns, { type: "array", items: { type: "number" } })
      })
    )
  )

  it.live("have names that providers accept, and are called by their own", () =>
    onNode(
      Effect.gen(function* () {
        const session = yield* Toolset.open(sdk1())
        assert.strictEqual(yield* session.call("files_read", {}), "files.read was called")
        const names = (yield* Toolset.list(sdk1())).map((tool) => tool.name)
        const long = names.find((name) => name.startsWith("long_"))!
        assert.strictEqual(long.length, 64)
        assert.match(long, /^long_x{50}_[0-9a-f]{8}$/)
        assert.strictEqual(yield* session.call(long, {}), `long_${"x".repeat(70)} was called`)
      })
    )
  )

  it.live("take only arguments that their schemas allow, without asking the server", () =>
    onNode(
      Effect.gen(function* () {
        const session = yield* Toolset.open(sdk1())
        const error = yield* Effect.flip(session.call("add", { a: "1" }))
        assert.instanceOf(error, ModelRetry)
        assert.strictEqual(
          error.message,
          'Invalid arguments: Expected number\n  at ["a"]\nMissing key\n  at ["b"]'
        )
        assert.strictEqual(error.reason, "arguments")
        // Its schema cannot be imported, so whatever it is goes to the server.
        assert.strictEqual(yield* session.call("conditional", { kind: 1 }), "conditional was called")
      })
    )
  )

  it.live("report progress to whoever calls", () =>
    onNode(
      Effect.gen(function* () {
        const { provided, seen } = watchedCall()
        const session = yield* Toolset.open(sdk1())
        const slow = session.call("slow", { parts: 2 }).pipe(provided)
        assert.strictEqual(yield* slow, "done")
        assert.deepStrictEqual(seen, [
          { progress: 1, total: 2 },
          { progress: 2, total: 2 }
        ])
      })
    )
  )

  it.live("go on where whoever watches their progress does not", () =>
    onNode(
      Effect.gen(function* () {
        const session = yield* Toolset.open(sdk1())
        const { call } = watchedCall()
        const watching = Effect.provideService(ToolCall, { ...call, progress: () => Effect.die("no") })
        assert.strictEqual(yield* session.call("slow", { parts: 2 }).pipe(watching), "done")
        assert.strictEqual(yield* session.call("add", { a: 1, b: 2 }), "3")
      })
    )
  )

  it.live("keep the laws of toolsets", () =>
    onNode(
      Effect.gen(function* () {
        const some = sdk1().pipe(
          Toolset.filtered(({ name }) => ["add", "structured", "picture"].includes(name))
        )
        yield* ToolsetLaws.check(some, { calls: { add: { a: 1, b: 2 }, structured: {}, picture: {} } })
      })
    )
  )

  it.live("come with the server's instructions", () =>
    onNode(
      Effect.gen(function* () {
        const model = ScriptedModel.layer([
          ScriptedModel.calls({ add: { a: 1, b: 2 } }),
          ScriptedModel.text("done")
        ])
        const run = Effect.gen(function* () {
          const { output } = yield* Agent.run(Agent.make({ toolsets: [sdk1()] }), { prompt: "1 + 2?" })
          const [request] = yield* ScriptedModel.requests
          return [output, request?.prompt.content[0]?.content]
        })
        assert.deepStrictEqual(yield* Effect.provide(run, model), ["done", "Use these tools with care."])
      })
    )
  )
})

describe("the official servers", { timeout: 60_000 }, () => {
  it.live("everything: text, structured content, images, links, environment", () =>
    onNode(
      Effect.gen(function* () {
        const session = yield* Toolset.open(McpToolset.stdio(everything))
        assert.strictEqual(yield* session.call("echo", { message: "hi" }), "Echo: hi")
        assert.strictEqual(yield* session.call("get-sum", { a: 1, b: 2 }), "The sum of 1 and 2 is 3.")
        assert.hasAllKeys(yield* session.call("get-structured-content", { location: "New York" }), [
          "temperature",
          "conditions",
          "humidity"
        ])
        const image = yield* session.call("get-tiny-image", {})
        assert.deepInclude(image, { type: "image", mimeType: "image/png", bytes: 4033 })
        const links = (yield* session.call("get-resource-links", { count: 2 })) as ReadonlyArray<unknown>
        assert.deepInclude(links[1], { type: "resource_link", name: "Blob Resource 1" })
      })
    )
  )

  it.live("have schemas that can all be checked", () =>
    onNode(
      Effect.gen(function* () {
        const lines: Array<unknown> = []
        const listening = Logger.make(({ message }) => lines.push(message))
        const servers = [everything, filesystem("/tmp"), memory].map((server) => McpToolset.stdio(server))
        const seen = yield* Effect.forEach(servers, (server) =>
          Effect.flatMap(Toolset.list(server), (tools) =>
            Effect.forEach(tools, ({ name, parameters }) =>
              Effect.result(satisfying(parameters)({ surprise: name }))
            )
          )
        ).pipe(
          Effect.provide(Logger.layer([listening])),
          Effect.provideService(References.MinimumLogLevel, "Debug")
        )
        assert.deepStrictEqual(
          seen.map((tools) => tools.length),
          [12, 14, 9]
        )
        assert.deepStrictEqual(lines, [])
      })
    )
  )

  it.live("filesystem and memory: what is written is read again", () =>
    onNode(
      Effect.gen(function* () {
        const files = yield* Toolset.open(McpToolset.stdio(filesystem("/tmp")))
        const listed = yield* files.call("list_allowed_directories", {})
        assert.include(JSON.stringify(listed), "/tmp")
        const denied = yield* Effect.flip(files.call("read_text_file", { path: "/etc/passwd" }))
        assert.instanceOf(denied, ModelRetry)
        assert.include(denied.message, "Access denied")
        const graph = yield* Toolset.open(
          McpToolset.stdio({ ...memory, env: { MEMORY_FILE_PATH: "/tmp/none.json" } })
        )
        assert.deepStrictEqual(yield* graph.call("read_graph", {}), { entities: [], relations: [] })
      })
    )
  )
})
