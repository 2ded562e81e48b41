import { phrase, type Text } from "@gong/spec"
import { join, resolve } from "node:path"
import type { Host, HostFile, HostLook, ImageContent, SeenFile } from "@gong/spec"
import { ok, usage, type Outcome } from "./usage.ts"

export interface Mentions {
  /** The words joined by spaces, then one block per text file. */
  readonly text: string
  readonly images: readonly ImageContent[]
  /** Files that the model has now seen (interface part 5 A). */
  readonly seen: readonly SeenFile[]
}

export interface MentionQuery {
  /** The message's words as the shell passed them. */
  readonly words: readonly string[]
  /** `-i`. */
  readonly images: readonly string[]
  /** Base folder and access of the files. */
  readonly host: Pick<Host, "home" | "look" | "readFiles">
  readonly cwd: string
  /** Null if the bytes are no image; a sentence if a model cannot accept it. */
  openImage(bytes: Uint8Array): Promise<PromptImage | null>
}

export type PromptImage =
  /** `note`: the changes; empty for none. */
  | { readonly ok: true; readonly image: ImageContent; readonly note: string }
  | { readonly ok: false; readonly problem: Text }

type Where = Pick<MentionQuery, "cwd" | "host">

/**
 * Expands `@path`. A word that consists of `@path` names a file, which must exist. Inside a longer text `@name` may be anything
 * (a person, a package) and is expanded only if such a file exists.
 */
export async function expandMentions(query: MentionQuery): Promise<Outcome<Mentions>> {
  const named = query.words.flatMap((word) =>
    /^@\S+$/.test(word) ? [{ name: word.slice(1), must: true }] : namesIn(word).map((name) => ({ name, must: false })),
  )
  const found = await query.host.look(named.map(({ name }) => pathOf(name, query)))
  const isFile = found.map((one) => one.ok && one.value.stat.kind === "file")
  const missingFile = named.find(({ must }, at) => must && !isFile[at])
  if (missingFile) return missing(missingFile.name)
  const wanted = new Map<string, "text" | "image">()
  for (const [at, { name }] of named.entries()) if (isFile[at]) wanted.set(name, "text")
  for (const name of query.images) wanted.set(name, "image")
  return readAll(wanted, query)
}

/** The text of `--system-prompt` and similar options: itself, or the content of `@FILE`. */
export async function textOrFile(flag: string, value: string, where: Where): Promise<Outcome<string>> {
  if (!value.startsWith("@")) return ok(value)
  const [read] = await where.host.readFiles([pathOf(value.slice(1), where)], { maxBytes: maxFileBytes })
  if (read?.ok === true) return ok(new TextDecoder("utf-8", { ignoreBOM: true }).decode(read.value.bytes))
  return usage(phrase`--${flag} ${value}: cannot read this file (${read?.code ?? "EIO"}).`)
}

function namesIn(text: string): readonly string[] {
  // A final full stop or comma belongs to the sentence.
  return Array.from(text.matchAll(/(?<=^|[\s(])@([^\s()]+)/g), ([, name = ""]) => name.replace(/[.,;:!?'"]+$/, ""))
}

function pathOf(name: string, { host, cwd }: Where): string {
  return name.startsWith("~/") ? join(host.home, name.slice(2)) : resolve(cwd, name)
}

function missing(name: string): Outcome<never> {
  return usage(phrase`@${name}: no such file. To send the word itself, quote it together with the message.`)
}

async function readAll(wanted: ReadonlyMap<string, "text" | "image">, query: MentionQuery): Promise<Outcome<Mentions>> {
  const blocks: string[] = []
  const images: ImageContent[] = []
  const seen: SeenFile[] = []
  for (const [name, kind] of wanted) {
    const file = await readOne(name, kind, query)
    if (!file.ok) return file
    if (file.value.image) images.push(file.value.image)
    if (file.value.block !== undefined) blocks.push(file.value.block)
    seen.push(file.value.seen)
  }
  return ok({ text: [query.words.join(" "), ...blocks].join("\n\n"), images, seen })
}

interface OneFile {
  readonly image?: ImageContent
  readonly block?: string
  readonly seen: SeenFile
}

const maxTextBytes = 51_200
const maxFileBytes = 64 * 1024 * 1024

async function readOne(name: string, kind: "text" | "image", query: MentionQuery): Promise<Outcome<OneFile>> {
  const path = pathOf(name, query)
  const [looked] = await query.host.look([path])
  if (looked?.ok !== true) return unreadable(name, looked)
  const { stat, real } = looked.value
  // A FIFO or a device would block forever.
  if (stat.kind !== "file") return usage(phrase`${name} is not a regular file.`)
  if (stat.size > maxFileBytes)
    return usage(phrase`${name} has ${stat.size} bytes; the maximum for a file in the prompt is 64 MB.`)
  const [read] = await query.host.readFiles([path], { maxBytes: maxFileBytes })
  return read?.ok === true ? opened(name, kind, { ...read.value, real }, query) : unreadable(name, read)
}

function unreadable(name: string, answer: { readonly code: string } | undefined): Outcome<never> {
  return usage(phrase`${name}: cannot read this file (${answer?.code ?? "EIO"}).`)
}

type Opened = HostFile & Pick<HostLook, "real">

async function opened(
  name: string,
  kind: "text" | "image",
  file: Opened,
  { openImage }: MentionQuery,
): Promise<Outcome<OneFile>> {
  const { bytes } = file
  const found = await openImage(bytes)
  if (found?.ok === false) return usage(phrase`${name}: ${found.problem}`)
  if (found !== null) {
    const block = found.note === "" ? {} : { block: `<file path="${name}">\n${found.note}\n</file>` }
    return ok({ image: found.image, ...block, seen: seenFile(file) })
  }
  if (kind === "image") return usage(phrase`${name} is not an image in a supported format (PNG, JPEG, GIF, WebP).`)
  if (bytes.includes(0))
    return ok({ block: `<file path="${name}">\n[binary, ${bytes.length} bytes]\n</file>`, seen: partOf(file) })
  return ok(textBlock(name, file))
}

function textBlock(name: string, file: Opened): OneFile {
  const { bytes } = file
  if (bytes.length <= maxTextBytes) {
    const text = new TextDecoder().decode(bytes).replace(/\n$/, "")
    return { block: `<file path="${name}">\n${text}\n</file>`, seen: seenFile(file) }
  }
  const shown = new TextDecoder().decode(bytes.subarray(0, maxTextBytes))
  const lines = shown.slice(0, shown.lastIndexOf("\n") + 1 || undefined).replace(/\n$/, "")
  const next = lines.split("\n").length + 1
  const notice = `[${bytes.length} bytes in all; read ${name} from line ${next} for the rest]`
  return { block: `<file path="${name}">\n${lines}\n${notice}\n</file>`, seen: partOf(file) }
}

function seenFile(file: Opened): SeenFile {
  return { ...partOf(file), sha256: process.getBuiltinModule("node:crypto").hash("sha256", file.bytes, "hex") }
}

function partOf({ real, stat }: Opened): SeenFile {
  return { path: real, size: stat.size, mtimeMs: stat.mtimeMs }
}
