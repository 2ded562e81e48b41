import type { EntryKind, Head, MessageRole } from "@gong/spec"
import { assert } from "@gong/spec"

/** The location of the line of an entry. */
export interface LineLocation {
  readonly file: string
  readonly offset: number
  /** Bytes, without the newline. */
  readonly length: number
}

/** The heads and locations of all lines of a tape, in order: about 50 bytes for each line. */
export interface Lines {
  readonly length: number
  head(at: number): Head
  /** One object for all lines of this kind. */
  kind(at: number): EntryKind
  location(at: number): LineLocation
  /** The index of the parent; -1 for the root. */
  parentOf(at: number): number
  /** Undefined when the tape has no such entry. */
  placeOf(id: string): number | undefined
  /** Adds the next line. Its parent, if it has one, must have been added before. */
  add(head: Head, place: LineLocation): void
}

/** The initial capacity; it grows by half when it is full. */
const smallest = 64

/** An empty list with a capacity for `expected` lines. */
export function linesFor(expected: number): Lines {
  let columns = columnsOf(Math.max(smallest, expected + (expected >> 3)))
  let length = 0
  /** The id of the last line, which mostly is the parent of the next one. */
  let last = ""
  const kinds = createKinds()
  const files = createNames()

  /** The slot of the id, or the empty one where it belongs. */
  function slotOf(high: number, low: number): number {
    const { slots, ids } = columns
    const mask = slots.length - 1
    let slot = (Math.imul(high ^ Math.imul(low, 0x9e3779b1), 0x85ebca6b) >>> 7) & mask
    for (let at = slots[slot] ?? 0; at !== 0; at = slots[slot] ?? 0) {
      if (ids[2 * at - 2] === high && ids[2 * at - 1] === low) return slot
      slot = (slot + 1) & mask
    }
    return slot
  }

  function grow(): void {
    const old = columns
    columns = columnsOf(old.parents.length + (old.parents.length >> 1))
    for (const name of ["ids", "parents", "kinds", "files", "offsets", "lengths"] as const) columns[name].set(old[name])
    for (let at = 0; at < length; at++) enter(at)
  }

  function enter(at: number): void {
    columns.slots[slotOf(columns.ids[2 * at] ?? 0, columns.ids[2 * at + 1] ?? 0)] = at + 1
  }

  function placeOf(id: string): number | undefined {
    if (!isId(id)) return undefined
    const at = columns.slots[slotOf(halfOf(id, 0), halfOf(id, half))] ?? 0
    return at === 0 ? undefined : at - 1
  }

  const idAt = (at: number): string => textOf(columns.ids[2 * at] ?? 0) + textOf(columns.ids[2 * at + 1] ?? 0)

  function parentOf(at: number): number {
    mustBeThere(at, length)
    return columns.parents[at] ?? -1
  }

  return {
    get length() {
      return length
    },
    parentOf,
    placeOf,
    head(at) {
      const parent = parentOf(at)
      return { id: idAt(at), parentId: parent === -1 ? null : idAt(parent), ...kinds.at(columns.kinds[at] ?? 0) }
    },
    kind(at) {
      mustBeThere(at, length)
      return kinds.at(columns.kinds[at] ?? 0)
    },
    location(at) {
      mustBeThere(at, length)
      const { offsets, lengths } = columns
      return { file: files.at(columns.files[at] ?? 0), offset: offsets[at] ?? 0, length: lengths[at] ?? 0 }
    },
    add(head, place) {
      const { id, parentId } = head
      const parent = parentId === null ? -1 : parentId === last ? length - 1 : placeOf(parentId)
      if (parent === undefined || !isId(id)) assert(false, `entry ${id} stands behind its parent ${parentId}`)
      if (length === columns.parents.length) grow()
      columns.ids[2 * length] = halfOf(id, 0)
      columns.ids[2 * length + 1] = halfOf(id, half)
      columns.parents[length] = parent
      columns.kinds[length] = kinds.of(head)
      columns.files[length] = files.of(place.file)
      columns.offsets[length] = place.offset
      columns.lengths[length] = place.length
      enter(length++)
      last = id
    },
  }
}

function columnsOf(room: number) {
  return {
    /** Two numbers for each id. */
    ids: new Uint32Array(2 * room),
    parents: new Int32Array(room),
    kinds: new Uint32Array(room),
    files: new Uint32Array(room),
    offsets: new Float64Array(room),
    lengths: new Uint32Array(room),
    /** By the hash of an id: its index + 1, or 0; at most three in four slots are used, so that every search terminates. */
    slots: new Int32Array(2 ** Math.ceil(Math.log2((room * 4) / 3))),
  }
}

/** Called for every line by every fold, so the text is only built on failure. */
function mustBeThere(at: number, length: number): void {
  if (at < 0 || at >= length) assert(false, `line ${at} of ${length}`)
}

/** A number for each kind of entry. */
function createKinds() {
  const types = createNames()
  const known: EntryKind[] = []
  return {
    of({ type, role }: Head): number {
      const number = types.of(type) * 4 + (role === undefined ? 0 : roleNumbers[role])
      known[number] ??= role === undefined ? { type } : { type, role }
      return number
    },
    at(number: number): EntryKind {
      const kind = known[number]
      if (kind === undefined) assert(false, `kind ${number} is known`)
      return kind
    },
  }
}

const roleNumbers: Readonly<Record<MessageRole, number>> = { user: 1, assistant: 2, tool: 3 }

/** Numbers for few names that occur often, mostly one after the other. */
function createNames() {
  const known: string[] = []
  const numbers = new Map<string, number>()
  let last = -1
  return {
    of(name: string): number {
      if (known[last] !== name) {
        last = numbers.get(name) ?? known.push(name) - 1
        numbers.set(name, last)
      }
      return last
    },
    at(number: number): string {
      const name = known[number]
      if (name === undefined) assert(false, `name ${number} of ${known.length}`)
      return name
    },
  }
}

/** Half of the characters of an id: six digits of base 36 fit in 32 bits. */
const half = 6

function isId(id: string): boolean {
  return /^[0-9a-z]{12}$/.test(id)
}

function halfOf(id: string, from: number): number {
  let number = 0
  for (let at = from; at < from + half; at++) {
    const code = id.charCodeAt(at)
    number = number * 36 + (code < 0x3a ? code - 0x30 : code - 0x57)
  }
  return number
}

function textOf(number: number): string {
  return number.toString(36).padStart(half, "0")
}
