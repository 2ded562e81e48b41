import { phrase, type Text } from "@gong/spec"
/** Files by their paths in a folder or archive, `/` between names; nothing in it leads anywhere else. */
export type SourceFiles = ReadonlyMap<string, Uint8Array>

/** Files of one source, and bytes of all of them. */
export const maxSourceFiles = 2_000
export const maxSourceBytes = 33_554_432

export type ReadSource =
  | { readonly ok: true; readonly files: SourceFiles }
  /** `problem` says what is wrong and what to do. */
  | { readonly ok: false; readonly problem: Text }

/** The regular files of a tar archive (unpacked). Links, devices and names that lead out of it are left out. */
export async function filesOfArchive(tar: Uint8Array): Promise<ReadSource> {
  const { parseTar } = await import("nanotar")
  const files = new Map<string, Uint8Array>()
  try {
    // A copy: the parser reads the buffer behind what it is given from its very beginning.
    for (const { name, type, data } of parseTar(new Uint8Array(tar))) {
      if ((type !== "file" && type !== "contiguousFile") || !staysInside(name)) continue
      if (files.size === maxSourceFiles) return { ok: false, problem: tooMuch }
      files.set(name.split("/").filter(isName).join("/"), data ?? new Uint8Array())
    }
  } catch {
    return { ok: false, problem: phrase`it is no tar archive, or a damaged one. Fetch it again.` }
  }
  return { ok: true, files }
}

export const tooMuch = phrase`it has more than ${maxSourceFiles} files or ${maxSourceBytes} bytes. Name the skill's own folder.`

function isName(part: string): boolean {
  return part !== "" && part !== "."
}

/** No way up, no root, no drive, nothing that another system would read as one. The parser's own care is not relied on. */
export function staysInside(name: string): boolean {
  return !/^\/|^[a-z]:|[\\\0]/i.test(name) && !name.split("/").includes("..")
}
