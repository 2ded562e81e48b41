import { phrase, type Text } from "@gong/spec"
/** Files by relative path in a folder or archive, with `/` as separator; no path leads outside. */
export type SourceFiles = ReadonlyMap<string, Uint8Array>

/** Maximum number of files of one source, and of bytes together. */
export const maxSourceFiles = 2_000
export const maxSourceBytes = 33_554_432

export type ReadSource =
  | { readonly ok: true; readonly files: SourceFiles }
  /** `problem`: the problem and its remedy. */
  | { readonly ok: false; readonly problem: Text }

/** The regular files of an unpacked tar archive. Links, devices and names that lead outside are skipped. */
export async function filesOfArchive(tar: Uint8Array): Promise<ReadSource> {
  const { parseTar } = await import("nanotar")
  const files = new Map<string, Uint8Array>()
  try {
    // A copy, since the parser reads the underlying buffer from its start.
    for (const { name, type, data } of parseTar(new Uint8Array(tar))) {
      if ((type !== "file" && type !== "contiguousFile") || !isSafeRelativePath(name)) continue
      if (files.size === maxSourceFiles) return { ok: false, problem: sourceTooLarge }
      files.set(name.split("/").filter(isName).join("/"), data ?? new Uint8Array())
    }
  } catch {
    return { ok: false, problem: phrase`it is no tar archive, or a damaged one. Fetch it again.` }
  }
  return { ok: true, files }
}

export const sourceTooLarge = phrase`it has more than ${maxSourceFiles} files or ${maxSourceBytes} bytes. Name the skill's own folder.`

function isName(part: string): boolean {
  return part !== "" && part !== "."
}

/** Excludes `..`, absolute paths, drives, and names with a special meaning on other systems, independent of the parser. */
export function isSafeRelativePath(name: string): boolean {
  return !/^\/|^[a-z]:|[\\\0]/i.test(name) && !name.split("/").includes("..")
}
