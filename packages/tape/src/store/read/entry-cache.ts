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
 * The entries of a tape by their index, parsed when they are asked for. A message, and an entry that is none, is the same
 * object for as long as anybody holds it.
 */
export interface EntryCache {
  entry(index: number): Entry
  /** This entry was just written at `index`: no need to read it back. */
  add(index: number, entry: Entry): void
  close(): void
}

export function entryCacheOf(disk: Disk, lines: Lines, artifacts: ArtifactFiles): EntryCache {
  const reader = readerOf(disk)
  // Weakly, and a message without the entry around it: what nobody holds costs nothing when the session is idle.
  const held: (WeakRef<object> | undefined)[] = []
  // Folds that are read one after the other parse a line once; when the work is done the garbage collector takes this.
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
      // Its check sum was right when the tape was opened: somebody else has made it, or has changed the file since.
      if (read === null) throw storageFailure(phrase`Entry ${head.id} cannot be read in ${place.file}.`)
      const entry = resolveReferences(read, artifacts.get)
      if (entry.type === "message" && entry.message.role === "assistant") shareModel(entry.message)
      return entry.parentId === head.parentId ? entry : { ...entry, parentId: head.parentId }
    } catch (error) {
      throw storageError(phrase`read the session`, error)
    }
  }

  /** Thousands of replies come from one model. */
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

/** The entry as it is read again, around the message that somebody holds. */
function withHeld(part: object | undefined, read: () => Entry): Entry {
  if (part !== undefined && "parentId" in part) return part as Entry
  const entry = read()
  return part === undefined || entry.type !== "message" ? entry : { ...entry, message: part as Message }
}

function heavyPart(entry: Entry): object {
  return entry.type === "message" ? entry.message : entry
}
