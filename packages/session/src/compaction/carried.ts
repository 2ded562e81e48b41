import {
  type Carried,
  type Declarations,
  filesOf,
  type Message,
  textOf,
  todosIn,
  toolCallsOf,
  type ToolEffect,
} from "@gong/spec"

/** The most characters of each carried part: of the paths of one kind, where the oldest are dropped first, and of a text. */
const maxText = 4_000
/** Longer paths are not carried. */
const maxPath = 500

const nothing: Carried = { read: [], changed: [], skills: [], todo: null, request: null }

/**
 * Adds to the carried parts what these messages contain: files that calls have read and changed, by the declarations of their
 * tools. `request`: the message of the user that is still in progress.
 */
export function carryOver(
  earlier: Carried | null,
  messages: readonly Message[],
  declared: Declarations,
  request: string | null = null,
): Carried {
  const before = earlier ?? nothing
  const read = new Set(before.read)
  const changed = new Set(before.changed)
  const skills = new Set(before.skills)
  let { todo } = before
  const note = (path: string, effect: ToolEffect | undefined): void => {
    if (effect === "write") again(changed, path)
    else if (/(?:^|\/)SKILL\.md$/.test(path)) again(skills, path)
    else again(read, path)
  }
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const { name, arguments: args } of toolCallsOf(message)) {
        const tool = declared(name)
        for (const path of tool ? filesOf(tool, args) : []) note(path, tool?.effect)
      }
    } else if (message.role === "tool") {
      for (const { path } of message.files ?? []) again(changed, path)
      if (message.status === "ok" && todosIn(message.details) !== null) todo = textOf(message).slice(0, maxText)
    } else for (const place of skillsIn(textOf(message))) again(skills, place)
  }
  const onlyRead = [...read].filter((path) => !changed.has(path))
  return {
    read: newest(onlyRead),
    changed: newest([...changed]),
    skills: newest([...skills]),
    todo,
    request: request?.slice(0, maxText) ?? null,
  }
}

/** The text that follows a summary for the model; empty when nothing is carried. */
export function carriedText({ read, changed, skills, todo, request }: Carried): string {
  const parts = [
    block("read-files", read.join("\n")),
    block("modified-files", changed.join("\n")),
    block("skills-in-use", skills.join("\n")),
    block("todo", todo ?? ""),
    block("request-in-progress", request ?? ""),
  ]
  return parts.filter((part) => part !== "").join("\n\n")
}

/** A summary without the carried text that Gong appended. */
export function withoutCarried(summary: string, carried: Carried | undefined): string {
  const added = carried ? carriedText(carried) : ""
  return added !== "" && summary.endsWith(added) ? summary.slice(0, -added.length).trimEnd() : summary
}

/** Paths of skills in a message: a skill that the user called has this form (contract section 20). */
function skillsIn(text: string): readonly string[] {
  return [...text.matchAll(/^<skill name="[^"\n]*" location="([^"\n]+)">/gm)].map(([, place = ""]) => place)
}

/** Moves a path to the end: the newest are kept longest. */
function again(paths: Set<string>, path: string): void {
  if (path.length > maxPath) return
  paths.delete(path)
  paths.add(path)
}

function newest(paths: readonly string[]): readonly string[] {
  let left = maxText
  const from = paths.findLastIndex((path) => (left -= path.length + 1) < 0)
  return paths.slice(from + 1)
}

function block(name: string, text: string): string {
  return text === "" ? "" : `<${name}>\n${text}\n</${name}>`
}
