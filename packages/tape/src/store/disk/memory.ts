import { type Disk, parentOf } from "./disk.ts"
import {
  cut,
  errno,
  type Folder,
  folderAt,
  type MemoryFile,
  nameOf,
  newFile,
  newFolder,
  nodeAt,
  partsOf,
  put,
  prepareFolderSync,
  statOf,
  prepareFileSync,
  existingAt,
} from "./nodes.ts"
import { applyPowerCut, type PowerCutOutcome } from "./power-cut.ts"

/** A disk in memory that can fail at a call and lose unsynced data. For `--no-session` and the simulator. */
export interface MemoryDisk extends Disk {
  /** Calls made so far. */
  readonly calls: number
  /**
   * Simulates a power cut: names without `syncFolder` and bytes without `sync` are lost, except those that `luck` keeps (default:
   * none); open files are closed.
   */
  powerCut(luck?: PowerCutOutcome): void
}

export interface MemoryDiskOptions {
  /** Milliseconds since the epoch, for the times of files. */
  readonly now?: () => number
  /** Called before every call; a returned fault fails that call. */
  readonly fault?: (call: DiskCall) => DiskFault | null
  /** Resolves when a sync in the thread pool ends; default: in a microtask. */
  readonly pool?: () => Promise<void>
}

export interface DiskCall {
  /** 1 for the first call on this disk. */
  readonly index: number
  readonly name: Exclude<keyof Disk, "inMemory">
  readonly path: string
}

export interface DiskFault {
  /** For example `ENOSPC`. */
  readonly code: string
  /** For a write: the number of bytes that are written before the failure. */
  readonly written?: number
  /** The call takes effect and fails. */
  readonly after?: boolean
}

export function memoryDisk(options: MemoryDiskOptions = {}): MemoryDisk {
  const world = diskStateOf(options)
  return {
    inMemory: true,
    ...fileCalls(world),
    ...folderCalls(world),
    get calls() {
      return world.calls
    },
    powerCut(luck = {}) {
      world.cuts += 1
      world.opened.clear()
      applyPowerCut(world.root, luck)
    },
  }
}

interface DiskState {
  readonly root: Folder
  readonly opened: Map<number, { readonly file: MemoryFile; readonly path: string }>
  calls: number
  /** The number of power cuts: a sync during a power cut has no effect. */
  cuts: number
  now(): number
  nextInode(): number
  pool(): Promise<void>
  /** Counts a call and performs or fails it. */
  call<T>(name: DiskCall["name"], path: string, work: () => T): T
  /** Counts a call; returns its fault. */
  faultOf(name: DiskCall["name"], path: string): DiskFault | null
}

function diskStateOf(options: MemoryDiskOptions): DiskState {
  const now = options.now ?? (() => 0)
  let inodes = 1
  const world: DiskState = {
    root: newFolder(inodes, now()),
    opened: new Map(),
    calls: 0,
    cuts: 0,
    now,
    pool: options.pool ?? (() => Promise.resolve()),
    nextInode: () => ++inodes,
    call(name, path, work) {
      const fault = world.faultOf(name, path)
      if (fault === null) return work()
      if (fault.after === true) work()
      throw errno(fault.code, name, path)
    },
    faultOf(name, path) {
      world.calls += 1
      return options.fault?.({ index: world.calls, name, path }) ?? null
    },
  }
  return world
}

type FileCalls = Pick<
  Disk,
  "open" | "write" | "truncate" | "read" | "sync" | "beginSync" | "syncInPool" | "fstat" | "close"
>

