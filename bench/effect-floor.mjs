// Floor on Effect 4: the same hand loop as floor.mjs inside Effect.gen, tools are Effects, calls run with Effect.forEach(unbounded).
// VARIANT: ajv (ajv lazy per tool) | schema (Schema.decodeUnknownEffect per tool, cached) | span (ajv + Effect.withSpan per step and per call)
//          composed (ajv, and per step: 2 sources -> prefix -> filter -> combine with duplicate check, each combinator an Effect)
const t0 = performance.now()
const { Effect, Schema } = await import("effect")
const importMs = performance.now() - t0
import Ajv from "ajv"
import { main, jsonSchema, toolName, execute, Script, touch, ARGS_JSON, version } from "./harness.mjs"
const variant = process.env.VARIANT ?? "ajv"
const ajv = new Ajv()
class BadArgs extends Error {
  _tag = "BadArgs"
}
const schema = () =>
  Schema.Struct({
    query: Schema.String,
    limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
    tags: Schema.Array(Schema.String),
    options: Schema.Struct({ deep: Schema.Boolean, lang: Schema.Literals(["en", "fr", "de"]) })
  })
const validator = (js) => {
  if (variant === "schema") {
    const d = Schema.decodeUnknownEffect(schema())
    return d
  }
  let f
  return (x) => {
    f ??= ajv.compile(js)
    return f(x) ? Effect.succeed(x) : Effect.fail(new BadArgs("bad args"))
  }
}
const build = (T) => {
  const tools = new Map()
  for (let i = 0; i < T; i++) {
    const parameters = jsonSchema()
    tools.set(toolName(i), {
      def: { name: toolName(i), description: `Tool ${i}`, parameters },
      decode: validator(parameters),
      execute: (a) => Effect.sync(() => execute(a))
    })
  }
  return tools
}
const model =
  (script) =>
  ({ messages, tools }) =>
    Effect.sync(() => {
      for (const t of tools) touch(t.name, t.parameters)
      const calls = script.next()
      return calls ? { toolCalls: calls.map((c) => ({ ...c, arguments: ARGS_JSON })) } : { text: "done" }
    })
const call = Effect.fnUntraced(function* (tools, c) {
  const t = tools.get(c.name)
  if (!t) return yield* Effect.fail(new BadArgs("unknown tool"))
  const args = yield* t.decode(JSON.parse(c.arguments))
  const result = yield* t.execute(args)
  return { role: "tool", id: c.id, content: JSON.stringify(result) }
})
const callOne = variant === "span" ? (tools, c) => Effect.withSpan(call(tools, c), `tool ${c.name}`) : call
const source = (list) => ({ getTools: Effect.sync(() => list) })
const prefixed = (s, p) => ({
  getTools: Effect.map(s.getTools, (l) =>
    l.map((t) => ({ ...t, def: { ...t.def, name: `${p}_${t.def.name}` } }))
  )
})
const filtered = (s, f) => ({ getTools: Effect.map(s.getTools, (l) => l.filter((t) => f(t.def))) })
const combined = (ss) => ({
  getTools: Effect.flatMap(
    Effect.forEach(ss, (s) => s.getTools),
    (ls) => {
      const out = new Map()
      for (const l of ls)
        for (const t of l) {
          if (out.has(t.def.name)) return Effect.fail(new BadArgs("conflict"))
          out.set(t.def.name, t)
        }
      return Effect.succeed(out)
    }
  )
})
const setup = (T) => {
  const tools = build(T)
  const all = [...tools.values()]
  const algebra = combined([
    filtered(prefixed(source(all.filter((_, i) => i % 2 === 0)), "a"), (d) => !d.name.endsWith("__hidden")),
    filtered(prefixed(source(all.filter((_, i) => i % 2)), "b"), (d) => !d.name.endsWith("__hidden"))
  ])
  const defs = all.map((t) => t.def)
  const list =
    variant === "composed"
      ? Effect.map(algebra.getTools, (m) => ({ tools: m, defs: [...m.values()].map((t) => t.def) }))
      : Effect.succeed({ tools, defs })
  const rename =
    variant === "composed"
      ? (c) => ({ ...c, name: (Number(c.name.slice(5)) % 2 ? "b_" : "a_") + c.name })
      : (c) => c
  const loop = (ask) =>
    Effect.gen(function* () {
      const messages = [{ role: "user", content: "go" }]
      for (;;) {
        const l = yield* list
        const r = yield* variant === "span"
          ? Effect.withSpan(ask({ messages, tools: l.defs }), "step")
          : ask({ messages, tools: l.defs })
        if (!r.toolCalls) return r.text
        messages.push({ role: "assistant", toolCalls: r.toolCalls })
        messages.push(
          ...(yield* Effect.forEach(r.toolCalls, (c) => callOne(l.tools, rename(c)), {
            concurrency: "unbounded"
          }))
        )
      }
    })
  return {
    run(steps, parallel) {
      return Effect.runPromise(loop(model(new Script(T, steps, parallel))))
    }
  }
}
await main({
  name: `effect-floor-${variant}`,
  versions: { effect: version("effect"), ajv: version("ajv") },
  importMs,
  setup,
  build
})
