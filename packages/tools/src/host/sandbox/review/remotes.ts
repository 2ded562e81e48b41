import { realpathSync } from "node:fs"
import { isInside, join } from "../../../posix-path.ts"
import type { SandboxOptions } from "../options.ts"
import { type AskGit, wordsOf } from "../git/ask-git.ts"
import { remoteAddress } from "./settings.ts"

interface PushPlace {
  readonly ask: AskGit
  readonly cwd: string
  readonly options: Pick<SandboxOptions, "roots">
}

/**
 * Whether git in these words, run outside the sandbox, works for no repository that a command could have written: a push runs
 * the hooks of where it leads. It must be a remote of the settings, which commands cannot change; of any other name git makes
 * a path. True for all but a push.
 */
export async function pushesOutside(words: readonly string[], place: PushPlace): Promise<boolean> {
  const [, verb, ...rest] = words
  if (verb !== "push") return true
  const { ask, cwd, options } = place
  const named = rest.find((word) => !word.startsWith("-"))
  const settings = wordsOf(await ask(cwd, ["config", "--list", "-z"]))
  const remote =
    named ?? defaultRemote(settings, (await ask(cwd, ["symbolic-ref", "--short", "-q", "HEAD"]))?.trim() ?? "")
  const known = settings.some(
    (one) => one.startsWith(`remote.${remote}.url\n`) || one.startsWith(`remote.${remote}.pushurl\n`),
  )
  return known && allOutside(await ask(cwd, ["remote", "get-url", "--push", "--all", remote]), { cwd, options })
}

/** Whether a fetch or a pull in these words brings what no command in the sandbox could have written. */
export async function fetchesFromOutside([, , ...rest]: readonly string[], place: PushPlace): Promise<boolean> {
  const { ask, cwd, options } = place
  const settings = wordsOf(await ask(cwd, ["config", "--list", "-z"]))
  const branch = (await ask(cwd, ["symbolic-ref", "--short", "-q", "HEAD"]))?.trim() ?? ""
  const usual = settings.findLast((one) => one.startsWith(`branch.${branch}.remote\n`))?.split("\n")[1]
  const remote = rest.find((word) => !word.startsWith("-")) ?? usual ?? "origin"
  if (!settings.some((one) => one.startsWith(`remote.${remote}.url\n`))) return false
  return allOutside(await ask(cwd, ["remote", "get-url", "--all", remote]), { cwd, options })
}

/** Of addresses, one a line. */
function allOutside(answer: string | null, { cwd, options }: Pick<PushPlace, "cwd" | "options">): boolean {
  const urls = answer?.split("\n").slice(0, -1) ?? []
  return urls.length > 0 && urls.every((url) => remoteAddress.test(url) || isOutside(url, cwd, options.roots))
}

/** Where `git push` without a name goes: git-config(1), `branch.<name>.pushRemote`. */
function defaultRemote(settings: readonly string[], branch: string): string {
  const names = [`branch.${branch}.pushremote`, "remote.pushdefault", `branch.${branch}.remote`]
  const values = names.map((name) => settings.findLast((one) => one.startsWith(`${name}\n`))?.slice(name.length + 1))
  return values.find((value) => value !== undefined) ?? "origin"
}

/** A folder of this machine that no command may write to; false for what is neither that nor plainly a path. */
function isOutside(url: string, cwd: string, roots: readonly string[]): boolean {
  if (!/^(?:file:\/\/)?\.{0,2}\//.test(url)) return false
  const path = url.replace(/^file:\/\//, "")
  try {
    const real = realpathSync.native(path.startsWith("/") ? path : join(cwd, path))
    return !roots.some((root) => isInside(root, real))
  } catch {
    return false
  }
}
