/** Marks at which calls begin, at the beginning of a line. */
const lineMarks = [
  "<tool_call>",
  "<seed:tool_call>",
  "<minimax:tool_call>",
  "<function_calls>",
  "<function=",
  "<invoke name=",
  "<TOOLCALL>",
] as const

/** Marks that are single tokens of a model's vocabulary, and therefore count within a line too. */
const tokenMarks = [
  "<|python_tag|>",
  "[TOOL_CALLS]",
  "<|tool_call|>",
  "<｜tool▁calls▁begin｜>",
  "<｜tool▁call▁begin｜>",
  "<｜DSML｜function_calls>",
  "<|tool_calls_section_begin|>",
  "<|tool_call_begin|>",
  "<|start|>assistant",
  "<|channel|>",
] as const

/** A line with an indented or quoted beginning is a quotation. */
const quotation = /^(?: {4}| {0,3}\t| {0,3}>)/

/** A line that opens or closes a fence of Markdown: its marks and what follows them. */
const fence = /^ {0,3}(```+|~~~+)([^`]*)$/

/** The offset in a line at which calls may begin; null for none. `whole`: no more of the line follows. */
export function markIn(line: string, whole: boolean): number | null {
  if (quotation.test(line)) return null
  const begin = line.length - line.trimStart().length
  const word = line.slice(begin)
  if (word !== "" && lineMarks.some((mark) => word.startsWith(mark) || (!whole && mark.startsWith(word)))) return begin
  const marks = tokenMarks.map((mark) => tokenAt(line, mark, whole)).filter((at) => at !== null)
  return marks.length > 0 ? Math.min(...marks) : null
}

function tokenAt(line: string, mark: string, whole: boolean): number | null {
  for (let at = line.indexOf(mark); at >= 0; at = line.indexOf(mark, at + 1)) if (!isCode(line, at)) return at
  if (whole) return null
  const at = line.lastIndexOf(mark[0] ?? "")
  return at >= 0 && line.length - at < mark.length && mark.startsWith(line.slice(at)) && !isCode(line, at) ? at : null
}

/** Whether this offset lies in inline code. */
function isCode(line: string, at: number): boolean {
  return line.slice(0, at).split("`").length % 2 === 0
}

/** The state of a Markdown text at the end of a line: the marks of its open fence. */
export type Fence = string | null

export interface FenceLine {
  readonly marks: string
  /** `json`, `ts`, ...; empty for none. */
  readonly language: string
}

/** A line that opens a fence, or closes the open one. */
export function fenceIn(line: string, open: Fence): FenceLine | null {
  const found = fence.exec(line)
  const marks = found?.[1] ?? ""
  const language = (found?.[2] ?? "").trim()
  if (found === null) return null
  if (open === null) return { marks, language }
  return language === "" && marks.startsWith(open) ? { marks, language } : null
}

/** Offsets of marks outside of quotations, in order; at most one per line. */
export function marksIn(text: string): readonly number[] {
  const marks: number[] = []
  let open: Fence = null
  let offset = 0
  for (const line of text.split("\n")) {
    const fenced = fenceIn(line, open)
    if (fenced !== null) open = open === null ? fenced.marks : null
    else if (open === null) {
      const at = markIn(line, true)
      if (at !== null) marks.push(offset + at)
    }
    offset += line.length + 1
  }
  return marks
}
