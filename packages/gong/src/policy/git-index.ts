/**
 * Whether an index of git holds the commit of another repository: then `git status` and its like go into that one, by its
 * settings, also where no `.gitmodules` speaks of it. What cannot be read for certain counts as holding one.
 * `hashBytes`: 20, or 32 where the repository says sha256.
 */
export function holdsRepositories(index: Uint8Array, hashBytes: number): boolean {
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength)
  if (index.length < headBytes || view.getUint32(0) !== signature) return true
  const version = view.getUint32(4)
  if (version < 2 || version > 4) return true
  let at = headBytes
  for (let left = view.getUint32(8); left > 0; left--) {
    const start = at
    const flags = start + modeAt + 16 + hashBytes
    if (flags + 2 > index.length) return true
    const mode = view.getUint32(start + modeAt)
    // Only in a sparse index, and what lies in such a folder is not listed.
    if (mode === gitlink || mode === folder) return true
    const extended = version > 2 && (view.getUint16(flags) & 0x4000) !== 0
    const name = flags + (extended ? 4 : 2)
    // In version 4 how much of the name before is kept stands in front, in bytes of which each but the last is marked.
    let letters = name
    if (version === 4) while (((index[letters++] ?? 0) & 0x80) !== 0);
    const end = index.indexOf(0, letters)
    if (end < 0) return true
    at = version === 4 ? end + 1 : start + Math.ceil((end + 1 - start) / 8) * 8
  }
  return isSplit(index, at, index.length - hashBytes)
}

const signature = 0x44495243
const headBytes = 12
/** Of the mode in an entry: behind four times and two numbers. */
const modeAt = 24
const gitlink = 0o160000
const folder = 0o40000
/** Of the mark of an extension, and of its length. */
const partHead = 8

/** A split index names another file in which most entries stand. */
function isSplit(index: Uint8Array, from: number, to: number): boolean {
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength)
  for (let at = from; at + partHead <= to; at += partHead + view.getUint32(at + 4)) {
    if (new TextDecoder("latin1").decode(index.subarray(at, at + 4)) === "link") return true
  }
  return false
}
