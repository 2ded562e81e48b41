import { readFileSync, realpathSync, statSync, type Stats } from "node:fs"
import { join, resolve } from "node:path"
import type { ImageContent, SeenFile } from "@gong/spec"
import { codeOf, ok, usage, type Outcome } from "./usage.ts"

export interface Mentions {
  /** The words joined by blanks, then one block per text file. */
  readonly text: string
  readonly images: readonly ImageContent[]
  /** Files that the model has now seen (interface part 5 A). */
  readonly seen: readonly SeenFile[]
}

export interface MentionQuery {
  /** The message's words as the shell gave them. */
  readonly words: readonly string[]
  /** `-i`. */
  readonly images: readonly string[]
  readonly cwd: string
  readonly home: string
}

/**
 * Expands `@path`. A word that is nothing but `@path` names a file: it must be there. Inside a longer text `@name` may be
 * anything (a person, a package); there it counts only when such a file is there.
 */
export function expandMentions(query: MentionQuery): Outcome<Mentions> {
  const wanted = new Map<string, "text" | "image">()
  for (const word of query.words) {
    if (/^@\S+$/.test(word)) {
      if (!isFile(pathOf(word.slice(1), query))) return missing(word.slice(1))
      wanted.set(word.slice(1), "text")
    } else for (const name of namesIn(word)) if (isFile(pathOf(name, query))) wanted.set(name, "text")
  }
  for (const name of query.images) wanted.set(name, "image")
  return readAll(wanted, query)
}

/** The text of `--system-prompt` and its like: itself, or the content of `@FILE`. */
export function textOrFile(flag: string, value: string, where: Pick<MentionQuery, "cwd" | "home">): Outcome<string> {
  if (!value.startsWith("@")) return ok(value)
  try {
    return ok(readFileSync(pathOf(value.slice(1), where), "utf8"))
  } catch (error) {
    return usage(`--${flag} ${value}: cannot read this file (${codeOf(error)}).`)
  }
}

function namesIn(text: string): readonly string[] {
  // The full stop or comma after a name belongs to the sentence.
  return Array.from(text.matchAll(/(?<=^|[\s(])@([^\s()]+)/g), ([, name = ""]) => name.replace(/[.,;:!?'"]+$/, ""))
}

function pathOf(name: string, where: Pick<MentionQuery, "cwd" | "home">): string {
  return name.startsWith("~/") ? join(where.home, name.slice(2)) : resolve(where.cwd, name)
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function missing(name: string): Outcome<never> {
  return usage(`@${name}: there is no such file. For the plain word, quote it together with the message.`)
}

function readAll(wanted: ReadonlyMap<string, "text" | "image">, query: MentionQuery): Outcome<Mentions> {
  const blocks: string[] = []
  const images: ImageContent[] = []
  const seen: SeenFile[] = []
  for (const [name, kind] of wanted) {
    const file = readOne(name, kind, pathOf(name, query))
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

const maxImageBytes = 4.5 * 1024 * 1024
const maxTextBytes = 51_200
const maxFileBytes = 64 * 1024 * 1024

function readOne(name: string, kind: "text" | "image", path: string): Outcome<OneFile> {
  try {
    const stat = statSync(path)
    // A FIFO or a device would hold the program up for ever.
    if (!stat.isFile()) return usage(`${name} is not a regular file.`)
    if (stat.size > maxFileBytes) return usage(`${name} is ${stat.size} bytes; a file in the prompt may have 64 MB.`)
    const bytes = readFileSync(path)
    const mimeType = imageType(bytes)
    if (mimeType !== null) {
      if (bytes.length > maxImageBytes) {
        return usage(`${name} is ${(bytes.length / 1048576).toFixed(1)} MB; an image may have 4.5 MB.`)
      }
      return ok({
        image: { type: "image", mimeType, data: bytes.toString("base64") },
        seen: seenFile(path, stat, bytes),
      })
    }
    if (kind === "image") return usage(`${name} is not an image that models take (PNG, JPEG, GIF, WebP).`)
    if (bytes.includes(0))
      return ok({ block: `<file path="${name}">\n[binary, ${bytes.length} bytes]\n</file>`, seen: partOf(path, stat) })
    return ok(textBlock(name, path, stat, bytes))
  } catch (error) {
    return usage(`${name}: cannot read this file (${codeOf(error)}).`)
  }
}

function textBlock(name: string, path: string, stat: Stats, bytes: Uint8Array): OneFile {
  if (bytes.length <= maxTextBytes) {
    const text = new TextDecoder().decode(bytes).replace(/\n$/, "")
    return { block: `<file path="${name}">\n${text}\n</file>`, seen: seenFile(path, stat, bytes) }
  }
  const shown = new TextDecoder().decode(bytes.subarray(0, maxTextBytes))
  const lines = shown.slice(0, shown.lastIndexOf("\n") + 1 || undefined).replace(/\n$/, "")
  const next = lines.split("\n").length + 1
  const notice = `[${bytes.length} bytes in all; read ${name} from line ${next} for the rest]`
  return { block: `<file path="${name}">\n${lines}\n${notice}\n</file>`, seen: partOf(path, stat) }
}

function seenFile(path: string, stat: Stats, bytes: Uint8Array): SeenFile {
  return { ...partOf(path, stat), sha256: process.getBuiltinModule("node:crypto").hash("sha256", bytes, "hex") }
}

function partOf(path: string, stat: Stats): SeenFile {
  return { path: realpathSync(path), size: stat.size, mtimeMs: stat.mtimeMs }
}

/** By the first bytes, never by the name. */
function imageType(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png"
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg"
  if (/^GIF8[79]a/.test(head)) return "image/gif"
  return /^RIFF[\s\S]{4}WEBP/.test(head) ? "image/webp" : null
}
