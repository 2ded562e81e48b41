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
 * Whether a git command may run outside the sandbox: a push runs hooks of its target, so the target must be a remote
 * from the settings, which commands cannot change. Any other name is a path. True for all commands except push.
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

/** Whether a fetch or pull has a source that no sandboxed command could have written. */
export async function fetchesFromOutside([, , ...rest]: readonly string[], place: PushPlace): Promise<boolean> {
  const { ask, cwd, options } = place
  const settings = wordsOf(await ask(cwd, ["config", "--list", "-z"]))
  const branch = (await ask(cwd, ["symbolic-ref", "--short", "-q", "HEAD"]))?.trim() ?? ""
  const usual = settings.findLast((one) => one.startsWith(`branch.${branch}.remote\n`))?.split("\n")[1]
  const remote = rest.find((word) => !word.startsWith("-")) ?? usual ?? "origin"
  if (!settings.some((one) => one.startsWith(`remote.${remote}.url\n`))) return false
  return allOutside(await ask(cwd, ["remote", "get-url", "--all", remote]), { cwd, options })
}

/** URLs, one per line. */
function allOutside(answer: string | null, { cwd, options }: Pick<PushPlace, "cwd" | "options">): boolean {
  const urls = answer?.split("\n").slice(0, -1) ?? []
  return urls.length > 0 && urls.every((url) => remoteAddress.test(url) || isOutside(url, cwd, options.roots))
}

/** The default of `git push`: git-config(1), `branch.<name>.pushRemote`. */
function defaultRemote(settings: readonly string[], branch: string): string {
  const names = [`branch.${branch}.pushremote`, "remote.pushdefault", `branch.${branch}.remote`]
  const values = names.map((name) => settings.findLast((one) => one.startsWith(`${name}\n`))?.slice(name.length + 1))
  return values.find((value) => value !== undefined) ?? "origin"
}

/** A local folder that commands cannot write to. False if the URL is not clearly a path. */
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
