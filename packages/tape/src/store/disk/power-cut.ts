import type { Folder, MemoryFile } from "./nodes.ts"

/**
 * Which unsynced data survives a power cut: a disk may write in any order. Missing members: nothing survives.
 */
export interface PowerCutOutcome {
  /** The number of unsynced bytes that the length of the file includes: 0 to all of them. */
  length?(unsynced: number): number
  /** Whether a sector of these bytes has its content; otherwise it is NUL bytes. Default: all have. */
  sector?(): boolean
  /** Whether names that were created, moved and removed in a folder since its sync survive. */
  names?(): boolean
}

/** The number of bytes that a disk writes completely or not at all. */
const sectorSize = 512

/** Changes the folder to its state after the power cut. */
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
