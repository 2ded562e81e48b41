import type { Block, Line, Span } from "../text/row.ts"
import { lineWidth } from "../text/wrap.ts"

export interface Surroundings {
  /** Lines of the source. */
  readonly source: readonly string[]
  /** What precedes the source: nothing, a blank line, or text. */
  readonly before: "start" | "gap" | "text"
}

/** A rendered block with the number of its leaf: text behind it changes only the last leaf of a document. */
export interface Rendered {
  readonly block: Block
  readonly leaf: number
}

/** The lines of one leaf. */
type Leaf = readonly Omit<Block, "indent" | "hanging">[]

/** Lines of a document with the marks of the quotations and list items around them. */
export interface Leaves {
  readonly blocks: readonly Rendered[]
  readonly count: number
  /** Columns of the marks. */
  readonly margin: number
  /** The innermost item has no line yet. */
  readonly isEmptyItem: boolean
  /** Begins a quotation or an item. `first`: its mark, used once; `further`: before all other lines. */
  open(first: Span, further: Span): void
  close(): void
  /** `map`: lines of the source; null: no blank line comes before. No leaf: a block without lines. */
  push(map: readonly [number, number] | null, leaves: readonly Leaf[]): void
}

interface Container {
  readonly first: Span
  readonly further: Span
  isBegun: boolean
}

export function collectLeaves({ source, before }: Surroundings): Leaves {
  const blocks: Rendered[] = []
  const containers: Container[] = []
  let count = 0
  const further = (all: readonly Container[]): Line => all.map((one) => one.further)

  /** A blank line of the source is shown, several as one. */
  function isAfterGap(line: number): boolean {
    if (blocks.length === 0 && before === "start") return false
    return line === 0 ? before === "gap" : isBlank(source[line - 1])
  }

  function pushGap(): void {
    const line = trimmedEnd(further(containers.filter(({ isBegun }) => isBegun)))
    blocks.push({ block: { line, whole: false }, leaf: count })
  }

  function pushBlock(block: Leaf[number]): void {
    const indent = containers.map((one) => (one.isBegun ? one.further : one.first))
    for (const one of containers) one.isBegun = true
    const around = indent.length === 0 ? {} : { indent, hanging: further(containers) }
    blocks.push({ block: { ...block, ...around }, leaf: count })
  }

  return {
    blocks,
    get count() {
      return count
    },
    get margin() {
      return lineWidth(further(containers))
    },
    get isEmptyItem() {
      return containers.at(-1)?.isBegun === false
    },
    open: (first, next) => void containers.push({ first, further: next, isBegun: false }),
    close: () => void containers.pop(),
    push(map, leaves) {
      if (map !== null && isAfterGap(map[0])) pushGap()
      for (const leaf of leaves) {
        leaf.forEach(pushBlock)
        count++
      }
      if (leaves.length === 0) count++
    },
  }
}

/** Of a line of the source, also in a quotation. */
export function isBlank(line: string | undefined): boolean {
  return line !== undefined && /^[>\s]*$/.test(line)
}

function trimmedEnd(line: Line): Line {
  const last = line.at(-1)
  if (last === undefined) return line
  const text = last.text.trimEnd()
  return text === "" ? trimmedEnd(line.slice(0, -1)) : [...line.slice(0, -1), { ...last, text }]
}
