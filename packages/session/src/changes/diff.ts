import { equalEnds, type Host, isComparable, noCopy } from "@gong/spec"
import type { ReadonlyTape } from "@gong/tape"
import { diffIndices } from "node-diff3"
import { openChanges } from "./open-changes.ts"
import { contentBefore } from "./undo.ts"

/** A unified diff between a file before the session's first change and the file now. */
export interface FileDiff {
  readonly path: string
  readonly lines: readonly string[]
}

/** The most lines of one file: a comparison of more takes long, and the result is too long to read. */
const maxLines = 5_000

/** Changes of the session that are not undone, together with later changes by others in the same files. */
export async function sessionDiff({
  tape,
  host,
}: {
  readonly tape: ReadonlyTape
  readonly host: Host
}): Promise<FileDiff[]> {
  const files: FileDiff[] = []
  for (const [path, [first]] of tape.follow(openChanges).value.byPath) {
    if (first === undefined) continue
    const before = first.entry.before === noCopy ? "missing" : await contentBefore(tape, first)
    const now = (await host.stat(path)) ? await host.readRange(path, 0, undefined, { real: true }) : null
    const lines = before === "missing" ? [`${path}: there is no earlier copy.`] : linesOf(path, before, now)
    if (lines.length > 0) files.push({ path, lines })
  }
  return files
}

function linesOf(path: string, before: Uint8Array | null, now: Uint8Array | null): readonly string[] {
  const [old, young] = [textOf(before), textOf(now)]
  if (old === null || young === null) return [`${path}: not text.`]
  const tooLong = `${path}: too many lines to be compared here.`
  if (old.length + young.length > 2 * maxLines) return [tooLong]
  const hunks = hunksOf(old, young)
  if (hunks === null) return [tooLong]
  if (hunks.length === 0 && (before === null) === (now === null)) return []
  return [`--- ${before === null ? "/dev/null" : path}`, `+++ ${now === null ? "/dev/null" : path}`, ...hunks]
}

/** Null when the content is not UTF-8 text. */
function textOf(bytes: Uint8Array | null): string[] | null {
  if (bytes === null || bytes.length === 0) return []
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return text.includes("\0") ? null : text.replace(/\n$/, "").split("\n")
  } catch {
    return null
  }
}

/** Context lines before and after a change. */
const around = 3

/** Hunks of a unified diff between two texts; none when they are equal, null when too many lines are equal to each other. */
export function hunksOf(old: readonly string[], young: readonly string[]): readonly string[] | null {
  const { start, end } = equalEnds([old, young])
  const [before, after] = [old.slice(start, old.length - end), young.slice(start, young.length - end)]
  if (!isComparable(before, after)) return null
  const groups: { from: number; to: number; shift: number; changes: Change[] }[] = []
  let shift = 0
  for (const found of diffIndices(before, after)) {
    const [first, length] = found.buffer1
    const at = start + first
    const change: Change = { ...found, buffer1: [at, length] }
    const [from, to] = [Math.max(0, at - around), Math.min(old.length, at + length + around)]
    const open = groups.at(-1)
    if (open && from <= open.to) {
      open.to = to
      open.changes.push(change)
    } else groups.push({ from, to, shift, changes: [change] })
    shift += change.buffer2[1] - length
  }
  return groups.flatMap((group) => hunk(old, group))
}

function hunk(
  old: readonly string[],
  { from, to, shift, changes }: { from: number; to: number; shift: number; changes: readonly Change[] },
): readonly string[] {
  const lines: string[] = []
  let at = from
  for (const { buffer1, buffer1Content, buffer2Content } of changes) {
    lines.push(...old.slice(at, buffer1[0]).map((line) => ` ${line}`))
    lines.push(...buffer1Content.map((line) => `-${line}`), ...buffer2Content.map((line) => `+${line}`))
    at = buffer1[0] + buffer1[1]
  }
  lines.push(...old.slice(at, to).map((line) => ` ${line}`))
  const grown = changes.reduce((sum, { buffer1, buffer2 }) => sum + buffer2[1] - buffer1[1], 0)
  const [before, after] = [to - from, to - from + grown]
  const start = (first: number, count: number): number => (count === 0 ? first : first + 1)
  return [`@@ -${start(from, before)},${before} +${start(from + shift, after)},${after} @@`, ...lines]
}

type Change = ReturnType<typeof diffIndices<string>>[number]
