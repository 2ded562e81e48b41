export interface FunctionSize {
  readonly name: string
  /** Its first line, from 1. */
  readonly line: number
  readonly lines: number
}

/**
 * The size of every function, method and arrow function with a body, by the formatter's own layout: a function begins on
 * a line that ends with `{` and ends at the first line of the same indent that starts with `}`. No parser is needed, and
 * a template text that spans lines cannot confuse it more than by its own length.
 */
export function functionSizes(source: string): FunctionSize[] {
  const lines = source.split("\n")
  const sizes: FunctionSize[] = []
  lines.forEach((line, index) => {
    if (!line.endsWith("{")) return
    const indent = /^\s*/.exec(line)?.[0] ?? ""
    const head = headOf(lines, index, indent)
    const name = nameOf(head.text)
    if (name === null) return
    const end = lines.findIndex((other, at) => at > index && other.startsWith(`${indent}}`))
    if (end !== -1) sizes.push({ name, line: head.line + 1, lines: end - head.line + 1 })
  })
  return sizes
}

/** A head that the formatter broke over lines starts at its opening parenthesis. */
function headOf(lines: readonly string[], index: number, indent: string): { text: string; line: number } {
  let line = index
  if (/^\s*\)/.test(lines[index] ?? "")) while (line > 0 && !isOpening(lines[line - 1] ?? "", indent)) line--
  const from = line === index ? index : line - 1
  return { text: lines.slice(from, index + 1).join(" "), line: from }
}

function isOpening(line: string, indent: string): boolean {
  return line.startsWith(indent) && line[indent.length] !== " " && /[(<]$/.test(line)
}

const notFunctions =
  /^\s*(?:\} )?(?:if|for|while|switch|else|do|try|catch|finally|class|interface|export (?:default )?(?:class|interface)|export type|type)\b/

function nameOf(head: string): string | null {
  if (notFunctions.test(head)) return null
  const named =
    /\bfunction\s*\*?\s*(\w+)/.exec(head) ?? /\b(?:const|let)\s+(\w+)[^=]*=\s*(?:async\s*)?[(<\w].*=>\s*\{$/.exec(head)
  if (named !== null) return named[1] ?? null
  if (/=>\s*\{$/.test(head)) return /^\s*(\w+):/.exec(head)?.[1] ?? "an arrow function"
  return (
    /^\s*(?:(?:public|private|static|async|get|set|override)\s+)*\*?\s*(\w+)\s*[(<].*\)(?::.*)?\s*\{$/.exec(
      head,
    )?.[1] ?? null
  )
}
