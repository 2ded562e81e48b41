/** Supported events of the format; `PreSwitch` is Gong's own. */
export const hookEventKinds = [
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "Stop",
  "SubagentStop",
  "SessionStart",
  "SessionEnd",
  "PreCompact",
  "PreSwitch",
  "Notification",
] as const

export type HookEventKind = (typeof hookEventKinds)[number]

export function isHookEventKind(text: string): text is HookEventKind {
  return (hookEventKinds as readonly string[]).includes(text)
}
