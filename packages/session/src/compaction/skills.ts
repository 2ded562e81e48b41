import {
  type Declarations,
  filesOf,
  isRecord,
  type Message,
  type SkillScope,
  skillTextIn,
  textOf,
  toolCallsOf,
  type ToolResultMessage,
} from "@gong/spec"
import type { Tape } from "@gong/tape"
import type { TemplateExpander } from "../input/template-expander.ts"

/** The text of a skill in the conversation: in the result of a read call, or in the message that called the skill. */
export interface SkillUse {
  /** The index of its message. */
  readonly at: number
  /** The scope of the skill has ended, and `line` replaces its text. */
  readonly over: boolean
  readonly line: string
}

export interface SkillContext {
  readonly skillAt: TemplateExpander["skillAt"]
  readonly declared: Declarations
  /** The index at which the current run begins; after all messages without a run. */
  readonly taskFrom: number
}

/** All texts of skills in these messages, in order, including those that a line has replaced. */
export function skillUses(
  messages: readonly Message[],
  { skillAt, declared, taskFrom }: SkillContext,
): readonly SkillUse[] {
  const paths = new Map<string, string>()
  const uses: SkillUse[] = []
  let repliesLeft = messages.filter(({ role }) => role === "assistant").length
  for (const [at, message] of messages.entries()) {
    if (message.role === "assistant") {
      repliesLeft -= 1
      for (const { id, name, arguments: args } of toolCallsOf(message)) {
        const tool = declared(name)
        const [path] = tool?.effect === "read" ? filesOf(tool, args) : []
        if (path !== undefined) paths.set(id, path)
      }
      continue
    }
    const found = message.role === "tool" ? readBy(message, paths, skillAt) : calledBy(textOf(message), skillAt)
    if (found === null) continue
    const { name, location, scope } = found
    const over = scope === "task" ? at < taskFrom : scope !== "session" && repliesLeft >= scope
    uses.push({
      at,
      over,
      line: `[The skill "${name}" stood here; it is no longer in use. Read ${location} if it is needed again.]`,
    })
  }
  return uses
}

interface FoundSkill {
  readonly name: string
  readonly location: string
  readonly scope: SkillScope
}

function readBy(
  { toolCallId, status, details }: ToolResultMessage,
  paths: ReadonlyMap<string, string>,
  skillAt: SkillContext["skillAt"],
): FoundSkill | null {
  const path = paths.get(toolCallId)
  if (path === undefined || status !== "ok") return null
  const seen = details?.["seen"]
  // The model may have written the path in another form than the index.
  const real = isRecord(seen) && typeof seen["path"] === "string" ? seen["path"] : path
  const skill = skillAt(path) ?? skillAt(real)
  return skill && { ...skill, location: path }
}

function calledBy(text: string, skillAt: SkillContext["skillAt"]): FoundSkill | null {
  const called = skillTextIn(text)
  if (called === null) return null
  const { name, location } = called
  // A skill that was removed counts for its task.
  return { name, location, scope: skillAt(location)?.scope ?? "task" }
}

/** The index of the message that began the last run; `ids` as in `messageIds`. */
export function lastPrompt(tape: Tape, ids: readonly string[]): number {
  return ids.findLastIndex((id) => {
    const entry = tape.entry(id)
    const input = entry?.type === "message" && entry.inputId !== undefined ? tape.entry(entry.inputId) : null
    return input?.type === "input" && input.kind === "prompt"
  })
}
