/** Results of texts and files. */
import { Predicate, type Schema } from "effect"
import { Prompt } from "effect/ai"
import type { ToolReturn } from "../ToolReturn.ts"

/** Texts and files as a result: files go to the model as such, and are named in the value. */
export const resultOf = (
  parts: ReadonlyArray<Prompt.ToolModelOutputPart>
): Pick<ToolReturn<Schema.Json>, "value" | "modelOutput"> => {
  const values = parts.map(valueOf)
  return {
    value: values.length === 0 ? null : values.length === 1 ? values[0]! : values,
    modelOutput: parts.some((part) => part.type === "file") ? parts : undefined
  }
}

const valueOf = (part: Prompt.ToolModelOutputPart): Schema.Json => {
  if (part.type === "text") return part.text
  const { fileName, mediaType } = part
  return fileName === undefined ? { type: "file", mediaType } : { type: "file", mediaType, fileName }
}

/** Where the bytes of a file are: in base64 or as they are, or at a URL, which may hold them itself. */
export interface File {
  readonly data?: unknown
  readonly url?: unknown
  readonly mediaType: unknown
  readonly fileName?: unknown
}

/** A file as a part, or nothing where there are no bytes and no URL. `kind` is what it is at least: `image`, `audio`. */
export const fileOf = (kind: string, file: File): Prompt.FilePart | undefined => {
  const found = dataIn(file.url) ?? { data: bytesOf(file.data) ?? urlOf(file.url), mediaType: undefined }
  if (found.data === undefined) return undefined
  return Prompt.filePart({
    mediaType: wholeMediaType(Predicate.isString(file.mediaType) ? file.mediaType : found.mediaType, kind),
    fileName: Predicate.isString(file.fileName) ? file.fileName : undefined,
    data: found.data
  })
}

const bytesOf = (data: unknown): string | Uint8Array | undefined => {
  if (Predicate.isString(data)) return dataIn(data)?.data ?? data
  if (data instanceof Uint8Array) return data
  return data instanceof ArrayBuffer ? new Uint8Array(data) : undefined
}

/** What a `data:` URL holds, in base64. */
export const dataIn = (url: unknown): { readonly data: string; readonly mediaType: string } | undefined => {
  const [, mediaType, data] = /^data:([^;,]*)[^,]*;base64,(.*)$/s.exec(String(url)) ?? []
  return mediaType === undefined || data === undefined ? undefined : { data, mediaType }
}

const urlOf = (url: unknown): URL | undefined =>
  (Predicate.isString(url) || url instanceof URL) && URL.canParse(url) ? new URL(url) : undefined

/** `image` alone is any image. */
const wholeMediaType = (mediaType: string | undefined, kind: string): string => {
  const known = mediaType === undefined || mediaType === "" ? kind : mediaType
  if (known.includes("/")) return known
  return known === "file" ? "application/octet-stream" : `${known}/*`
}
