import { type Disk, syncFile } from "../disk/disk.ts"

/** How syncs are made: blocking on the thread that writes, or in the thread pool while the process does other work. */
export type SyncMode = "at-once" | "thread-pool"

export type SyncTarget = { readonly file: string } | { readonly folder: string }

/** Syncs in order; the caller throws the error of a failed sync into the generator. */
export type Syncs = Generator<SyncTarget, void, void>

/** Makes all syncs, and blocks for each. */
export function syncNow(disk: Disk, syncs: Syncs): void {
  for (let next = syncs.next(); next.done !== true;) {
    try {
      syncTarget(disk, next.value)
    } catch (error) {
      next = syncs.throw(error)
      continue
    }
    next = syncs.next()
  }
}

/** Makes all syncs in the thread pool, one after the other. */
export async function syncInPool(disk: Disk, syncs: Syncs): Promise<void> {
  for (let next = syncs.next(); next.done !== true;) {
    try {
      await disk.syncInPool("file" in next.value ? next.value.file : next.value.folder)
    } catch (error) {
      next = syncs.throw(error)
      continue
    }
    next = syncs.next()
  }
}

function syncTarget(disk: Disk, target: SyncTarget): void {
  if ("file" in target) syncFile(disk, target.file)
  else disk.syncFolder(target.folder)
}
