import { type Declarations, type Event, textOf, todoHead, todoLines, todosIn } from "@gong/spec"
import { count, seconds } from "@gong/texts/amounts"
import { spanText } from "@gong/texts/spans"
import { statusText } from "@gong/texts/statuses"
import { titleText } from "@gong/texts/titles"
import type { RenderCallEnd } from "./render-call.ts"
import type { Translate } from "@gong/texts/translator"

/** An event as one line for users; null for none. */
export type ProgressLine = {
  readonly text: string
  readonly kind: ProgressKind
  /** Lines after the first are those of a diff. */
  readonly diff?: true
  /** They are sentences. */
  readonly prose?: true
  /** The parts of the first line, if it is about an ended call. */
  readonly call?: CallLine
  /** Replaces `text` when it is rendered; resolves with null for no replacement. Never rejects. */
  readonly replacement?: Promise<string | null>
} | null

export interface CallLine {
  readonly indent: string
  readonly name: string
  readonly title: string
  /** Duration, exit status, changed lines. */
  readonly facts: readonly string[]
  readonly isFailed: boolean
}

/** Progress is shown on a terminal, retries unless --quiet is set, warnings always. */
export type ProgressKind = "progress" | "retry" | "warning"

export interface ProgressOptions {
  readonly t: Translate
  readonly declared: Declarations
  /** The command that undoes a compaction; null for none. */
  readonly undo: string | null
  /** The command that shows the whole output of the last call; null for none. */
  readonly output: string | null
  /** Default: those of the line mode. */
  readonly rows?: ResultRows
  /** Renderers of extensions for ended calls. */
  readonly render?: RenderCallEnd | null
}

/** How many rows of a result are shown. */
export interface ResultRows {
  /** Last rows of the output of a command that succeeded. */
  readonly output: number
  /** Last rows of a failed call. */
  readonly failed: number
  readonly diff: number
}

const lineModeRows: ResultRows = { output: 0, failed: 5, diff: 20 }

/** Formats the events of a run as the stderr lines of print mode (interface part 1). */
export function progressLines(options: ProgressOptions): (event: Event) => ProgressLine {
  const { t, undo, declared, render = null } = options
  /** Calls whose diff a question has shown. */
  const asked = new Set<string>()
  const started = new Map<string, { readonly title: string; readonly args: Readonly<Record<string, unknown>> }>()
  return (event) => {
    switch (event.type) {
      case "tool_execution_start":
        started.set(keyOf(event), event)
        // The lines of a task precede the line of its call, so this line is their head.
        return declared(event.name)?.startsSession === true
          ? { text: `${event.name} ${event.title} ...`, kind: "progress" }
          : null
      case "permission_request":
        if (event.toolCallId === undefined) return null
        // A refused call has no start.
        started.set(keyOf({ ...event, toolCallId: event.toolCallId }), event)
        if (event.preview !== undefined && "rows" in event.preview)
          asked.add(keyOf({ ...event, toolCallId: event.toolCallId }))
        return null
      case "tool_execution_end": {
        const { title = "", args = {} } = started.get(keyOf(event)) ?? {}
        started.delete(keyOf(event))
        const indent = event.parent === undefined ? "" : "  "
        const shown = titleText(t, declared(event.name), { title, args })
        const isDiff = diffIn(declared, event) !== null
        const isProse = event.status === "error" && declared(event.name)?.effect !== "execute"
        const rows = asked.delete(keyOf(event)) ? [] : [...todoRows(t, event), ...resultRows(options, event)]
        const call = callLine(t, event, shown, indent)
        const text = [textOfCall(call), ...rows].join("\n    ")
        const replacement = render?.(event, { title, args }, indent)
        return {
          text,
          kind: "progress",
          call,
          ...(isDiff && { diff: true }),
          ...(isProse && { prose: true }),
          ...(replacement && { replacement }),
        }
      }
      case "notice":
        return event.level === "warn"
          ? { text: `gong: ${t.text(event.phrase ?? event.text)}`, kind: "warning" }
          : { text: t.text(event.phrase ?? event.text), kind: "progress" }
      case "retry_start": {
        const { failure, attempt, of, delayMs } = event
        const wait = Math.round(delayMs / 100) / 10
        return {
          text: t`gong: ${t(failure)}; try ${attempt + 1} of ${of + 1} in ${wait} s`,
          kind: "retry",
        }
      }
      case "compaction_start":
        return { text: t`compacting the conversation (${count(event.tokens)} tokens) ...`, kind: "progress" }
      case "compaction_end":
        return compactionLine(t, event, undo)
      default:
        return null
    }
  }
}

