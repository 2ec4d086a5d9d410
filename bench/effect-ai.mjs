// effect/ai 4.1: Toolkit + LanguageModel.make mock, hand loop over LanguageModel.generateText (effect/ai has no agent loop).
// VARIANT: schema (Tool.make + Effect Schema; the mock reads Tool.getJsonSchema for each tool and step, as provider packages do)
//          nojson (same, mock does not compute JSON schemas) | dynamic (Tool.dynamic with raw JSON Schema: no local validation)
//          deferred (disableToolCallResolution + toolCallValidation "deferred": the caller validates and runs the calls itself)
//          fresh (like dynamic, but every step hands over newly made Tool objects, as a naive per-step toolset algebra would)
const t0 = performance.now()
const { Effect, Schema, Stream } = await import("effect")
const { LanguageModel, Prompt, Response, Tool, Toolkit } = await import("effect/ai")
const importMs = performance.now() - t0
import { main, jsonSchema, toolName, execute, Script, touch, ARGS, version } from "./harness.mjs"
const variant = process.env.VARIANT ?? "schema"
const params = () =>
  Schema.Struct({
    query: Schema.String,
    limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
    tags: Schema.Array(Schema.String),
    options: Schema.Struct({ deep: Schema.Boolean, lang: Schema.Literals(["en", "fr", "de"]) })
  })
const success = Schema.Struct({ ok: Schema.Boolean, n: Schema.Number })
const build = async (T) => {
  const tools = [],
    handlers = {}
  for (let i = 0; i < T; i++) {
    const name = toolName(i)
    tools.push(
      variant === "dynamic" || variant === "fresh"
        ? Tool.dynamic(name, { description: `Tool ${i}`, parameters: jsonSchema(), success: Schema.Unknown })
        : Tool.make(name, { description: `Tool ${i}`, parameters: params(), success })
    )
    handlers[name] = (a) => Effect.sync(() => execute(a))
  }
  const toolkit = Toolkit.make(...tools)
  return Effect.runPromise(Effect.scoped(toolkit.pipe(Effect.provide(toolkit.toLayer(handlers)))))
}
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const setup = async (T) => {
  const toolkit = await build(T)
  const script = { current: undefined }
  const lm = await Effect.runPromise(
    LanguageModel.make({
      generateText: (o) =>
        Effect.sync(() => {
          for (const t of o.tools)
            touch(
              t.name,
              variant === "nojson" || variant === "deferred" ? t.parametersSchema : Tool.getJsonSchema(t)
            )
          const calls = script.current.next()
          return calls
            ? [
                ...calls.map((c) => ({ type: "tool-call", id: c.id, name: c.name, params: ARGS })),
                { type: "finish", reason: "tool-calls", usage }
              ]
            : [
                { type: "text", text: "done" },
                { type: "finish", reason: "stop", usage }
              ]
        }),
      streamText: () => Stream.empty
    })
  )
  const decoders = new Map()
  const decode = (name, x) => {
    let d = decoders.get(name)
    if (!d) decoders.set(name, (d = Schema.decodeUnknownEffect(toolkit.tools[name].parametersSchema)))
    return d(x)
  }
  const runCall = Effect.fnUntraced(function* (c) {
    const args = yield* decode(c.name, c.params)
    const result = execute(args)
    return Response.makePart("tool-result", {
      id: c.id,
      name: c.name,
      result,
      encodedResult: result,
      isFailure: false,
      preliminary: false,
      providerExecuted: false
    })
  })
  const deferredLoop = Effect.gen(function* () {
    let prompt = Prompt.make("go")
    for (;;) {
      const r = yield* LanguageModel.generateText({
        prompt,
        toolkit,
        disableToolCallResolution: true,
        toolCallValidation: "deferred"
      })
      if (r.finishReason !== "tool-calls") return r.text
      const results = yield* Effect.forEach(
        r.content.filter((p) => p.type === "tool-call"),
        runCall,
        { concurrency: "unbounded" }
      )
      prompt = Prompt.concat(prompt, Prompt.fromResponseParts([...r.content, ...results]))
    }
  }).pipe(Effect.provideService(LanguageModel.LanguageModel, lm))
  const defs = Array.from({ length: T }, (_, i) => ({
    name: toolName(i),
    description: `Tool ${i}`,
    parameters: jsonSchema()
  }))
  const freshLoop = Effect.gen(function* () {
    let prompt = Prompt.make("go")
    for (;;) {
      const kit = Toolkit.make(
        ...defs.map((d) =>
          Tool.dynamic(d.name, {
            description: d.description,
            parameters: d.parameters,
            success: Schema.Unknown
          })
        )
      )
      const handlers = {}
      for (const d of defs) handlers[d.name] = (a) => Effect.sync(() => execute(a))
      const ready = yield* kit.pipe(Effect.provideContext(yield* kit.toHandlers(handlers)))
      const r = yield* LanguageModel.generateText({ prompt, toolkit: ready })
      if (r.finishReason !== "tool-calls") return r.text
      prompt = Prompt.concat(prompt, Prompt.fromResponseParts(r.content))
    }
  }).pipe(Effect.provideService(LanguageModel.LanguageModel, lm))
  const loop =
    variant === "deferred"
      ? deferredLoop
      : variant === "fresh"
        ? freshLoop
        : Effect.gen(function* () {
            let prompt = Prompt.make("go")
            for (;;) {
              const r = yield* LanguageModel.generateText({ prompt, toolkit })
              if (r.finishReason !== "tool-calls") return r.text
              prompt = Prompt.concat(prompt, Prompt.fromResponseParts(r.content))
            }
          }).pipe(Effect.provideService(LanguageModel.LanguageModel, lm))
  return {
    run(steps, parallel) {
      script.current = new Script(T, steps, parallel)
      return Effect.runPromise(loop)
    }
  }
}
await main({ name: `effect-ai-${variant}`, versions: { effect: version("effect") }, importMs, setup, build })
