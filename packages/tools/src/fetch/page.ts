import { type Clock, isRecord, parseJson } from "@gong/spec"
import { decodePart } from "../encoding/decode.ts"
import { utf16Of } from "../encoding/utf16.ts"
import { kindOfBytes, SNIFF_BYTES } from "../files/files.ts"
import type { FetchedPage } from "./get.ts"

/** What is shown of an answer: a text, an image by its type, or the kind of bytes that neither is. */
export type Page =
  | { readonly kind: "text"; readonly text: string; readonly form: "markdown" | "as it is" }
  | { readonly kind: "image"; readonly mimeType: string }
  | { readonly kind: "binary"; readonly type: string }

/** By content first: what a server says of it may be wrong. Rejects when the signal aborts. */
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

/** JSON on one endless line cannot be shown in parts. */
function readable(text: string): string {
  if (text.length < longLine || !/^\s*[[{]/.test(text) || text.slice(0, longLine).includes("\n")) return text
  const value = parseJson(text)
  return isRecord(value) || Array.isArray(value) ? JSON.stringify(value, null, 1) : text
}

const longLine = 10_000

/** In the encoding that a mark, the server or the page names; else the one that it looks like. */
function textOfBytes({ bytes, headers, cut }: FetchedPage): string {
  const wide = utf16Of(bytes)
  const label = wide?.encoding ?? labelIn(headers["content-type"] ?? "") ?? metaOf(bytes)
  return (label && decodedAs(label, bytes)) ?? decodePart(new Uint8Array(), bytes, cut).text
}

function labelIn(text: string): string | null {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1] ?? null
}

/** Bytes of a page in which it may name its encoding. */
const headBytes = 2048

function metaOf(bytes: Uint8Array): string | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, headBytes))
  return labelIn(head.match(/<meta\b[^>]*charset[^>]*>/i)?.[0] ?? "")
}

function decodedAs(label: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    // A name that nobody knows.
    return null
  }
}
