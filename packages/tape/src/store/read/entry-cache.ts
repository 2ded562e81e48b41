import type { AssistantMessage, Entry, Message, ModelRef } from "@gong/spec"
import { deepFreeze, phrase } from "@gong/spec"
import { entryOfLine } from "../../line.ts"
import type { ArtifactFiles } from "../artifacts/artifacts.ts"
import type { Disk } from "../disk/disk.ts"
import type { Lines } from "./lines.ts"
import { readerOf } from "./reader.ts"
import { resolveReferences } from "../artifacts/references.ts"
import { storageError, storageFailure } from "../storage.ts"

/**
 * The entries of a tape by index, parsed on demand. A message, and an entry of another type, is the same object as long as it is
 * referenced.
 */
export interface EntryCache {
  entry(index: number): Entry
  /** Adds an entry that was just written at `index`, so that it need not be read. */
  add(index: number, entry: Entry): void
  close(): void
}

export function entryCacheOf(disk: Disk, lines: Lines, artifacts: ArtifactFiles): EntryCache {
  const reader = readerOf(disk)
  // Weak references, to messages and not to the entries around them: unreferenced messages cost nothing at idle.
  const held: (WeakRef<object> | undefined)[] = []
  // Folds that are read in sequence parse a line once; afterwards the garbage collector frees this map.
  let recent = new WeakRef(new Map<number, Entry>())
  let model: ModelRef | null = null

  function add(index: number, entry: Entry): void {
    held[index] = new WeakRef(heavyPart(entry))
    let entries = recent.deref()
    if (entries === undefined) recent = new WeakRef((entries = new Map()))
    entries.set(index, entry)
  }

  function read(index: number): Entry {
    const place = lines.location(index)
    const head = lines.head(index)
    try {
      const line = reader.read(place.file, place.offset, place.length)
      const read = entryOfLine(line)
      // The checksum was valid when the tape was opened: another program wrote the line, or changed the file since.
      if (read === null) throw storageFailure(phrase`Entry ${head.id} cannot be read in ${place.file}.`)
      const entry = resolveReferences(read, artifacts.get)
      if (entry.type === "message" && entry.message.role === "assistant") shareModel(entry.message)
      return entry.parentId === head.parentId ? entry : { ...entry, parentId: head.parentId }
    } catch (error) {
      throw storageError(phrase`read the session`, error)
    }
  }

  /** Thousands of replies have the same model. */
  function shareModel(message: AssistantMessage): void {
    const { provider, id, api } = message.model
    if (provider === model?.provider && id === model.id && api === model.api) Object.assign(message, { model })
    else model = message.model
  }

  return {
    entry(index) {
      const known = recent.deref()?.get(index)
      if (known !== undefined) return known
      const entry = deepFreeze(withHeld(held[index]?.deref(), () => read(index)))
      add(index, entry)
      return entry
    },
    add,
    close: reader.close,
  }
}

/** The entry, read again, with the message that is still referenced. */
function withHeld(part: object | undefined, read: () => Entry): Entry {
  if (part !== undefined && "parentId" in part) return part as Entry
  const entry = read()
  return part === undefined || entry.type !== "message" ? entry : { ...entry, message: part as Message }
}

function heavyPart(entry: Entry): object {
  return entry.type === "message" ? entry.message : entry
}
