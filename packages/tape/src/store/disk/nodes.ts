import type { DiskStat } from "./disk.ts"

export interface MemoryFile {
  readonly kind: "file"
  readonly inode: number
  bytes: Uint8Array
  length: number
  /** The number of bytes, from the start, that survive a power cut; files only grow at their end. */
  synced: number
  mtimeMs: number
}

export interface Folder {
  readonly kind: "folder"
  readonly inode: number
  names: Map<string, MemoryFile | Folder>
  durable: Map<string, MemoryFile | Folder>
  /** The number of syncs that have begun, and the number of the one that set `durable`. */
  syncs: number
  lastDurableSync: number
  mtimeMs: number
}

export function newFolder(inode: number, mtimeMs: number): Folder {
  return { kind: "folder", inode, names: new Map(), durable: new Map(), syncs: 0, lastDurableSync: 0, mtimeMs }
}

export function newFile(inode: number, mtimeMs: number): MemoryFile {
  return { kind: "file", inode, bytes: new Uint8Array(256), length: 0, synced: 0, mtimeMs }
}

export function put(file: MemoryFile, bytes: Uint8Array, position: number): void {
  const end = position + bytes.length
  if (end > file.bytes.length) {
    const bigger = new Uint8Array(Math.max(end, file.bytes.length * 2))
    bigger.set(file.bytes.subarray(0, file.length))
    file.bytes = bigger
  }
  file.bytes.set(bytes, position)
  file.length = Math.max(file.length, end)
}

/** On a real disk, durable bytes of the removed part may come back after a power cut; here they do not. */
export function cut(file: MemoryFile, length: number, mtimeMs: number): void {
  file.bytes.fill(0, length, file.length)
  file.length = Math.min(file.length, length)
  file.synced = Math.min(file.synced, length)
  file.mtimeMs = mtimeMs
}

/** Returns a function that makes the content of now durable. */
export function prepareFileSync(file: MemoryFile): () => void {
  const { length } = file
  return () => {
    file.synced = Math.max(file.synced, Math.min(length, file.length))
  }
}

/** Returns a function that makes the names of now durable; it does not undo a later sync. */
export function prepareFolderSync(folder: Folder): () => void {
  const names = new Map(folder.names)
  const look = ++folder.syncs
  return () => {
    if (folder.lastDurableSync > look) return
    folder.durable = names
    folder.lastDurableSync = look
  }
}

export function statOf(node: MemoryFile | Folder): DiskStat {
  return {
    kind: node.kind,
    size: node.kind === "file" ? node.length : 0,
    mtimeMs: node.mtimeMs,
    inode: node.inode,
  }
}

export function folderAt(root: Folder, path: string): Folder {
  const node = nodeAt(root, path)
  if (node?.kind !== "folder") throw errno(node === null ? "ENOENT" : "ENOTDIR", "lookup", path)
  return node
}

export function existingAt(root: Folder, path: string): { readonly node: MemoryFile | Folder; readonly path: string } {
  const node = nodeAt(root, path)
  if (node === null) throw errno("ENOENT", "sync", path)
  return { node, path }
}

export function nodeAt(root: Folder, path: string): MemoryFile | Folder | null {
  let at: MemoryFile | Folder = root
  for (const name of partsOf(path)) {
    const next: MemoryFile | Folder | undefined = at.kind === "folder" ? at.names.get(name) : undefined
    if (next === undefined) return null
    at = next
  }
  return at
}

export function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "")
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

export function errno(code: string, call: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${call} '${path}'`), { code })
}
