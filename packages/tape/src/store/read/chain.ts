import type { Damage, Head } from "@gong/spec"
import { type Lines, linesFor } from "./lines.ts"
import type { Record } from "./scan.ts"

/** The lines of a tape as one tree. */
export interface Chain {
  readonly lines: Lines
  readonly damage: readonly Damage[]
  /**
   * Adds the next record: a duplicate entry counts once, and an entry without an earlier parent becomes a child of the entry
   * above it. So there is one root, no cycle, and every parent exists.
   */
  add(record: Record): void
}

/** A chain with a capacity for `expected` records. A record is not retained: a long tape has many. */
export function createChain(expected: number): Chain {
  const lines = linesFor(expected)
  const damage: Damage[] = []
  const checksums: number[] = []
  /** The id of the entry above. */
  let above: string | null = null

  function withParent(head: Head): Head {
    const { parentId } = head
    const isRight = parentId === above || (parentId !== null && lines.placeOf(parentId) !== undefined)
    return isRight ? head : { ...head, parentId: above }
  }

  return {
    lines,
    damage,
    add(record) {
      const twin = lines.placeOf(record.head.id)
      if (twin !== undefined) {
        // A batch that was written again after a failed sync is duplicated byte for byte: that is no damage.
        const isSame = checksums[twin] === record.checksum && lines.location(twin).length === record.length
        if (!isSame) damage.push(damageAt(record, "doubled", `a second entry with id ${record.head.id}`))
        return
      }
      const head = withParent(record.head)
      if (head !== record.head) {
        const { parentId } = record.head
        damage.push(damageAt(record, "misplaced", `parent ${parentId} is missing; continues from ${above}`))
      }
      lines.add(head, record)
      checksums.push(record.checksum)
      above = head.id
    },
  }
}

function damageAt(record: Record, kind: Damage["kind"], reason: string): Damage {
  return { file: record.file, offset: record.offset, kind, reason }
}
