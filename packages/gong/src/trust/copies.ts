import { readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { keepFile } from "../config/home.ts"
import { bytesOf, sha256, type TrustHost } from "./place.ts"
import type { TrustStore } from "./store.ts"

/** Bytes of one file that is kept to be compared with later, and of all that one folder brings. */
const limits = { file: 64 * 1024, folder: 1024 * 1024 }

const folder = "trusted"

/**
 * Keeps what was trusted, under its hash in the home, so that a later change can be shown. What is large, or no longer as
 * it was, has no copy. Throws like Node when the home cannot be written to.
 */
export async function keepCopies(
  home: string,
  { host, root }: { readonly host: TrustHost; readonly root: string },
  files: Readonly<Record<string, string>>,
): Promise<void> {
  let room = limits.folder
  for (const [path, hash] of Object.entries(files)) {
    if (!isHash(hash) || isThere(join(home, folder, hash))) continue
    const bytes = await bytesOf(host, root, path)
    if (bytes === null || bytes.length > Math.min(room, limits.file) || sha256(bytes) !== hash) continue
    const text = new TextDecoder().decode(bytes)
    // What is no text is not compared line by line.
    if (text.includes("\0") || text.includes("\ufffd")) continue
    room -= bytes.length
    keepFile(join(home, folder), hash, text)
  }
}

/** Null: there is no copy. */
export function copyOf(home: string, hash: string): string | null {
  if (!isHash(hash)) return null
  try {
    return readFileSync(join(home, folder, hash), "utf8")
  } catch {
    return null
  }
}

/** Removes copies of what is trusted nowhere any more. */
export function dropCopies(home: string, decided: TrustStore): void {
  const trusted = [...decided.values()].filter((one) => one.trusted)
  const used = new Set(trusted.flatMap(({ files }) => Object.values(files)))
  try {
    for (const name of readdirSync(join(home, folder))) if (!used.has(name)) rmSync(join(home, folder, name))
  } catch {
    // There are none, or they stay for the next time.
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** What stands in trust.json names a file here: nothing but a hash may. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}
