import { type Disk, fillFrom } from "../disk/disk.ts"

/** Reads lines of a tape by location. */
export interface Reader {
  /** The text of a line; shorter when the file ends before it. */
  read(file: string, offset: number, length: number): string
  close(): void
}

const window = 256 * 1024

/** Bytes of the open file from an offset on. */
interface ReadAhead {
  bytes: Buffer
  from: number
  length: number
}

/** Keeps one file open and reads ahead: the lines of a context are mostly consecutive. */
export function readerOf(disk: Disk): Reader {
  let open: { readonly path: string; readonly file: number } | null = null
  // A weak reference: the next garbage collection after a fold frees the buffer.
  let ahead: WeakRef<ReadAhead> | null = null

  function close(): void {
    const old = open
    open = null
    ahead = null
    if (old !== null) disk.close(old.file)
  }

  function windowAt(file: number, offset: number, length: number): ReadAhead {
    let known = ahead?.deref()
    if (known !== undefined && offset >= known.from && offset + length <= known.from + known.length) return known
    if (known === undefined || known.bytes.length < length) {
      known = { bytes: Buffer.allocUnsafeSlow(Math.max(length, window)), from: 0, length: 0 }
      ahead = new WeakRef(known)
    }
    known.from = offset
    known.length = 0
    known.length = fillFrom(disk, file, offset, known.bytes)
    return known
  }

  return {
    read(path, offset, length) {
      if (open?.path !== path) {
        close()
        open = { path, file: disk.open(path, "read") }
      }
      const { bytes, from, length: filled } = windowAt(open.file, offset, length)
      return bytes.toString("utf8", offset - from, Math.min(offset - from + length, filled))
    },
    close,
  }
}
