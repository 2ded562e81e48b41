import { type Disk, readUpTo } from "./disk/disk.ts"

/** Lines of a tape by their place. */
export interface Reader {
  /** The text of a line; shorter when the file ends before it. */
  read(file: string, offset: number, length: number): string
  close(): void
}

const window = 256 * 1024

/** Keeps one file open and reads ahead in it: the lines of a context mostly stand behind one another. */
export function readerOf(disk: Disk): Reader {
  let open: { readonly path: string; readonly file: number } | null = null
  let bytes = Buffer.alloc(0)
  /** Where `bytes` begins in the open file. */
  let from = 0

  function close(): void {
    const old = open
    open = null
    bytes = Buffer.alloc(0)
    if (old !== null) disk.close(old.file)
  }

  return {
    read(path, offset, length) {
      if (open?.path !== path) {
        close()
        open = { path, file: disk.open(path, "read") }
      }
      if (offset < from || offset + length > from + bytes.length) {
        bytes = readUpTo(disk, open.file, offset, Math.max(length, window))
        from = offset
      }
      return bytes.toString("utf8", offset - from, offset - from + length)
    },
    close,
  }
}
