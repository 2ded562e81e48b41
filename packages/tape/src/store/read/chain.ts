import type { Damage, Head } from "@gong/spec"
import type { Record } from "./scan.ts"

export interface Chain {
  readonly records: readonly Record[]
  readonly heads: readonly Head[]
  readonly damage: readonly Damage[]
}

/**
 * Makes one tree of all records, in order: a duplicate entry counts once, and an entry without an earlier parent becomes a child
 * of the entry above it. So there is one root, no cycle, and every parent exists.
 */
export function chainOf(records: readonly Record[]): Chain {
  const kept: Record[] = []
  const heads: Head[] = []
  const damage: Damage[] = []
  const places = new Map<string, number>()
  for (const record of records) {
    const twin = places.get(record.head.id)
    if (twin !== undefined) {
      // A batch that was written again after a failed sync is duplicated byte for byte: that is no damage.
      if (!isSame(kept[twin], record))
        damage.push(damageAt(record, "doubled", `a second entry with id ${record.head.id}`))
      continue
    }
    const above = heads.at(-1)?.id ?? null
    const head = withParent(record.head, above, places)
    if (head !== record.head) {
      damage.push(damageAt(record, "misplaced", `parent ${record.head.parentId} is missing; continues from ${above}`))
    }
    places.set(head.id, kept.length)
    kept.push(record)
    heads.push(head)
  }
  return { records: kept, heads, damage }
}

function withParent(head: Head, above: string | null, places: ReadonlyMap<string, number>): Head {
  const right = head.parentId === null ? above === null : places.has(head.parentId)
  return right ? head : { ...head, parentId: above }
}

function isSame(one: Record | undefined, other: Record): boolean {
  return one?.checksum === other.checksum && one.length === other.length
}

function damageAt(record: Record, kind: Damage["kind"], reason: string): Damage {
  return { file: record.file, offset: record.offset, kind, reason }
}
