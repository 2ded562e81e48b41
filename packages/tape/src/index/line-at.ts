import type { Entry } from "@gong/spec"
import { entryOfLine } from "../line.ts"
import { type Disk, readUpTo } from "../store/disk/disk.ts"

const firstRead = 64 * 1024

/** The entry of the line that begins at `offset`; null when there is none. */
export function entryAt(disk: Disk, path: string, offset: number): Entry | null {
  if (disk.stat(path)?.kind !== "file") return null
  const file = disk.open(path, "read")
  try {
    for (let length = firstRead; ; length *= 4) {
      const bytes = readUpTo(disk, file, offset, length)
      const end = bytes.indexOf(0x0a)
      // Another program may have changed the file since it was read.
      if (end !== -1 || bytes.length < length)
        return entryOfLine(bytes.toString("utf8", 0, end === -1 ? bytes.length : end))
    }
  } finally {
    disk.close(file)
  }
}
