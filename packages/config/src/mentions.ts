import { phrase, type Phrase, type Text } from "@gong/spec"
import { join, resolve } from "node:path"
import type { Host, HostFile, HostLook, HostStat, ImageContent, SeenFile } from "@gong/spec"
import { ok, usage, type Outcome } from "./usage.ts"

export interface Mentions {
  /** The words joined by spaces, then one block per text file. */
  readonly text: string
  readonly images: readonly ImageContent[]
  /** Files that the model has now seen (interface part 5 A). */
  readonly seen: readonly SeenFile[]
  /** Mentions that were sent as words though they look like files: folders, pipes, missing files. Sentences. */
  readonly notes: readonly Phrase[]
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
  /** Null for a binary file; `encoding` is null for UTF-8. */
  decode(bytes: Uint8Array): Promise<{ readonly text: string; readonly encoding: string | null } | null>
}

export type PromptImage =
  /** `note`: the changes; empty for none. */
  | { readonly ok: true; readonly image: ImageContent; readonly note: string }
  | { readonly ok: false; readonly problem: Text }

/** `@server:uri`, a resource of an MCP server and no file. */
const resourceForm = /^@[\w-]+:[A-Za-z][\w+.-]*:\/\//

type Where = Pick<MentionQuery, "cwd" | "host">

/**
 * Expands `@path`. A word that consists of `@path` names a file, which must exist. Inside a longer text `@name` may be anything
 * (a person, a package) and is expanded only if such a file exists.
 */
export async function expandMentions(query: MentionQuery): Promise<Outcome<Mentions>> {
  const named = query.words.flatMap((word) =>
    resourceForm.test(word)
      ? []
      : /^@\S+$/.test(word)
        ? [{ name: word.slice(1), must: true }]
        : namesIn(word).map((name) => ({ name, must: false })),
  )
  const found = await query.host.look(named.map(({ name }) => pathOf(name, query)))
  const kinds = found.map((one) => (one.ok ? one.value.stat.kind : null))
  const isFile = kinds.map((kind) => kind === "file")
  const missingFile = named.findIndex(({ must }, at) => must && !isFile[at])
  if (missingFile >= 0) return missing(named[missingFile]?.name ?? "", kinds[missingFile] ?? null)
  const notes = named.flatMap(({ name }, at) => (isFile[at] ? [] : noteOn(name, kinds[at] ?? null)))
  const wanted = new Map<string, "text" | "image">()
  for (const [at, { name }] of named.entries()) if (isFile[at]) wanted.set(name, "text")
  for (const name of query.images) wanted.set(name, "image")
  return readAll(wanted, notes, query)
}

/** A name that exists but is no file, or that has the form of a path. Others, such as `@alice`, are words. */
function noteOn(name: string, kind: HostStat["kind"] | null): readonly Phrase[] {
  if (kind === "directory") return [phrase`@${name} is a folder and is sent as a word; the model can list it.`]
  if (kind !== null) return [phrase`@${name} is not a regular file and is sent as a word.`]
  const isPath =
    /^(?:\.{0,2}\/|~\/)|\w\/[^/]*\.\w+$|^[\w-]+\.(?:[cm]?[jt]sx?|py|rs|go|md|json|ya?ml|toml|txt|html?|css|c|h|cpp|java|rb|sh)$/.test(
      name,
    )
  return isPath ? [phrase`@${name} is no file and is sent as a word.`] : []
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
  return Array.from(
    text.matchAll(/(?<=^|[\s(])[@＠](?:"([^"\n]+)"|([^\s()"]+))/g),
    ([, quoted, name = ""]) => quoted ?? name.replace(/[.,;:!?'"]+$/, ""),
  )
}

function pathOf(name: string, { host, cwd }: Where): string {
  return name.startsWith("~/") ? join(host.home, name.slice(2)) : resolve(cwd, name)
}

function missing(name: string, kind: HostStat["kind"] | null): Outcome<never> {
  if (kind === "directory")
    return usage(phrase`@${name} is a folder. Name a file in it, or quote the word together with the message.`)
  if (kind !== null)
    return usage(phrase`@${name} is not a regular file. Name one, or quote the word together with the message.`)
  return usage(phrase`@${name}: no such file. To send the word itself, quote it together with the message.`)
}

async function readAll(
  wanted: ReadonlyMap<string, "text" | "image">,
  notes: readonly Phrase[],
  query: MentionQuery,
): Promise<Outcome<Mentions>> {
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
  return ok({ text: [query.words.join(" "), ...blocks].join("\n\n"), images, seen, notes })
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
  { openImage, decode }: MentionQuery,
): Promise<Outcome<OneFile>> {
  const { bytes } = file
  const found = await openImage(bytes)
  if (found?.ok === false) return usage(phrase`${name}: ${found.problem}`)
  if (found !== null) {
    const block = found.note === "" ? {} : { block: `<file path="${name}">\n${found.note}\n</file>` }
    return ok({ image: found.image, ...block, seen: seenFile(file) })
  }
  if (kind === "image") return usage(phrase`${name} is not an image in a supported format (PNG, JPEG, GIF, WebP).`)
  const isCut = bytes.length > maxTextBytes
  const decoded = await decode(isCut ? bytes.subarray(0, maxTextBytes) : bytes)
  if (decoded === null)
    return ok({ block: `<file path="${name}">\n[binary, ${bytes.length} bytes]\n</file>`, seen: partOf(file) })
  const { text, encoding } = decoded
  const lines = (isCut ? text.slice(0, text.lastIndexOf("\n") + 1 || undefined) : text).replace(/\n$/, "")
  const next = lines.split("\n").length + 1
  const notices = [
    ...(isCut ? [`[${bytes.length} bytes in all; read ${name} from line ${next} for the rest]`] : []),
    ...(encoding === null ? [] : [`[encoding: ${encoding}]`]),
  ]
  const block = [`<file path="${name}">`, lines, ...notices, "</file>"].join("\n")
  return ok({ block, seen: isCut ? partOf(file) : seenFile(file) })
}

function seenFile(file: Opened): SeenFile {
  return { ...partOf(file), sha256: process.getBuiltinModule("node:crypto").hash("sha256", file.bytes, "hex") }
}

function partOf({ real, stat }: Opened): SeenFile {
  return { path: real, size: stat.size, mtimeMs: stat.mtimeMs }
}
