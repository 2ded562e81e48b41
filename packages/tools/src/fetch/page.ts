import { type Clock, isRecord, parseJson } from "@gong/spec"
import { decodePart } from "../encoding/decode.ts"
import { utf16Of } from "../encoding/utf16.ts"
import { kindOfBytes, SNIFF_BYTES } from "../files/files.ts"
import type { FetchedPage } from "./get.ts"

/** The form in which a response is shown: text, an image of some type, or a description of other bytes. */
export type Page =
  | { readonly kind: "text"; readonly text: string; readonly form: "markdown" | "as it is" }
  | { readonly kind: "image"; readonly mimeType: string }
  | { readonly kind: "binary"; readonly type: string }

/** Judged by content first, because the Content-Type may be wrong. Rejects if the signal aborts. */
export async function pageOf(got: FetchedPage, clock: Clock, signal: AbortSignal): Promise<Page> {
  const kind = kindOfBytes(got.bytes.subarray(0, SNIFF_BYTES))
  if ("image" in kind) return { kind: "image", mimeType: kind.image }
  const type = contentType(got)
  if ("binary" in kind) return { kind: "binary", type: kind.binary === "unknown type" ? type : kind.binary }
  const text = textOfBytes(got)
  if (!isHtml(type, text)) return { kind: "text", text: readable(text), form: "as it is" }
  const { markdownOf } = await import("./markdown.ts")
  return { kind: "text", text: await markdownOf(text, got.url.href, clock, signal), form: "markdown" }
}

export function contentType({ headers }: Pick<FetchedPage, "headers">): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""
}

function isHtml(type: string, text: string): boolean {
  if (/^(?:text\/html|application\/xhtml\+xml)$/.test(type)) return true
  return type === "" && /^\s*<(?:!doctype html|html|head|body)\b/i.test(text.slice(0, 1000))
}

/** JSON on a single long line could not be truncated by lines. */
function readable(text: string): string {
  if (text.length < longLine || !/^\s*[[{]/.test(text) || text.slice(0, longLine).includes("\n")) return text
  const value = parseJson(text)
  return isRecord(value) || Array.isArray(value) ? JSON.stringify(value, null, 1) : text
}

const longLine = 10_000

/** Decodes with the encoding of the byte order mark, the header or the page; otherwise detects it. */
function textOfBytes({ bytes, headers, cut }: FetchedPage): string {
  const wide = utf16Of(bytes)
  const label = wide?.encoding ?? labelIn(headers["content-type"] ?? "") ?? metaOf(bytes)
  return (label && decodedAs(label, bytes)) ?? decodePart(new Uint8Array(), bytes, cut).text
}

function labelIn(text: string): string | null {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1] ?? null
}

/** Bytes of a page in which it may declare its encoding. */
const headBytes = 2048

function metaOf(bytes: Uint8Array): string | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, headBytes))
  return labelIn(head.match(/<meta\b[^>]*charset[^>]*>/i)?.[0] ?? "")
}

function decodedAs(label: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    // Unknown encoding name.
    return null
  }
}
