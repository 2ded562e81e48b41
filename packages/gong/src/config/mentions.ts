import { phrase, type Text } from "@gong/spec"
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
  /** Null when the bytes are no image; one that a model cannot take is a sentence about why. */
  openImage(bytes: Uint8Array): Promise<PromptImage | null>
}

export type PromptImage =
  /** `note` says what was changed; empty when nothing was. */
  | { readonly ok: true; readonly image: ImageContent; readonly note: string }
  | { readonly ok: false; readonly problem: Text }

type Where = Pick<MentionQuery, "cwd" | "home">

/**
 * Expands `@path`. A word that is nothing but `@path` names a file: it must be there. Inside a longer text `@name` may be
 * anything (a person, a package); there it counts only when such a file is there.
 */
export async function expandMentions(query: MentionQuery): Promise<Outcome<Mentions>> {
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
export function textOrFile(flag: string, value: string, where: Where): Outcome<string> {
  if (!value.startsWith("@")) return ok(value)
  try {
    return ok(readFileSync(pathOf(value.slice(1), where), "utf8"))
  } catch (error) {
    return usage(phrase`--${flag} ${value}: cannot read this file (${codeOf(error)}).`)
  }
}

function namesIn(text: string): readonly string[] {
  // The full stop or comma after a name belongs to the sentence.
  return Array.from(text.matchAll(/(?<=^|[\s(])@([^\s()]+)/g), ([, name = ""]) => name.replace(/[.,;:!?'"]+$/, ""))
}

function pathOf(name: string, where: Where): string {
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
  return usage(phrase`@${name}: there is no such file. For the plain word, quote it together with the message.`)
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
  try {
    const stat = statSync(path)
    // A FIFO or a device would hold the program up for ever.
    if (!stat.isFile()) return usage(phrase`${name} is not a regular file.`)
    if (stat.size > maxFileBytes)
      return usage(phrase`${name} is ${stat.size} bytes; a file in the prompt may have 64 MB.`)
    const bytes = readFileSync(path)
    const found = await query.openImage(bytes)
    if (found?.ok === false) return usage(phrase`${name}: ${found.problem}`)
    if (found !== null) {
      const block = found.note === "" ? {} : { block: `<file path="${name}">\n${found.note}\n</file>` }
      return ok({ image: found.image, ...block, seen: seenFile(path, stat, bytes) })
    }
    if (kind === "image") return usage(phrase`${name} is not an image that models take (PNG, JPEG, GIF, WebP).`)
    if (bytes.includes(0))
      return ok({ block: `<file path="${name}">\n[binary, ${bytes.length} bytes]\n</file>`, seen: partOf(path, stat) })
    return ok(textBlock(name, path, stat, bytes))
  } catch (error) {
    return usage(phrase`${name}: cannot read this file (${codeOf(error)}).`)
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
  const notification = `[${bytes.length} bytes in all; read ${name} from line ${next} for the rest]`
  return { block: `<file path="${name}">\n${lines}\n${notification}\n</file>`, seen: partOf(path, stat) }
}

function seenFile(path: string, stat: Stats, bytes: Uint8Array): SeenFile {
  return { ...partOf(path, stat), sha256: process.getBuiltinModule("node:crypto").hash("sha256", bytes, "hex") }
}

function partOf(path: string, stat: Stats): SeenFile {
  return { path: realpathSync(path), size: stat.size, mtimeMs: stat.mtimeMs }
}
