import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs"

/** Whether a descriptor is a regular file; false for one that is closed. */
export function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile()
  } catch {
    return false
  }
}

/**
 * Writes all of a text to a regular file. Node's own stream takes a write for done of which the disk took a part, so the last
 * that is written may be cut without a word. Throws like Node; then no torn line of the text is left, where that can be.
 */
export function writeToFile(fd: number, text: string): void {
  const bytes = Buffer.from(text)
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written)
  } catch (error) {
    truncateTornLine(fd, bytes.subarray(0, written))
    throw error
  }
}

/** Cuts off the file what was written last behind the last newline; leaves it alone where somebody else writes there as well. */
function truncateTornLine(fd: number, written: Buffer): void {
  const torn = written.subarray(written.lastIndexOf(0x0a) + 1)
  if (torn.length === 0) return
  try {
    const { size, dev, ino } = fstatSync(fd)
    const stderr = fstatSync(2)
    // With `2>&1` both write at one place, which cutting the file does not move.
    if (stderr.dev === dev && stderr.ino === ino) return
    if (endOf(fd, size, torn.length).equals(torn)) ftruncateSync(fd, size - torn.length)
  } catch {
    // A system without /dev/fd, or a file that may not be read: the line stays torn, and the exit status says so.
    return
  }
}

/** The last bytes of a file that is open for writing only. */
function endOf(fd: number, size: number, length: number): Buffer {
  const file = openSync(`/dev/fd/${fd}`, "r")
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, size - length))
  } finally {
    closeSync(file)
  }
}
