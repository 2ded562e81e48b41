import { type Disk, readRange } from "./disk/disk.ts"

/** Lines of a tape by their place. Keeps one file open: neighbours in a context mostly stand in one file. */
export interface Reader {
  read(file: string, offset: number, length: number): Uint8Array
  close(): void
}

export function readerOf(disk: Disk): Reader {
  let open: { readonly path: string; readonly file: number } | null = null

  function close(): void {
    if (open !== null) disk.close(open.file)
    open = null
  }

  return {
    read(path, offset, length) {
      if (open?.path !== path) {
        close()
        open = { path, file: disk.open(path, "read") }
      }
      return readRange(disk, open.file, offset, offset + length)
    },
    close,
  }
}
