import { closeSync, constants, openSync, unlinkSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** An unnamed file in a memory file system (linux/fcntl.h). */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY

/** A descriptor of a new unnamed file with these bytes, positioned at its start. The caller closes it. */
export function openUnnamed(bytes: Uint8Array): number {
  const file = openEmpty()
  try {
    // Positioned writes leave the descriptor's offset unchanged.
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, done)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

function openEmpty(): number {
  try {
    return openSync("/dev/shm", O_TMPFILE | constants.O_RDWR, 0o600)
  } catch {
    const path = join(tmpdir(), `gong-${process.getBuiltinModule("node:crypto").randomUUID()}`)
    const file = openSync(path, "wx+", 0o600)
    unlinkSync(path)
    return file
  }
}
