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
 * How the commands of hooks are run. Those that a folder brings run outside of the sandbox: a script of theirs, changed by a
 * command inside it, would carry that command out. So they are run with copies of their scripts, as they were trusted.
 */
export async function runnableOf(
  t: Translate,
  config: Pick<Config, "home" | "hooks" | "trusted" | "workspace">,
  now: number,
): Promise<HookPlace["runnable"]> {
  const { home, hooks, trusted, workspace } = config
  const asItIs = async ({ command }: HookCommand): Promise<RunnableCommand> => ({ ok: true, command, tell: null })
  if (trusted === null) return asItIs
  const isBrought = ({ from }: HookCommand) => from.startsWith(`${trusted.root}/`)
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
  const scripts = hooks.filter(isBrought).flatMap(scriptsOf)
  const kept: Runnable = scripts.length === 0 ? none : await runnableCopies(t, home, trusted, scripts, now)
  if (scripts.length > 0) pruneInBackground(home, now)
  const told = new Set<string>()
  return async (of) => {
    if (!isBrought(of)) return asItIs(of)
    const own = scriptsOf(of)
    if (!kept.ok && own.length > 0) return kept
    const copies = kept.ok ? kept.copies : none.copies
    const changed = await changedSince(t, trusted, of, copies)
    if (changed !== null) return { ok: false, problem: changed }
    const command = pinned(of, (path) => copies.get(path) ?? null)
    const old = await firstChanged(
      trusted,
      own.filter((path) => !told.has(path)),
    )
    if (old !== undefined) told.add(old)
    return { ok: true, command, tell: old === undefined ? null : asItWas(t, old) }
  }
}

const none = { ok: true, copies: new Map<string, string>() } as const

async function firstChanged(trusted: Trusted, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (!(await trusted.readBytes(path)).ok) return path
  return undefined
}

function asItWas(t: Translate, path: string): string {
  return t`${path} changed since this folder was trusted; it is run as it was (gong trust shows it)`
}

/** Other files that it names are no scripts of its own, and are compared right before it runs. */
async function changedSince(
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
