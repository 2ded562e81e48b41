import type { Folder, MemoryFile } from "./nodes.ts"

/**
 * What was on the plate by luck when the power went, of that which nobody had synced: a disk may write in any order. What is
 * left out did not get there.
 */
export interface PowerCutOutcome {
  /** How many of a file's unsynced bytes its length counts: 0 up to all of them. */
  length?(unsynced: number): number
  /** Whether one sector of these is what was written; else it is NUL bytes. Left out: all are. */
  sector?(): boolean
  /** Whether the names that were made, moved and removed in one folder since it was synced are so. */
  names?(): boolean
}

/** Bytes that a disk writes whole or not at all. */
const sectorSize = 512

/** The folder as it is when the power comes back. */
export function applyPowerCut(folder: Folder, luck: PowerCutOutcome): void {
  if (luck.names?.() !== true) folder.names = new Map(folder.durable)
  folder.durable = new Map(folder.names)
  for (const node of folder.names.values()) {
    if (node.kind === "folder") applyPowerCut(node, luck)
    else tear(node, luck)
  }
}

function tear(file: MemoryFile, { length, sector }: PowerCutOutcome): void {
  const unsynced = file.length - file.synced
  const end = file.synced + Math.max(0, Math.min(unsynced, length?.(unsynced) ?? 0))
  for (let at = file.synced; at < end;) {
    const next = Math.min(end, (Math.floor(at / sectorSize) + 1) * sectorSize)
    if (sector?.() === false) file.bytes.fill(0, at, next)
    at = next
  }
  file.length = end
  file.synced = end
}
