import { basename, resolve } from "node:path"
import { projectFolders, type Trusted } from "@gong/spec"
import type { HookPlace, RunnableCommand } from "@gong/extensions/hooks/command-hook"
import type { HookCommand } from "@gong/extensions/hooks/parse"
import { pinnedCommand } from "@gong/extensions/hooks/pinned-command"
import { isRunnable, type Runnable, runnableCopies } from "@gong/config/trust/runnable"
import type { Config } from "../config.ts"
import { pruneInBackground } from "../sandbox/tool-caches.ts"
import type { Translate } from "@gong/texts/translator"

/**
 * Makes the commands of hooks runnable. Hooks of a folder run outside of the sandbox, so a script that a sandboxed command has
 * changed would escape from it. They therefore run copies of their scripts in the trusted version.
 */
export async function runnableCommands(
  t: Translate,
  config: Pick<Config, "home" | "hooks" | "trusted" | "workspace">,
  now: number,
): Promise<HookPlace["runnable"]> {
  const { home, hooks, trusted, workspace } = config
  const unchanged = async ({ command }: HookCommand): Promise<RunnableCommand> => ({ ok: true, command, tell: null })
  if (trusted === null) return unchanged
  const isOfFolder = ({ from }: HookCommand) => from.startsWith(`${trusted.root}/`)
  const pinned = (of: HookCommand, copyOf: (path: string) => string | null) =>
    pinnedCommand(of.command, { root: workspace.folder, cwd: workspace.cwd, resolve, copyOf })
  const scriptsOf = (of: HookCommand): readonly string[] => {
    const found: string[] = []
    pinned(of, (path) => {
      if (isRunnable(trusted, path)) found.push(path)
      return null
    })
    return found
  }
  const scripts = hooks.filter(isOfFolder).flatMap(scriptsOf)
  const copied: Runnable = scripts.length === 0 ? noCopies : await runnableCopies(t, home, trusted, scripts, now)
  if (scripts.length > 0) pruneInBackground(home, now)
  const reported = new Set<string>()
  return async (of) => {
    if (!isOfFolder(of)) return unchanged(of)
    const own = scriptsOf(of)
    if (!copied.ok && own.length > 0) return copied
    const copies = copied.ok ? copied.copies : noCopies.copies
    const changed = await changedFile(t, trusted, of, copies)
    if (changed !== null) return { ok: false, problem: changed }
    const command = pinned(of, (path) => copies.get(path) ?? null)
    const old = await firstChanged(
      trusted,
      own.filter((path) => !reported.has(path)),
    )
    if (old !== undefined) reported.add(old)
    return { ok: true, command, tell: old === undefined ? null : trustedVersionText(t, old) }
  }
}

const noCopies = { ok: true, copies: new Map<string, string>() } as const

async function firstChanged(trusted: Trusted, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (!(await trusted.readBytes(path)).ok) return path
  return undefined
}

function trustedVersionText(t: Translate, path: string): string {
  return t`${path} changed since this folder was trusted; it is run as it was (gong trust shows it)`
}

/** Files that the command names, and that are not copied: they are compared right before it runs. */
async function changedFile(
  t: Translate,
  trusted: Trusted,
  { command }: HookCommand,
  copies: ReadonlyMap<string, string>,
): Promise<string | null> {
  const isNamed = (path: string) =>
    command.includes(basename(path)) || projectFolders.some((folder) => path.startsWith(`${folder}/hooks/`))
  for (const path of [...trusted.files.keys()].filter((one) => isNamed(one) && !copies.has(one))) {
    const found = await trusted.read(path)
    if (!found.ok) return t`${path} ${found.problem}; gong trust shows it`
  }
  return null
}
