import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, statSync } from "node:fs"
import { join } from "node:path"

/** What stands under a path of a folder. */
export type Found =
  | { readonly kind: "file"; readonly size: number }
  | { readonly kind: "folder" }
  /** A link to a file or folder outside. */
  | { readonly kind: "outside"; readonly real: string }
  /** A pipe, a device, or what cannot be looked at. */
  | { readonly kind: "other" }

/** Null where there is nothing. `root`: a real path. */
export function findIn(root: string, path: string): Found | null {
  const full = join(root, path)
  try {
    const stat = statSync(full, { throwIfNoEntry: false })
    if (stat === undefined) return null
    const real = realpathSync(full)
    if (real !== root && !real.startsWith(root === "/" ? "/" : `${root}/`)) return { kind: "outside", real }
    if (stat.isDirectory()) return { kind: "folder" }
    return stat.isFile() ? { kind: "file", size: stat.size } : { kind: "other" }
  } catch {
    return { kind: "other" }
  }
}

/** Null for what cannot be read, or is no file by now: a pipe that was put there since would never end. */
export function bytesOf(root: string, path: string): Uint8Array | null {
  try {
    const file = openSync(join(root, path), constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return fstatSync(file).isFile() ? readFileSync(file) : null
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

export function sha256(data: string | Uint8Array): string {
  // Most folders bring nothing to hash, and starting in them should not load what hashing needs.
  return process.getBuiltinModule("node:crypto").hash("sha256", data, "hex")
}
