import type { Host } from "@gong/spec"
import { basename, join } from "../../posix-path.ts"
import type { Layout } from "./mount.ts"

const nothing: Layout = { mounts: [], made: [], unwanted: [] }

/** A link to a git folder is one short line. */
const LINK_MAX_BYTES = 8192

/**
 * What decides which programs git runs, here and later outside: its hooks and settings. It stays as it is, and so does where
 * git finds it. Repositories inside the root are their own: a command that makes one decides over it.
 */
export async function gitParts(host: Host, root: string, roots: readonly string[]): Promise<Layout> {
  if (basename(root) === ".git") return folderParts(host, root, roots)
  const place = join(root, ".git")
  const found = await host.stat(place, { link: true })
  if (found?.kind === "directory") return folderParts(host, place, roots)
  return found?.kind === "file" ? linkParts(host, root, place) : nothing
}

async function folderParts(host: Host, folder: string, roots: readonly string[]): Promise<Layout> {
  const shared = join(folder, "commondir")
  const linked = (await host.stat(shared)) !== null
  const hooks = join(folder, "hooks")
  const settings = [hooks, join(folder, "config"), join(folder, "config.worktree"), shared]
  return {
    mounts: [
      // A place of its own cannot be moved away to put another in its stead.
      ...(roots.includes(folder) ? [] : [{ how: "writable", path: folder } as const]),
      ...settings.map((path) => ({ how: "read-only", path }) as const),
    ],
    made: [hooks],
    // With this file in it, git would take its settings from wherever it says.
    unwanted: linked ? [] : [shared],
  }
}

/** A linked worktree: the line that leads to its git folder, and the one there that leads on to the shared one. */
async function linkParts(host: Host, root: string, place: string): Promise<Layout> {
  const text = Buffer.from(await host.readRange(place, 0, LINK_MAX_BYTES)).toString()
  const to = /^gitdir: (.+)$/m.exec(text)?.[1]
  const folder = to === undefined ? null : to.startsWith("/") ? to : join(root, to)
  const inFolder = folder === null ? [] : [join(folder, "commondir"), join(folder, "config.worktree")]
  return { ...nothing, mounts: [place, ...inFolder].map((path) => ({ how: "read-only", path })) }
}
