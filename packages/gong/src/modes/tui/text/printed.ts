import { outputReader } from "@gong/screen/command-output"
import type { Block } from "@gong/screen/row"

/** Failures and warnings begin with the name of the program. */
const isReport = /^ *gong[:：]/
/** The second column of a table begins here at most, if further rows begin below it. */
const COLUMN_MAX = 40

/** Lines of commands and reports. Further rows of a line begin below its text, or below its second column. */
export function printedBlocks(text: string, more: Partial<Block> = {}): readonly Block[] {
  const output = outputReader()
  const lines = text.replace(/\n$/, "").split("\n")
  return lines.map((line) => {
    const role = isReport.test(line) ? "error" : undefined
    const indent = more.indent === undefined ? line.slice(0, textStart(line)) : ""
    const block: Block = { line: output.line(line.slice(indent.length), role), whole: false }
    return indent === "" ? { ...block, ...more } : { ...block, indent: output.line(indent, role), ...more }
  })
}

/** Where the second column begins, or the first one if there is no other. */
function textStart(line: string): number {
  const first = line.search(/[^ ]|$/)
  const gap = line.indexOf("  ", first)
  if (gap < 0) return first
  const second = gap + line.slice(gap).search(/[^ ]|$/)
  return second <= COLUMN_MAX && second < line.length ? second : first
}
