import { readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { writePrivateFile } from "../home.ts"
import type { TrustHost } from "@gong/spec"
import { bytesOf, sha256 } from "./folder-files.ts"
import type { TrustStore } from "./store.ts"

/** Maximum bytes of one file copy, and of all copies of a folder. */
const limits = { file: 64 * 1024, folder: 1024 * 1024 }

const folder = "trusted"

/**
 * Stores trusted files by hash in the home, so that later changes can be shown. Large files, and files changed meanwhile, have no
 * copy. Throws like Node if the home is not writable.
 */
export async function storeCopies(
  home: string,
  { host, root }: { readonly host: TrustHost; readonly root: string },
  files: Readonly<Record<string, string>>,
): Promise<void> {
  let available = limits.folder
  for (const [path, hash] of Object.entries(files)) {
    if (!isHash(hash) || exists(join(home, folder, hash))) continue
    const bytes = await bytesOf(host, root, path)
    if (bytes === null || bytes.length > Math.min(available, limits.file) || sha256(bytes) !== hash) continue
    const text = new TextDecoder().decode(bytes)
    // Binary files are not compared by line.
    if (text.includes("\0") || text.includes("\ufffd")) continue
    available -= bytes.length
    writePrivateFile(join(home, folder), hash, text)
  }
}

/** Null without a copy. */
export function copyOf(home: string, hash: string): string | null {
  if (!isHash(hash)) return null
  try {
    return readFileSync(join(home, folder, hash), "utf8")
  } catch {
    return null
  }
}

/** Removes copies of files that are no longer trusted anywhere. */
export function removeUnusedCopies(home: string, decided: TrustStore): void {
  const trusted = [...decided.values()].filter((one) => one.trusted)
  const used = new Set(trusted.flatMap(({ files }) => Object.values(files)))
  try {
    for (const name of readdirSync(join(home, folder))) if (!used.has(name)) rmSync(join(home, folder, name))
  } catch {
    // None exist, or they stay until the next time.
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** An entry of trust.json names a file here, so it must be a hash. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}
