import type { Entry } from "@gong/spec"

/** What the index holds of one entry. */
export interface IndexFields {
  /** What a search finds; "" when there is nothing to find. */
  readonly text: string
  /** One line, where the entry is a summary or a name itself. */
  readonly summary: string | null
  /** JSON that an extension gave along. */
  readonly metadata: string | null
}

/** Characters of one entry that can be found; more than the output of a tool may have. */
const maxText = 256 * 1024
const maxSummary = 200

/** Lines of other programs may hold anything: whatever is not as it should be counts as nothing. */
export function indexFieldsOf(entry: Entry): IndexFields {
  const summary = summaryOf(entry)
  const metadata = metadataOf(entry)
  return {
    text: textOfEntry(entry).slice(0, maxText),
    summary: typeof summary === "string" ? firstLine(summary) : null,
    metadata: metadata === undefined ? null : JSON.stringify(metadata),
  }
}

/** All that a search may find in an entry. The words of an accepted message stand in its `input`, and are found there. */
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
    // One by one: arguments of a call stand on the stack, and a list may be longer than that.
    else if (typeof one === "object" && one !== null) for (const inner of Object.values(one).reverse()) rest.push(inner)
  }
  return found.filter((text) => text !== "").join("\n")
}
