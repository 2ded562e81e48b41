import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs"

/** Whether a descriptor is a regular file; false for a closed one. */
export function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile()
  } catch {
    return false
  }
}

/**
 * Writes a whole text to a regular file. Node's own stream takes a partial write for a complete one, so the end of the output may
 * be lost silently. Throws like Node; a torn last line is removed if possible.
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

/** Truncates the file after the last newline that was written, unless another process has written since. */
function truncateTornLine(fd: number, written: Buffer): void {
  const torn = written.subarray(written.lastIndexOf(0x0a) + 1)
  if (torn.length === 0) return
  try {
    const { size, dev, ino } = fstatSync(fd)
    const stderr = fstatSync(2)
    // With `2>&1` both share one file position, which a truncation does not move.
    if (stderr.dev === dev && stderr.ino === ino) return
    if (lastBytes(fd, size, torn.length).equals(torn)) ftruncateSync(fd, size - torn.length)
  } catch {
    // Without /dev/fd or read access the line stays torn; the exit status reports the error.
    return
  }
}

/** The last bytes of a file that is open for writing only. */
function lastBytes(fd: number, size: number, length: number): Buffer {
  const file = openSync(`/dev/fd/${fd}`, "r")
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, size - length))
  } finally {
    closeSync(file)
  }
}
