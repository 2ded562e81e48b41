import type { Host, HostStat, SeenFile } from "@gong/spec"
import { utf16Of } from "../encoding/utf16.ts"
import { Refusal } from "../result.ts"
import { formatSize } from "../truncate.ts"

/** The stat of a regular file. Anything else is refused at once, because opening it could block. */
export async function regularFile(
  host: Host,
  path: string,
  typed: string,
  missing: string | (() => Promise<string>),
): Promise<HostStat> {
  const found = await host.stat(path)
  if (found === null) throw new Refusal(typeof missing === "string" ? missing : await missing())
  if (found.kind === "directory") throw new Refusal(`Is a directory: ${typed}. Give a file; ls lists a directory.`)
  if (found.kind !== "file")
    throw new Refusal(`Not a regular file: ${typed} is a pipe, socket or device. Only regular files can be used.`)
  return found
}

/** The record of a file that the session has seen (engine D9). */
export async function seenOf(host: Host, real: string, sha256: string | null): Promise<SeenFile | null> {
  const found = await host.stat(real)
  if (found === null) return null
  return { path: real, ...(sha256 !== null && { sha256 }), size: found.size, mtimeMs: found.mtimeMs }
}

/** Records of those paths that are regular files; only a part of them was shown. */
export async function seenFiles(host: Host, paths: readonly string[]): Promise<readonly SeenFile[]> {
  const seen: SeenFile[] = []
  for (const path of paths) {
    const found = await host.stat(path).catch(() => null)
    if (found?.kind !== "file") continue
    seen.push({ path: await host.realpath(path), size: found.size, mtimeMs: found.mtimeMs })
  }
  return seen
}

/** The kind of a file by its first bytes; never by name. */
export type Kind = { readonly image: string } | { readonly binary: string } | { readonly text: true }

export const SNIFF_BYTES = 8192

export function kindOfBytes(head: Uint8Array): Kind {
  const image = imageType(head)
  if (image !== null) return { image }
  if (!head.subarray(0, SNIFF_BYTES).includes(0) || utf16Of(head) !== null) return { text: true }
  return { binary: magics.find(([magic, , at]) => startsWith(head.subarray(at), magic))?.[1] ?? "unknown type" }
}

export function binaryText(typed: string, type: string, size: number): string {
  return `Binary file (${type}, ${formatSize(size)}): ${typed}. Use bash to look at it, e.g. with file, xxd or strings.`
}

/** Magic bytes, file type, and the offset if it is not 0. */
const magics: readonly (readonly [magic: string, type: string, at?: number])[] = [
  ["%PDF-", "PDF"],
  ["PK\x03\x04", "ZIP archive"],
  ["\x1f\x8b", "gzip"],
  ["BZh", "bzip2"],
  ["\xfd7zXZ\0", "xz"],
  ["\x28\xb5\x2f\xfd", "Zstandard"],
  ["7z\xbc\xaf\x27\x1c", "7-Zip archive"],
  ["ustar", "tar archive", 257],
  ["\x7fELF", "ELF program"],
  ["SQLite format 3\0", "SQLite database"],
  ["\0asm", "WebAssembly"],
  ["\xca\xfe\xba\xbe", "Java class"],
  ["\xcf\xfa\xed\xfe", "Mach-O program"],
  ["MZ", "Windows program"],
  ["BM", "BMP image"],
  ["II*\0", "TIFF image"],
  ["MM\0*", "TIFF image"],
  ["\0\0\x01\0", "icon"],
  ["ftypheic", "HEIC image", 4],
  ["ftypavif", "AVIF image", 4],
  ["ftyp", "MP4 video", 4],
  ["OggS", "Ogg audio"],
  ["ID3", "MP3 audio"],
  ["wOFF", "WOFF font"],
  ["wOF2", "WOFF2 font"],
]

/** PNG, JPEG, GIF or WebP by the first bytes; null otherwise. */
export function imageType(head: Uint8Array): string | null {
  if (startsWith(head, "\x89PNG\r\n\x1a\n")) return "image/png"
  if (startsWith(head, "\xff\xd8\xff")) return "image/jpeg"
  if (startsWith(head, "GIF87a") || startsWith(head, "GIF89a")) return "image/gif"
  if (startsWith(head, "RIFF") && startsWith(head.subarray(8), "WEBP")) return "image/webp"
  return null
}

function startsWith(bytes: Uint8Array, magic: string): boolean {
  for (let i = 0; i < magic.length; i++) if (bytes[i] !== magic.charCodeAt(i)) return false
  return true
}