function fileCalls(world: DiskState): FileCalls {
  const { root, opened, call } = world
  let next = 3

  function of(number: number): { readonly file: MemoryFile; readonly path: string } {
    const found = opened.get(number)
    if (found === undefined) throw errno("EBADF", "file", String(number))
    return found
  }

  return {
    open: (path, mode) =>
      call("open", path, () => {
        const { names } = folderAt(root, parentOf(path))
        const known = names.get(nameOf(path))
        if (known?.kind === "folder") throw errno("EISDIR", "open", path)
        if (known !== undefined && mode === "create") throw errno("EEXIST", "open", path)
        if (known === undefined && mode === "read") throw errno("ENOENT", "open", path)
        const file = known ?? newFile(world.nextInode(), world.now())
        names.set(nameOf(path), file)
        opened.set(next, { file, path })
        return next++
      }),
    write(number, bytes, position) {
      const { file, path } = of(number)
      const fault = world.faultOf("write", path)
      const reached = fault === null || fault.after === true ? bytes.length : (fault.written ?? 0)
      put(file, bytes.subarray(0, reached), position ?? file.length)
      file.mtimeMs = world.now()
      if (fault !== null) throw errno(fault.code, "write", path)
    },
    truncate(number, length) {
      const { file, path } = of(number)
      call("truncate", path, () => cut(file, length, world.now()))
    },
    read(number, into, position) {
      const { file, path } = of(number)
      return call("read", path, () => {
        const part = file.bytes.subarray(position, Math.min(file.length, position + into.length))
        into.set(part)
        return part.length
      })
    },
    sync(number) {
      const { file, path } = of(number)
      call("sync", path, () => prepareFileSync(file)())
    },
    beginSync(number, failed) {
      // The worst case: nothing is durable before the next sync that is awaited.
      const fault = world.faultOf("beginSync", of(number).path)
      if (fault !== null) queueMicrotask(() => failed(errno(fault.code, "sync", String(number))))
    },
    async syncInPool(target) {
      const { node, path } =
        typeof target === "number" ? { node: of(target).file, path: of(target).path } : existingAt(root, target)
      const fault = world.faultOf("syncInPool", path)
      const { cuts } = world
      // Only what was written before it began: the disk may have passed that position already.
      const done = node.kind === "file" ? prepareFileSync(node) : prepareFolderSync(node)
      await world.pool()
      if (world.cuts !== cuts) throw errno("EIO", "sync", path)
      if (fault === null || fault.after === true) done()
      if (fault !== null) throw errno(fault.code, "sync", path)
    },
    fstat(number) {
      const { file, path } = of(number)
      return call("fstat", path, () => statOf(file))
    },
    close: (number) => call("close", opened.get(number)?.path ?? "", () => void opened.delete(number)),
  }
}

type FolderCalls = Pick<Disk, "stat" | "list" | "mkdir" | "syncFolder" | "rename" | "unlink" | "link" | "rmdir">

function folderCalls(world: DiskState): FolderCalls {
  const { root, call } = world
  return {
    stat: (path) =>
      call("stat", path, () => {
        const node = nodeAt(root, path)
        return node === null ? null : statOf(node)
      }),
    list: (path) =>
      call("list", path, () => {
        const node = nodeAt(root, path)
        return node?.kind === "folder" ? [...node.names.keys()] : []
      }),
    mkdir: (path) => call("mkdir", path, () => makeFolders(world, path)),
    syncFolder: (path) =>
      call("syncFolder", path, () => {
        prepareFolderSync(folderAt(root, path))()
      }),
    rename: (from, to) =>
      call("rename", from, () => {
        const source = folderAt(root, parentOf(from)).names
        const target = folderAt(root, parentOf(to)).names
        const node = source.get(nameOf(from))
        const old = target.get(nameOf(to))
        if (node === undefined) throw errno("ENOENT", "rename", from)
        if (old?.kind === "folder" && old.names.size > 0) throw errno("ENOTEMPTY", "rename", to)
        source.delete(nameOf(from))
        target.set(nameOf(to), node)
      }),
    unlink: (path) =>
      call("unlink", path, () => {
        if (!folderAt(root, parentOf(path)).names.delete(nameOf(path))) throw errno("ENOENT", "unlink", path)
      }),
    link: (from, to) =>
      call("link", from, () => {
        const node = nodeAt(root, from)
        const { names } = folderAt(root, parentOf(to))
        if (node === null) throw errno("ENOENT", "link", from)
        if (names.has(nameOf(to))) throw errno("EEXIST", "link", to)
        names.set(nameOf(to), node)
        return true
      }),
    rmdir: (path) =>
      call("rmdir", path, () => {
        if (folderAt(root, path).names.size > 0) throw errno("ENOTEMPTY", "rmdir", path)
        folderAt(root, parentOf(path)).names.delete(nameOf(path))
      }),
  }
}

function makeFolders(world: DiskState, path: string): string | null {
  let first: string | null = null
  let at = world.root
  let walked = ""
  for (const name of partsOf(path)) {
    walked += `/${name}`
    const next = at.names.get(name) ?? newFolder(world.nextInode(), world.now())
    if (next.kind === "file") throw errno("ENOTDIR", "mkdir", path)
    if (!at.names.has(name)) first ??= walked
    at.names.set(name, next)
    at = next
  }
  return first
}
