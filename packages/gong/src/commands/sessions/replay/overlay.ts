import type { AnchorPlace, Entry, EntryOf, Head, Store } from "@gong/spec"

/** The first `length` entries of a store. Appended entries stay in memory; the store is not written. */
export function overlay(base: Store, length: number): Store {
  const own: Entry[] = []
  const phases: AnchorPlace[] = base.anchors().filter(({ first }) => first < length)
  const artifacts = new Map<string, Uint8Array>()
  const ownAt = (place: number): Entry => {
    const entry = own[place - length]
    if (entry === undefined) throw new RangeError(`no entry at ${place}`)
    return entry
  }
  const head = (place: number): Head => (place < length ? base.head(place) : headOf(ownAt(place)))
  const placeOf = (id: string): number | undefined => {
    const place = base.placeOf(id)
    if (place !== undefined && place < length) return place
    const at = own.findLastIndex((entry) => entry.id === id)
    return at < 0 ? undefined : length + at
  }
  return {
    id: base.id,
    info: base.info,
    damage: [],
    readOnly: null,
    path: null,
    get length() {
      return length + own.length
    },
    head,
    kind: head,
    heads: () => Array.from({ length: length + own.length }, (_, place) => head(place)),
    placeOf,
    parentOf(place) {
      if (place < length) return base.parentOf(place)
      const { parentId } = ownAt(place)
      return parentId === null ? -1 : (placeOf(parentId) ?? -1)
    },
    entry: (place) => (place < length ? base.entry(place) : ownAt(place)),
    append: (entries) => void own.push(...entries),
    beginSync: () => undefined,
    settled: () => null,
    anchors: () => phases,
    beginAnchor(anchor: EntryOf<"anchor">, more = []) {
      phases.push({ seq: anchor.seq, name: anchor.name, first: length + own.length })
      own.push(anchor, ...more)
    },
    artifacts: {
      async put(bytes) {
        const name = `replayed-${artifacts.size}`
        artifacts.set(name, bytes.slice())
        return name
      },
      get: async (name) => artifacts.get(name) ?? base.artifacts.get(name),
      spillPath: async () => {
        throw new Error("A replay runs no commands")
      },
    },
    close: () => undefined,
  }
}

function headOf(entry: Entry): Head {
  const { id, parentId, type } = entry
  return entry.type === "message" ? { id, parentId, type, role: entry.message.role } : { id, parentId, type }
}
