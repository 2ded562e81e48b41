import { closeSync, constants, openSync, unlinkSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A file without a name in a file system that lies in memory (linux/fcntl.h). */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY

/** A descriptor, to be closed by the caller, of a file with these bytes that no path leads to; it stands at its beginning. */
export function openUnnamed(bytes: Uint8Array): number {
  const file = openEmpty()
  try {
    // Written at a position, which leaves that of the descriptor where it is.
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