/** Call ids are unique only within a session. */
function keyOf({ parent = "", toolCallId }: { readonly parent?: string; readonly toolCallId: string }): string {
  return `${parent} ${toolCallId}`
}

/** Tokens before and after a compaction, and the command that undoes it (interface 5 M). */
function compactionLine(
  t: Translate,
  event: Extract<Event, { type: "compaction_end" }>,
  undo: string | null,
): ProgressLine {
  const { status, tokensBefore, tokensAfter, failure } = event
  if (status !== "done") {
    const why = failure === undefined ? t(status) : t(failure)
    const text = status === "nothing" ? why : t`gong: the conversation was not compacted: ${why}`
    return { text, kind: status === "failed" ? "warning" : "progress" }
  }
  const after = tokensAfter === undefined ? "" : ` -> ${count(tokensAfter)}`
  const hint = undo === null ? "" : t` · ${undo} undoes it`
  return { text: t`compacted: ${count(tokensBefore)}${after} tokens${hint}`, kind: "progress" }
}

/** The to-do list of a call that changed it. */
function todoRows(
  t: Translate,
  { status, details }: Extract<Event, { type: "tool_execution_end" }>,
): readonly string[] {
  const todos = status === "ok" ? todosIn(details) : null
  return todos === null ? [] : [spanText(t, { text: "", phrase: todoHead(todos) }), ...todoLines(todos).slice(1)]
}

/** What the model reads of a command that has written nothing. */
const NO_OUTPUT = "(no output)"

/** The changed lines of an edit, the end of the output of a command, and why a call failed. */
function resultRows(
  { t, declared, output, rows: limits = lineModeRows }: ProgressOptions,
  event: Extract<Event, { type: "tool_execution_end" }>,
): readonly string[] {
  const { name, status, content } = event
  const diff = diffIn(declared, event)
  if (diff !== null) {
    const rows = diff.split("\n")
    const more = rows.length - limits.diff
    // One hidden row would take a row, too.
    return more <= 1 ? rows : [...rows.slice(0, limits.diff), t`... (${more} more lines; /diff shows all changes)`]
  }
  const isFailed = status === "error" || status === "timeout"
  const isShown = status === "ok" && declared(name)?.effect === "execute" && limits.output > 0
  if (!isFailed && !isShown) return []
  const lines = textOf({ content })
    .split("\n")
    .filter((line) => line.trim() !== "" && line !== NO_OUTPUT)
  const kept = isFailed ? limits.failed : limits.output
  const more = lines.length - kept
  if (more <= 1) return lines
  const hint = output === null ? t`... (${more} earlier lines)` : t`... (${more} earlier lines; ${output} shows all)`
  return [hint, ...lines.slice(-kept)]
}

/** The diff of a call that changed a file. */
function diffIn(
  declared: Declarations,
  { name, status, details }: Extract<Event, { type: "tool_execution_end" }>,
): string | null {
  const diff = declared(name)?.effect === "write" && status === "ok" ? details?.["diff"] : null
  return typeof diff === "string" ? diff : null
}

function callLine(
  t: Translate,
  event: Extract<Event, { type: "tool_execution_end" }>,
  title: string,
  indent: string,
): CallLine {
  const facts = [seconds(event.durationMs)]
  const exit = event.details?.["exit_code"]
  if (typeof exit === "number") facts.push(t`exit ${exit}`)
  for (const file of event.files ?? []) facts.push(`+${file.added} -${file.removed}`)
  if (event.status !== "ok" && typeof exit !== "number") facts.push(statusText(t, event.status))
  const isOk = event.status === "ok" || event.status === "background"
  const isFailed = !isOk || (typeof exit === "number" && exit !== 0)
  return { indent, name: event.name, title, facts, isFailed }
}

function textOfCall({ indent, name, title, facts }: CallLine): string {
  return [`${indent}${name} ${title}`.trimEnd(), ...facts].join("  ")
}
