import { phrase } from "@gong/spec"
import { accessSync, constants, lstatSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { codeOf, isFull, ok, type Outcome, usage, type UsageError } from "@gong/config/usage"

/** Also writes the answer to a file. Resolves with null, or with the error and exit status 1. */
export type SaveAnswer = (text: string) => Promise<UsageError | null>

/** The file of `-o`; null without the option. Checks write access before the first paid request. */
export function answerFile(path: string | undefined): Outcome<SaveAnswer | null> {
  if (path === undefined) return ok(null)
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory()) return usage(phrase`-o ${path}: this is a folder. Name a file in it.`)
    accessSync(found ? path : dirname(path), constants.W_OK)
  } catch (error) {
    return cannotWrite(path, error)
  }
  return ok(async (text) => {
    try {
      await write(path, text.endsWith("\n") || text === "" ? text : `${text}\n`)
      return null
    } catch (error) {
      return { ...cannotWrite(path, error).error, exit: 1 }
    }
  })
}

function cannotWrite(path: string, error: unknown): ReturnType<typeof usage> {
  const code = codeOf(error)
  return isFull(error)
    ? usage(phrase`-o ${path}: the disk is full (${code}). Free some space, or name another file.`)
    : usage(phrase`-o ${path}: cannot write there (${code}).`)
}

/** Atomic where possible, so that a full disk does not destroy the old content. */
async function write(path: string, text: string): Promise<void> {
  const target = replaceable(path)
  if (target !== null && (await replace(target, text))) return
  const { writeFile } = await import("node:fs/promises")
  await writeFile(path, text)
}

/** False for a file that is a mount point, as in containers: it cannot be replaced. */
async function replace(target: string, text: string): Promise<boolean> {
  const { createLocalHost } = await import("@gong/tools/host/local")
  try {
    await createLocalHost({ cwd: dirname(target) }).replaceFile(target, Buffer.from(text))
    return true
  } catch (error) {
    if (codeOf(error) === "EBUSY") return false
    throw error
  }
}

/** The real path of a file that can be replaced; null for a device, a pipe, or a file in a read-only folder. */
function replaceable(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  // A dangling link.
  if (!found && lstatSync(path, { throwIfNoEntry: false })) return null
  if (found && !found.isFile()) return null
  const real = found ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path))
  try {
    accessSync(dirname(real), constants.W_OK)
    return real
  } catch {
    return null
  }
}
