import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref, Schema } from "effect"
import { Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { call, listening, official, presented, text } from "./officially.ts"

/** Serves tools to a client whose user answers everything in the same way, and writes down what was asked. */
const asking = Effect.fnUntraced(function* (
  mode: "legacy" | "auto",
  toolset: Toolset.Toolset,
  answer: { action: "accept" | "decline"; content?: Record<string, boolean> } = {
    action: "accept",
    content: { approve: true }
  }
) {
  const questions: Array<string> = []
  const url = yield* listening(McpToolset.serveHttp(toolset, presented))
  const client = yield* official(mode, { capabilities: { elicitation: {} } })(url)
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    questions.push(params.message)
    return answer
  })
  return { client, questions }
})

/** A tool that writes down what it ran with. */
const writing = (ran: Array<unknown>) =>
  Toolset.tool("write", {
    parameters: Schema.Struct({
      text: Schema.String,
      folder: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("/tmp")))
    }),
    handler: (args) => Effect.sync(() => void ran.push(args))
  }).pipe(Toolset.approvalRequired())

const question = (args: unknown) =>
  `May the tool 'write' be called with this?\n${JSON.stringify(args, undefined, 2)}`

for (const mode of ["legacy", "auto"] as const) {
  describe(`what an approver is shown (${mode})`, { timeout: 60_000 }, () => {
    it.live("is all that will run, defaults too", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const ran: Array<unknown> = []
          const { client, questions } = yield* asking(mode, writing(ran))
          yield* call(client, "write", { text: "hello" })
          assert.deepStrictEqual(questions, [question({ text: "hello", folder: "/tmp" })])
          assert.deepStrictEqual(ran, [{ text: "hello", folder: "/tmp" }])
        })
      )
    )

    it.live("is not cut, and what is too long for that is refused with a sentence, and not run", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const ran: Array<unknown> = []
          const { client, questions } = yield* asking(mode, writing(ran))
          const long = `${"x".repeat(9000)}rm -rf /`
          yield* call(client, "write", { text: long })
          assert.include(questions[0], long)
          assert.lengthOf(ran, 1)
          const refused = yield* call(client, "write", { text: "x".repeat(10_000) })
          const sentence =
            "The call waits for an approval, and its arguments are too long to be shown to anybody: 10036 characters, " +
            "where 10000 can be. Make them shorter, or make several calls."
          assert.deepInclude(refused, { isError: true, content: text(sentence) })
          assert.lengthOf(questions, 1)
          assert.lengthOf(ran, 1)
        })
      )
    )

    it.live("shows what nobody would see, or what turns texts around, as what it is", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const ran: Array<unknown> = []
          const { client, questions } = yield* asking(mode, writing(ran))
          const tricky = "a\u202Eb\u200Bc\u2028d\u{E0041}e\nf\u0000g\u0085h"
          yield* call(client, "write", { text: tricky, folder: "é 漢 🙂" })
          const [asked = ""] = questions
          assert.include(asked, String.raw`a\u202eb\u200bc\u2028d\udb40\udc41e\nf\u0000g\u0085h`)
          assert.include(asked, "é 漢 🙂")
          // It is JSON all the same.
          assert.deepStrictEqual(JSON.parse(asked.slice(asked.indexOf("{"))), {
            text: tricky,
            folder: "é 漢 🙂"
          })
          assert.deepStrictEqual(ran, [{ text: tricky, folder: "é 漢 🙂" }])
        })
      )
    )

    it.live("is what runs: what is something else at the second look is not run", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const ran: Array<unknown> = []
          const clock = yield* Ref.make(0)
          const at = Ref.updateAndGet(clock, (now) => now + 1)
          const toolset = Toolset.tool("write", {
            parameters: Schema.Struct({ at: Schema.Finite.pipe(Schema.withDecodingDefaultKey(at)) }),
            handler: (args) => Effect.sync(() => void ran.push(args))
          }).pipe(Toolset.approvalRequired())
          const { client } = yield* asking(mode, toolset)
          if (mode === "legacy") {
            const refused = yield* call(client, "write")
            const sentence = "The call would not be made with the arguments that were approved."
            assert.deepInclude(refused, { isError: true, content: text(sentence) })
          } else {
            // Asked again and again, until the client has enough.
            yield* Effect.exit(call(client, "write"))
          }
          assert.deepStrictEqual(ran, [])
        })
      )
    )
  })
}

describe("an approval in the newest revision", { timeout: 60_000 }, () => {
  it.live("is for the call that was shown, and for no other", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const ran: Array<unknown> = []
        const url = yield* listening(McpToolset.serveHttp(writing(ran), presented))
        const client = yield* official("auto", { capabilities: { elicitation: {} } })(url)
        // By hand, as a client that mixes up its calls would do it.
        const said = (params: {
          arguments: { text: string }
          requestState?: string
          inputResponses?: object
        }) =>
          Effect.promise<any>(() =>
            client.callTool({ name: "write", ...params } as never, { allowInputRequired: true } as never)
          )
        const yes = { approve: { action: "accept", content: { approve: true } } }
        const harmless = { arguments: { text: "harmless" } }
        const { requestState } = yield* said(harmless)
        const others = [
          { arguments: { text: "harmful" }, requestState, inputResponses: yes },
          { ...harmless, inputResponses: yes },
          { ...harmless, requestState: "forged", inputResponses: yes },
          { ...harmless, requestState }
        ]
        for (const other of others) {
          assert.strictEqual((yield* said(other)).resultType, "input_required")
          assert.deepStrictEqual(ran, [])
        }
        yield* said({ ...harmless, requestState, inputResponses: yes })
        assert.deepStrictEqual(ran, [{ text: "harmless", folder: "/tmp" }])
      })
    )
  )
})
