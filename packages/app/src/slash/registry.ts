import type { ListedCommand, OtherCommand, SlashCommand } from "./command.ts"
import { bug } from "./commands/help/bug.ts"
import { memory } from "./commands/work/memory.ts"
import { changelog } from "./commands/help/changelog.ts"
import { compact } from "./commands/session/compact.ts"
import { context } from "./commands/work/context.ts"
import { copy } from "./commands/work/copy.ts"
import { cost } from "./commands/work/cost.ts"
import { diff } from "./commands/work/diff.ts"
import { exportTo } from "./commands/session/export.ts"
import { fork } from "./commands/session/fork.ts"
import { help } from "./commands/help/help.ts"
import { hotkeys } from "./commands/help/hotkeys.ts"
import { init } from "./commands/work/init.ts"
import { jobs } from "./commands/work/jobs.ts"
import { login } from "./commands/setup/login.ts"
import { logout } from "./commands/setup/logout.ts"
import { mcp } from "./commands/setup/mcp.ts"
import { model } from "./commands/setup/model.ts"
import { name } from "./commands/session/name.ts"
import { newSession } from "./commands/session/new.ts"
import { output } from "./commands/work/output.ts"
import { permissions } from "./commands/setup/permissions.ts"
import { plan } from "./commands/work/plan.ts"
import { quit } from "./commands/help/quit.ts"
import { redo } from "./commands/work/redo.ts"
import { reload } from "./commands/session/reload.ts"
import { resume } from "./commands/session/resume.ts"
import { session } from "./commands/session/session.ts"
import { settings } from "./commands/setup/settings.ts"
import { share } from "./commands/session/share.ts"
import { skills } from "./commands/setup/skills.ts"
import { tasks } from "./commands/work/tasks.ts"
import { theme } from "./commands/setup/theme.ts"
import { tools } from "./commands/setup/tools.ts"
import { tree } from "./commands/session/tree.ts"
import { trust } from "./commands/setup/trust.ts"
import { undo } from "./commands/work/undo.ts"

/** Gong's own commands, by name; also the source of `/help` and docs/commands.md. */
export const slashCommands: readonly SlashCommand[] = [
  bug,
  changelog,
  compact,
  context,
  copy,
  cost,
  diff,
  exportTo,
  fork,
  help,
  hotkeys,
  init,
  jobs,
  login,
  logout,
  mcp,
  memory,
  model,
  name,
  newSession,
  output,
  permissions,
  plan,
  quit,
  redo,
  reload,
  resume,
  session,
  settings,
  share,
  skills,
  tasks,
  theme,
  tools,
  tree,
  trust,
  undo,
]

export function ownCommand(name: string): SlashCommand | undefined {
  return slashCommands.find((one) => one.name === name.toLowerCase())
}

export function aliasedCommand(name: string): SlashCommand | undefined {
  return slashCommands.find(({ aliases = [] }) => aliases.includes(name.toLowerCase()))
}

const order: readonly ListedCommand["source"][] = ["builtin", "extension", "prompt", "skill"]

/** All commands, each name once: Gong's own before those of extensions, templates and skills. */
export function listCommands(others: readonly OtherCommand[]): readonly ListedCommand[] {
  const own = slashCommands.map(({ name: word, aliases, about, value }) => {
    const more = { ...(aliases && { aliases }), ...(value !== undefined && { value }) }
    return { name: word, about, ...more, source: "builtin" as const }
  })
  const all: readonly ListedCommand[] = [...own, ...others]
  const sorted = all.toSorted((a, b) => order.indexOf(a.source) - order.indexOf(b.source))
  const byName = new Map<string, ListedCommand>()
  for (const one of sorted) if (!byName.has(one.name)) byName.set(one.name, one)
  return [...byName.values()]
}
