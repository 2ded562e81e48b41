import { isRecord, phrase, type Phrase } from "@gong/spec"
import { type HookEventKind, hookEventKinds, isHookEventKind } from "./kinds.ts"
import { type Matcher, matcherOf } from "./matcher.ts"

/** One configured command, in the format of Claude Code. */
export interface HookCommand {
  readonly kind: HookEventKind
  /** `Bash`, `Edit|Write`, `Notebook.*`; `*` for any tool. */
  readonly matcher: string
  readonly isMeant: Matcher
  readonly command: string
  /** Milliseconds. */
  readonly timeMs: number
  /** The file that configures it. */
  readonly from: string
}

export interface ParsedHooks {
  readonly commands: readonly HookCommand[]
  /** Skipped entries; the others work. */
  readonly problems: readonly HookProblem[]
}

export interface HookProblem {
  /** `file:line`. */
  readonly at: string
  /** The problem and its remedy, as a sentence. */
  readonly text: Phrase
}

/** The `hooks` of one file, with locations for messages. */
export interface HookSource {
  readonly path: string
  readonly hooks: unknown
  /** `file:line` of a value inside `hooks`. */
  locationOf(path: readonly (string | number)[]): Promise<string>
}

/** Default and maximum timeout in seconds, according to the format (docs/hooks.md). */
const defaultTime = 60
const maxTime = 600
/** Maximum number of commands per file. */
const maxCommands = 100

/** Parses the hooks of one file. Invalid entries are skipped and reported. */
export async function parseHooks(source: HookSource): Promise<ParsedHooks> {
  const commands: HookCommand[] = []
  const problems: HookProblem[] = []
  const wrong = async (path: Path, text: Phrase): Promise<void> => {
    problems.push({ at: await source.locationOf(path), text })
  }
  const { hooks } = source
  if (!isRecord(hooks)) await wrong([], phrase`"hooks" must be an object, {"PreToolUse": [...]}.`)
  for (const [kind, groups] of Object.entries(isRecord(hooks) ? hooks : {})) {
    if (!isHookEventKind(kind)) await wrong([kind], unknownKind(kind))
    else if (!Array.isArray(groups))
      await wrong([kind], phrase`"${kind}" must be a list, [{"matcher": "...", "hooks": [...]}].`)
    else for (const [at, group] of groups.entries()) await readGroup({ kind, at, group, source, commands, wrong })
  }
  return { commands, problems }
}

type Path = readonly (string | number)[]

interface Group {
  readonly kind: HookEventKind
  readonly at: number
  readonly group: unknown
  readonly source: HookSource
  readonly commands: HookCommand[]
  wrong(path: Path, what: Phrase): Promise<void>
}

async function readGroup({ kind, at, group, source, commands, wrong }: Group): Promise<void> {
  const path = [kind, at]
  if (!isRecord(group) || !Array.isArray(group["hooks"])) {
    return wrong(
      path,
      phrase`each entry of "${kind}" is {"matcher": "...", "hooks": [{"type": "command", "command": "..."}]}.`,
    )
  }
  const { matcher = "*", hooks } = group
  const isMeant = typeof matcher === "string" ? await matcherOf(matcher) : notText
  if (typeof isMeant === "object") return wrong([...path, "matcher"], isMeant)
  for (const [index, hook] of hooks.entries()) {
    const problem = commands.length >= maxCommands ? phrase`more than ${maxCommands} hooks.` : hookProblem(hook)
    if (problem !== null) {
      await wrong([...path, "hooks", index], problem)
      continue
    }
    const { command, timeout = defaultTime } = hook as { command: string; timeout?: number }
    commands.push({ kind, matcher: String(matcher), isMeant, command, timeMs: timeout * 1000, from: source.path })
  }
}

const notText = phrase`"matcher" must be text such as "Bash" or "Edit|Write".`

/** Why a hook is invalid. A hook with an unsupported condition could act at the wrong time. */
function hookProblem(hook: unknown): Phrase | null {
  if (!isRecord(hook)) return phrase`a hook is {"type": "command", "command": "..."}.`
  const { type, command, timeout = defaultTime } = hook
  if (type !== "command")
    return phrase`only "type": "command" works in this version, not ${JSON.stringify(type) ?? "nothing"}.`
  if (typeof command !== "string" || command.trim() === "") return phrase`"command" must be text.`
  if ("if" in hook) return phrase`"if" does not work in this version; let the command look at tool_input itself.`
  if (typeof timeout !== "number" || !(timeout > 0 && timeout <= maxTime)) {
    return phrase`"timeout" must be seconds, up to ${maxTime}.`
  }
  return null
}

/** Display name of a hook. */
export function nameOf({ kind, matcher, command }: HookCommand): string {
  const shown = command.length > 60 ? `${command.slice(0, 57)}...` : command
  return `${kind}${matcher === "*" || matcher === "" ? "" : ` ${matcher}`} (${shown})`
}

function unknownKind(kind: string): Phrase {
  return phrase`there is no hook event "${kind}" in this version; there are ${hookEventKinds.join(", ")}.`
}
