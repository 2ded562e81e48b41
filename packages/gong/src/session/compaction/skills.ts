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

/** The text of a skill in the conversation: the result of a read, or the message that called it. */
export interface SkillUse {
  /** The place of its message. */
  readonly at: number
  /** Its scope has ended: the line stands for it. */
  readonly over: boolean
  readonly line: string
}

export interface SkillContext {
  readonly skillAt: TemplateExpander["skillAt"]
  readonly declared: Declarations
  /** The place where the run begins that works now; behind all messages where none does. */
  readonly taskFrom: number
}

/** Every text of a skill among these messages, in their order; one that stands only as its line is still one. */
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
  // The model may have written the path in another way than it stands in the index.
  const real = isRecord(seen) && typeof seen["path"] === "string" ? seen["path"] : path
  const skill = skillAt(path) ?? skillAt(real)
  return skill && { ...skill, location: path }
}

function calledBy(text: string, skillAt: SkillContext["skillAt"]): FoundSkill | null {
  const called = skillTextIn(text)
  if (called === null) return null
  const { name, location } = called
  // A skill that is gone since was in use for its task.
  return { name, location, scope: skillAt(location)?.scope ?? "task" }
}

/** The place of the message that the last run began with; `ids` as in `messageIds`. */
export function lastPrompt(tape: Tape, ids: readonly string[]): number {
  return ids.findLastIndex((id) => {
    const entry = tape.entry(id)
    const input = entry?.type === "message" && entry.inputId !== undefined ? tape.entry(entry.inputId) : null
    return input?.type === "input" && input.kind === "prompt"
  })
}
