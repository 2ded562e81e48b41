import type { Disk } from "./disk/disk.ts"

/** One phase of a tape: `anchors/NNN_name/entries.jsonl`. */
export interface Phase {
  readonly seq: number
  /** The name in the folder's name. */
  readonly name: string
  readonly folder: string
  readonly file: string
}

export const tapeFile = (tape: string): string => `${tape}/tape.json`
export const lockFile = (tape: string): string => `${tape}/lock`
export const artifactsFolder = (tape: string): string => `${tape}/artifacts`
export const anchorsFolder = (tape: string): string => `${tape}/anchors`

/** The phases of a tape in order. Incomplete ones (`.tmp-...`) and other folders are left out. */
export function phasesOf(disk: Disk, tape: string): readonly Phase[] {
  const phases: Phase[] = []
  for (const name of disk.list(anchorsFolder(tape))) {
    const seq = /^(\d{3,})_/.exec(name)?.[1]
    if (seq !== undefined) phases.push(phaseAt(tape, Number(seq), name))
  }
  return phases.sort((a, b) => a.seq - b.seq || (a.folder < b.folder ? -1 : 1))
}

export function phaseNamed(tape: string, seq: number, name: string): Phase {
  // A name from a model or a person must become one readable folder name, also on Windows.
  const safe = name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60)
  return phaseAt(tape, seq, `${String(seq).padStart(3, "0")}_${safe}`)
}

/** The temporary paths of a phase before it is renamed. */
export function stagingOf(phase: Phase): { readonly folder: string; readonly file: string } {
  const cut = phase.folder.lastIndexOf("/") + 1
  const folder = `${phase.folder.slice(0, cut)}.tmp-${phase.folder.slice(cut)}`
  return { folder, file: `${folder}/entries.jsonl` }
}

function phaseAt(tape: string, seq: number, folderName: string): Phase {
  const folder = `${anchorsFolder(tape)}/${folderName}`
  return { seq, name: folderName.slice(folderName.indexOf("_") + 1), folder, file: `${folder}/entries.jsonl` }
}
