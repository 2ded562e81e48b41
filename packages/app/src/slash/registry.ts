import type { ListedCommand, OtherCommand, SlashCommand } from "./command.ts"
import { changelog } from "./commands/changelog.ts"
import { compact } from "./commands/compact.ts"
import { context } from "./commands/context.ts"
import { copy } from "./commands/copy.ts"
import { cost } from "./commands/cost.ts"
import { diff } from "./commands/diff.ts"
import { exportTo } from "./commands/export.ts"
import { fork } from "./commands/fork.ts"
import { help } from "./commands/help.ts"
import { hotkeys } from "./commands/hotkeys.ts"
import { init } from "./commands/init.ts"
import { login } from "./commands/login.ts"
import { logout } from "./commands/logout.ts"
import { model } from "./commands/model.ts"
import { name } from "./commands/name.ts"
import { newSession } from "./commands/new.ts"
import { permissions } from "./commands/permissions.ts"
import { plan } from "./commands/plan.ts"
import { quit } from "./commands/quit.ts"
import { redo } from "./commands/redo.ts"
import { reload } from "./commands/reload.ts"
import { resume } from "./commands/resume.ts"
import { session } from "./commands/session.ts"
import { settings } from "./commands/settings.ts"
import { share } from "./commands/share.ts"
import { skills } from "./commands/skills.ts"
import { tools } from "./commands/tools.ts"
import { tree } from "./commands/tree.ts"
import { trust } from "./commands/trust.ts"
import { undo } from "./commands/undo.ts"

/** Gong's own commands, by name: what runs them, completes them, and fills `/help` and docs/commands.md. */
export const slashCommands: readonly SlashCommand[] = [
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
  login,
  logout,
  model,
  name,
  newSession,
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
  tools,
  tree,
  trust,
  undo,
]

const order: readonly ListedCommand["source"][] = ["builtin", "extension", "prompt", "skill"]

/** All that a slash may begin, each name once: Gong's own before those of extensions, templates and skills. */
export function listCommands(others: readonly OtherCommand[]): readonly ListedCommand[] {
  const own = slashCommands.map(({ name: word, about, value }) => {
    const follows = value === undefined ? {} : { value }
    return { name: word, about, ...follows, source: "builtin" as const }
  })
  const all: readonly ListedCommand[] = [...own, ...others]
  const sorted = all.toSorted((a, b) => order.indexOf(a.source) - order.indexOf(b.source))
  const byName = new Map<string, ListedCommand>()
  for (const one of sorted) if (!byName.has(one.name)) byName.set(one.name, one)
  return [...byName.values()]
}
