import { type RunStatus, textOf, type TodoItem, todoHead, type UserContent } from "@gong/spec"
import { type Branch, foldBranch, type Pending, pending, type ReadonlyTape, runs, sessionName, todos } from "@gong/tape"
import { minuteText } from "@gong/texts/listed-session"
import type { Translate } from "@gong/texts/translator"

/** Where a session stands: its last exchange, and what is unfinished. */
export interface Recap {
  readonly name: string | null
  /** Time of the last step, ISO 8601. */
  readonly at: string
  /** The last message of the user, and the last text of the model after it; null for none. */
  readonly prompt: string | null
  readonly answer: string | null
  /** How the last run ended; null: it is in progress, or Gong stopped during it. */
  readonly ended: RunStatus | null
  /** Texts of messages that wait for a run. */
  readonly waiting: readonly string[]
  readonly todos: readonly TodoItem[]
}

/** The last entries of the branch, from which a recap is made: a long session is opened without a read of all of it. */
const ENTRIES_MAX = 2_000

/** Null for a session without a message. */
export function recapOf(tape: ReadonlyTape): Recap | null {
  const branch = endOf(tape.branch, ENTRIES_MAX)
  const { prompt, answer } = lastExchange(branch)
  const last = branch.length === 0 ? null : branch.entry(branch.length - 1)
  if (last === null || (prompt === null && answer === null)) return null
  const { open, last: end } = foldBranch(runs, branch)
  return {
    name: tape.follow(sessionName).value,
    at: last.timestamp,
    prompt,
    answer,
    ended: open || end === null ? null : end.status,
    waiting: waitingIn(foldBranch(pending, branch)),
    todos: foldBranch(todos, branch),
  }
}

function waitingIn(inputs: Pending): readonly string[] {
  return [...inputs.values()].map(({ text }) => text)
}

function endOf(branch: Branch, most: number): Branch {
  const first = Math.max(0, branch.length - most)
  return {
    length: branch.length - first,
    head: (at) => branch.head(first + at),
    kind: (at) => branch.kind(first + at),
    entry: (at) => branch.entry(first + at),
  }
}

function lastExchange(branch: Branch): { prompt: string | null; answer: string | null } {
  let answer: string | null = null
  for (let at = branch.length - 1; at >= 0; at--) {
    if (branch.head(at).type !== "message") continue
    const entry = branch.entry(at)
    if (entry.type !== "message") continue
    const { message } = entry
    if (message.role === "user") return { prompt: textIn(message.content), answer }
    if (message.role === "assistant") answer ??= textOf(message).trim() || null
  }
  return { prompt: null, answer }
}

function textIn(content: readonly UserContent[]): string {
  return content.map((block) => (block.type === "text" ? block.text : `[${block.mimeType}]`)).join("\n")
}

/** Lines of the message and of the answer that are shown. */
const PROMPT_LINES = 3
const ANSWER_LINES = 8
const LINE_MAX_CHARS = 300

/** The recap for people. */
export function recapLines(
  t: Translate,
  { name, at, prompt, answer, ended, waiting, todos: list }: Recap,
): readonly string[] {
  const when = minuteText(Date.parse(at))
  return [
    name === null ? t`Last active ${when} (UTC):` : t`${name}, last active ${when} (UTC):`,
    ...(prompt === null
      ? []
      : folded(t, prompt, PROMPT_LINES).map((line, first) => `${first === 0 ? "  > " : "    "}${line}`)),
    ...(answer === null ? [] : folded(t, answer, ANSWER_LINES).map((line) => `  ${line}`)),
    ...(ended === null || ended === "interrupted" ? [t`The run was interrupted; a message continues from there.`] : []),
    ...(ended === "failed" ? [t`The run failed; a message tries again from there.`] : []),
    ...waiting.map((text) => t`Waiting to be sent: ${folded(t, text, 1)[0] ?? ""}`),
    ...(list.every(({ status }) => status === "completed") ? [] : [t`To do: ${todoHead(list)}`]),
  ]
}

/** The first lines, and the number of the others. */
function folded(t: Translate, text: string, most: number): readonly string[] {
  const lines = text.trim().split("\n")
  const shown = lines
    .slice(0, most)
    .map((line) => (line.length > LINE_MAX_CHARS ? `${line.slice(0, LINE_MAX_CHARS)} ...` : line))
  const more = lines.length - shown.length
  return more === 0 ? shown : [...shown, t(more === 1 ? "... ({0} more line)" : "... ({0} more lines)", more)]
}
