import type { Entry } from "@gong/spec"

/** The fields of one entry in the index. */
export interface IndexFields {
  /** The text that a search covers; "" without text. */
  readonly text: string
  /** One line, where the entry is a summary or a name itself. */
  readonly summary: string | null
  /** JSON of an extension. */
  readonly metadata: string | null
}

/** The most characters of one entry that a search covers; more than a tool's output may have. */
const maxText = 256 * 1024
const maxSummary = 200

/** Entries of other programs may contain anything: invalid values are ignored. */
export function indexFieldsOf(entry: Entry): IndexFields {
  const summary = summaryOf(entry)
  const metadata = metadataOf(entry)
  return {
    text: textOfEntry(entry).slice(0, maxText),
    summary: typeof summary === "string" ? firstLine(summary) : null,
    metadata: metadata === undefined ? null : JSON.stringify(metadata),
  }
}

/** The searchable text of an entry. The text of an accepted message is searchable in its `input`, and not in the message. */
export function textOfEntry(entry: Entry): string {
  switch (entry.type) {
    case "message":
      return entry.inputId === undefined ? blocksText(entry.message?.content) : ""
    case "custom_message":
      return blocksText(entry.content)
    case "input":
      return strings([entry.text])
    case "change":
      return strings([entry.path])
    case "run_end":
    case "model_call":
      return strings([entry.failure?.message])
    default:
      return strings([summaryOf(entry)])
  }
}

export function firstLine(text: string): string {
  const line = text.trimStart().split("\n", 1)[0] ?? ""
  return line.length <= maxSummary ? line : `${line.slice(0, maxSummary).toWellFormed()}…`
}

function summaryOf(entry: Entry): unknown {
  switch (entry.type) {
    case "compaction":
    case "branch_summary":
      return entry.summary
    case "session_info":
      return entry.name
    case "label":
      return entry.label
    case "anchor":
      return entry.summary ?? entry.name
    default:
      return null
  }
}

function metadataOf(entry: Entry): unknown {
  if (entry.type === "custom") return entry.data
  return entry.type === "custom_message" ? entry.details : undefined
}

interface AnyBlock {
  readonly type?: unknown
  readonly text?: unknown
  readonly name?: unknown
  readonly arguments?: unknown
}

function blocksText(content: unknown): string {
  if (!Array.isArray(content)) return strings([content])
  return strings(content.map((block: AnyBlock | null) => block && blockStrings(block)))
}

function blockStrings(block: AnyBlock): unknown {
  return block.type === "tool_call" ? [block.name, block.arguments] : block.text
}

/** Every string in a value, in order, one per line. */
function strings(value: unknown): string {
  const found: string[] = []
  const rest: unknown[] = [value]
  while (rest.length > 0) {
    const one = rest.pop()
    if (typeof one === "string") found.push(one)
    // Pushed one by one: a long list would exceed the number of arguments of one call.
    else if (typeof one === "object" && one !== null) for (const inner of Object.values(one).reverse()) rest.push(inner)
  }
  return found.filter((text) => text !== "").join("\n")
}
