import { type Damage, type Entry, type LineProblem, phrase, type VerifiedSession } from "@gong/spec"
import { entryOfLine } from "../../line.ts"
import { isArtifactName, matchesName } from "../artifacts/artifacts.ts"
import { type Disk, readUpTo, readWhole } from "../disk/disk.ts"
import { artifactsFolder, phasesOf } from "../layout.ts"
import { openStore } from "../open.ts"
import { readerOf } from "./reader.ts"
import type { FileStore, StorePorts } from "../store.ts"
import { storageError } from "../storage.ts"

/**
 * Verifies every line and every artifact of a tape, also while another process writes it. Changes nothing. Throws FailureError
 * (`storage`) when there is no tape or the disk cannot be read.
 */
export function verifyTape(ports: StorePorts, path: string): VerifiedSession {
  const { disk } = ports
  const store = openStore(ports, { path, readOnly: true })
  try {
    return {
      id: store.id,
      files: countsOf(
        store,
        phasesOf(disk, path).map(({ file }) => file),
      ),
      problems: problemsOf(disk, store.damage),
      artifacts: artifactsOf(disk, path, store),
    }
  } catch (error) {
    throw storageError(phrase`check the session at ${path}`, error)
  } finally {
    store.close()
  }
}

function countsOf(store: FileStore, files: readonly string[]): VerifiedSession["files"] {
  const counts = new Map(files.map((file) => [file, 0]))
  for (let at = 0; at < store.length; at++) {
    const { file } = store.location(at)
    counts.set(file, (counts.get(file) ?? 0) + 1)
  }
  return [...counts].map(([file, valid]) => ({ file, valid }))
}

function problemsOf(disk: Disk, damage: readonly Damage[]): readonly LineProblem[] {
  const byFile = Map.groupBy(damage, ({ file }) => file)
  return [...byFile].flatMap(([file, found]) => {
    const sorted = found.toSorted((a, b) => a.offset - b.offset)
    const lines = lineNumbers(
      disk,
      file,
      sorted.map(({ offset }) => offset),
    )
    return sorted.map((one, at) => ({ ...one, line: lines[at] ?? 0 }))
  })
}

const window = 1024 * 1024

/** The line numbers of these offsets, which are in ascending order. */
function lineNumbers(disk: Disk, path: string, offsets: readonly number[]): readonly number[] {
  const numbers: number[] = []
  const file = disk.open(path, "read")
  try {
    let line = 1
    let from = 0
    for (const offset of offsets) {
      for (; from < offset; from = Math.min(offset, from + window)) {
        for (const byte of readUpTo(disk, file, from, Math.min(window, offset - from))) if (byte === 0x0a) line += 1
      }
      numbers.push(line)
    }
  } finally {
    disk.close(file)
  }
  return numbers
}

function artifactsOf(disk: Disk, path: string, store: FileStore): VerifiedSession["artifacts"] {
  const folder = artifactsFolder(path)
  const names = disk.list(folder).filter(isArtifactName)
  const damaged = names.filter((name) => !matchesName(name, readWhole(disk, `${folder}/${name}`)))
  return { checked: names.length, damaged, missing: missingOf(disk, store, new Set(names)) }
}

function missingOf(disk: Disk, store: FileStore, there: ReadonlySet<string>): VerifiedSession["artifacts"]["missing"] {
  const reader = readerOf(disk)
  const missing: { artifact: string; entry: string }[] = []
  try {
    for (let at = 0; at < store.length; at++) {
      const { file, offset, length } = store.location(at)
      const line = reader.read(file, offset, length)
      // Most lines name no artifact, and parsing is expensive.
      if (!line.includes("sha256-")) continue
      const entry = entryOfLine(line)
      for (const artifact of entry === null ? [] : referencesOf(entry)) {
        if (!there.has(artifact)) missing.push({ artifact, entry: store.head(at).id })
      }
    }
  } finally {
    reader.close()
  }
  return missing
}

/** The artifacts that an entry, in the form of its line, refers to. */
function referencesOf(entry: Entry): readonly string[] {
  if (entry.type === "prompt") return [entry.artifact]
  if (entry.type === "change") {
    return entry.before === null || entry.beforeText !== undefined ? [] : [entry.before]
  }
  const found: string[] = []
  JSON.stringify(entry, (key, value: unknown) => {
    if (key === "$artifact" && typeof value === "string") found.push(value)
    return value
  })
  return found
}
