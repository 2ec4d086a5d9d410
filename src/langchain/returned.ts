/** What a tool of LangChain.js gave, as a result. */
import { Effect, Predicate } from "effect"
import { Prompt } from "effect/ai"
import { fileOf, resultOf } from "../interop/parts.ts"
import { readable } from "../interop/readable.ts"
import { ToolReturn } from "../ToolReturn.ts"
import { ToolFailed } from "../ToolSignal.ts"

/** A value is the result itself; of a message it is the content, whose artifact is metadata. */
export const returned = (given: unknown): Effect.Effect<unknown, ToolFailed> => {
  if (!isMessage(given)) return Effect.succeed(contentOf(given))
  const { artifact, content, status } = given
  if (status === "error") return Effect.fail(new ToolFailed({ message: textOf(content) }))
  return Effect.succeed(
    new ToolReturn({
      ...asReturn(contentOf(content)),
      ...(artifact === undefined ? {} : { metadata: { artifact } })
    })
  )
}

interface Message {
  readonly content: unknown
  readonly artifact?: unknown
  readonly status?: unknown
}

/** A `ToolMessage`, of whichever copy of the library. */
const isMessage = (given: unknown): given is Message =>
  Predicate.hasProperty(given, "lc_direct_tool_output") &&
  given.lc_direct_tool_output === true &&
  Predicate.hasProperty(given, "tool_call_id") &&
  Predicate.hasProperty(given, "content")

const asReturn = (content: unknown): ToolReturn =>
  content instanceof ToolReturn ? content : new ToolReturn({ value: content })

/** Content blocks with files go to the model as such; everything else is a value. */
const contentOf = (content: unknown): unknown => {
  if (!Array.isArray(content) || !content.every(isBlock)) return content
  const parts = content.map(partOf)
  return parts.some((part) => part.type === "file") ? new ToolReturn(resultOf(parts)) : content
}

const textOf = (content: unknown): string => {
  const texts = Array.isArray(content)
    ? content.flatMap((block) => (isBlock(block) ? [block.text] : []))
    : [content]
  return readable(texts.filter(Predicate.isString).join("\n")) || "The tool failed."
}

interface Block {
  readonly type: string
  readonly [field: string]: unknown
}

const isBlock = (value: unknown): value is Block =>
  Predicate.isReadonlyObject(value) && Predicate.isString(value.type)

const partOf = (block: Block): Prompt.ToolModelOutputPart =>
  (Predicate.isString(block.text) ? Prompt.textPart({ text: block.text }) : filePart(block)) ??
  Prompt.textPart({ text: JSON.stringify(block) })

/** Blocks as LangChain writes them now, as it wrote them before 1.0, and as OpenAI writes images. */
const filePart = (block: Block): Prompt.FilePart | undefined => {
  const { data, image_url: image, metadata, mime_type: before, mimeType = before, type, url } = block
  if (type === "image_url") {
    return fileOf("image", {
      url: Predicate.isReadonlyObject(image) ? image.url : image,
      mediaType: undefined
    })
  }
  const fileName = Predicate.isReadonlyObject(metadata) ? metadata.filename : undefined
  return kinds.has(type) ? fileOf(type, { data, url, mediaType: mimeType, fileName }) : undefined
}

const kinds: ReadonlySet<string> = new Set(["image", "audio", "video", "file"])
