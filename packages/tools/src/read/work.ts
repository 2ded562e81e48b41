import type { Host, ToolContext, ToolResult } from "@gong/spec"
import { binaryText, type Kind, kindOfBytes, regularFile, seenOf, SNIFF_BYTES } from "../files/files.ts"
import { suggestPaths } from "./suggestions.ts"
import type { Site } from "../options.ts"
import { resolveForRead } from "../paths.ts"
import { relativeTo } from "../posix-path.ts"
import { readImage } from "../files/read-image.ts"
import { readPage } from "./page.ts"
import { checkAborted, Refusal, toolResult } from "../result.ts"
import { cutOf, truncateLine } from "../truncate.ts"
import type { Source } from "../files/windows.ts"
import type { ReadArgs, ReadDetails, ReadOptions } from "./schema.ts"

const NUMBERED_LINE_MAX_CHARS = 2000

/** Executes one call of read. */
export async function read(
  site: Site,
  options: ReadOptions,
  args: ReadArgs,
  context: ToolContext,
): Promise<ToolResult<ReadDetails>> {
  if (args.path.startsWith("artifact:")) return readArtifact(options, args, context)
  const host = await site.host()
  const path = await resolveForRead(host, site.place, "read", args.path)
  const found = await regularFile(host, path, args.path, () => missingText(site, host, path, args.path, context.signal))
  await host.access(path, "read")
  checkAborted(context.signal)
  const source = await openSource(host, path, found.size)
  const kind = await kindOf(options, path, source.head)
  const { result, sha256 } = await show(source, kind, path, options, args, context.signal)
  const seen = await seenOf(host, await host.realpath(path), sha256)
  return { ...result, details: { ...result.details, ...(seen && { seen }) } }
}

/** Artifacts are stored with the session, not on the host. */
async function readArtifact(
  options: ReadOptions,
  args: ReadArgs,
  context: ToolContext,
): Promise<ToolResult<ReadDetails>> {
  const bytes = await context.artifacts?.get(args.path.slice("artifact:".length))
  if (!bytes) throw new Refusal(notFound(args.path))
  const source = { head: bytes.subarray(0, SNIFF_BYTES), size: bytes.length, read: cutter(bytes) }
  return (await show(source, kindOfBytes(source.head), args.path, options, args, context.signal)).result
}

async function kindOf(options: ReadOptions, path: string, head: Uint8Array): Promise<Kind> {
  const detect = options.operations?.detectImageMimeType
  if (detect === undefined) return kindOfBytes(head)
  const image = await detect(path)
  return image === null ? { text: true } : { image }
}

type Opened = Source & { readonly head: Uint8Array }

const FIRST_READ_BYTES = 256 * 1024

/** Most files are read completely by the first call. Only larger ones are read again in ranges. */
async function openSource(host: Host, path: string, statSize: number): Promise<Opened> {
  const first = await host.readRange(path, 0, FIRST_READ_BYTES)
  const size = Math.max(statSize, first.length)
  const cut = cutter(first)
  const read: Source["read"] = (from, to, into) =>
    to <= first.length ? cut(from, to) : host.readRange(path, from, to, into && { into })
  return { head: first.subarray(0, SNIFF_BYTES), size, read }
}

function cutter(bytes: Uint8Array): Source["read"] {
  return async (from, to) => bytes.subarray(from, to)
}

interface Shown {
  readonly result: ToolResult<ReadDetails>
  /** Null if the model did not get all bytes unchanged. */
  readonly sha256: string | null
}

async function show(
  source: Source,
  kind: Kind,
  path: string,
  options: ReadOptions,
  args: ReadArgs,
  signal: AbortSignal,
): Promise<Shown> {
  if ("binary" in kind) throw new Refusal(binaryText(args.path, kind.binary, source.size))
  if ("text" in kind) return readText(source, path, options, args, signal)
  const content = await readImage(source, kind.image, args.path, options, signal)
  return { result: toolResult(content, { path, line_count: 0, truncated: false, encoding: "base64" }), sha256: null }
}

async function readText(
  source: Source,
  path: string,
  options: ReadOptions,
  args: ReadArgs,
  signal: AbortSignal,
): Promise<Shown> {
  const first = Math.max(1, args.offset ?? 1)
  const page = await readPage(source, { ...options, first, ...(args.limit && { limit: args.limit }), signal })
  if (page.beyond) throw new Refusal(`Offset ${first} is beyond end of file (${page.totalLines} lines total)`)
  const { truncation } = page
  const notice = notificationOf(page.notice, args.path, path)
  const body = options.lineNumbers ? numbered(truncation.content, first) : truncation.content
  const details: ReadDetails = {
    path,
    line_count: truncation.outputLines,
    truncated: truncation.truncated,
    encoding: page.encoding,
    ...(truncation.truncated && { truncation: cutOf(truncation) }),
    ...(source.size === 0 && { hint: "The file is empty." }),
  }
  return { result: toolResult(joined(body, notice), details), sha256: page.sha256 }
}

function joined(body: string, notice: string): string {
  if (notice === "") return body
  return body === "" ? notice : `${body.replace(/\n$/, "")}\n\n${notice}`
}

/** The text shows a command, so it names the file. */
function notificationOf(notice: string, typed: string, path: string): string {
  return notice.replace("PATH", () => (/^[\w@%+=:,./-]+$/.test(typed) ? typed : `'${path.replaceAll("'", `'\\''`)}'`))
}

function numbered(text: string, first: number): string {
  if (text === "") return ""
  const lines = text.replace(/\n$/, "").split("\n")
  return lines
    .map((line, at) => `${String(first + at).padStart(6)}\t${truncateLine(line, NUMBERED_LINE_MAX_CHARS).content}`)
    .join("\n")
}

/** Suggests similar paths that this tool may open. */
async function missingText(site: Site, host: Host, path: string, typed: string, signal: AbortSignal): Promise<string> {
  const { cwd } = site.place
  const names: string[] = []
  for (const near of await suggestPaths(host, cwd, path, signal))
    if (await mayRead(site, host, near)) names.push(relativeTo(cwd, near))
  return names.length === 0 ? notFound(typed) : `${notFound(typed)} Did you mean ${names.join(" or ")}?`
}

async function mayRead(site: Site, host: Host, path: string): Promise<boolean> {
  try {
    return (await host.stat(await resolveForRead(host, site.place, "read", path)))?.kind === "file"
  } catch {
    return false
  }
}

function notFound(typed: string): string {
  return `ENOENT: File not found: ${typed}. Check the path with ls or find.`
}
