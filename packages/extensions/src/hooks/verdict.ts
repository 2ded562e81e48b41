import { isRecord, readJson } from "@gong/spec"
import type { HookEventKind } from "./kinds.ts"
import type { CommandEnd } from "./run-command.ts"

/** Answer of a hook command, in one form for all events. */
export interface Verdict {
  /** The refusal; for PostToolUse the text for the model; for Stop the reason to continue. */
  readonly block: string | null
  readonly ask: string | null
  /** For the model. */
  readonly context: string | null
  readonly input: Readonly<Record<string, unknown>> | null
  /** Ends the run, with this reason. */
  readonly stop: string | null
  /** For the user. */
  readonly tell: string | null
}

const nothing: Verdict = { block: null, ask: null, context: null, input: null, stop: null, tell: null }

/** Maximum length of a text for the model. */
const maxText = 10_000
/** Events whose plain output becomes context; that of others is ignored. */
const speaking: readonly HookEventKind[] = ["UserPromptSubmit", "SessionStart"]

/**
 * Exit 0: yes, with optional JSON on stdout; exit 2: no, with the reason on stderr. Any other status is a failure of the hook
 * itself and throws: it is reported and stops nothing.
 */
export function verdictOf(kind: HookEventKind, { code, stdout, stderr }: CommandEnd): Verdict {
  if (code === 2) return { ...nothing, block: cut(stderr === "" ? "a hook said no." : stderr) }
  if (code !== 0) throw new Error(`exit ${code}${stderr === "" ? "" : `: ${stderr.split("\n", 1)[0]?.slice(0, 300)}`}`)
  const output = stdout.trim()
  const answer = output.startsWith("{") ? parsed(output) : null
  if (answer !== null) return read(answer)
  return speaking.includes(kind) && output !== "" ? { ...nothing, context: cut(output) } : nothing
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  const read = readJson(text)
  if (!read.ok) throw new Error(read.tooDeep ? `its answer is ${read.problem}` : read.problem)
  if (!isRecord(read.value)) throw new Error("its answer is no JSON object")
  return read.value
}

function read(answer: Readonly<Record<string, unknown>>): Verdict {
  const own = isRecord(answer["hookSpecificOutput"]) ? answer["hookSpecificOutput"] : {}
  // The older form is at the top level, with approve and block.
  const decision = text(own, "permissionDecision") ?? text(answer, "decision")
  const reason = text(own, "permissionDecisionReason") ?? text(answer, "reason")
  const input = own["updatedInput"]
  if (decision !== null && !decisions.includes(decision))
    throw new Error(`unknown decision ${JSON.stringify(decision)}`)
  return {
    block: decision === "deny" || decision === "block" ? cut(reason ?? "a hook said no.") : null,
    ask: decision === "ask" ? (reason ?? "a hook wants you to decide") : null,
    context: cut(text(own, "additionalContext") ?? text(answer, "additionalContext")),
    input: isRecord(input) ? input : null,
    stop: answer["continue"] === false ? (text(answer, "stopReason") ?? reason ?? "it gave no reason.") : null,
    tell: text(answer, "systemMessage"),
  }
}

const decisions = ["allow", "deny", "ask", "approve", "block"]

function text(record: Readonly<Record<string, unknown>>, key: string): string | null {
  const value = record[key]
  if (value === undefined || value === null) return null
  if (typeof value !== "string") throw new Error(`"${key}" in its answer must be text`)
  return value === "" ? null : value
}

function cut<T extends string | null>(text: T): T | string {
  if (text === null || text.length <= maxText) return text
  return `${text.slice(0, maxText)}\n[Cut after ${maxText} of ${text.length} characters.]`
}
