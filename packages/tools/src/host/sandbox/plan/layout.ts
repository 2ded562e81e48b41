import type { Host } from "@gong/spec"
import { isInside } from "../../../posix-path.ts"
import { installationOf, pathFolders } from "../caches/caches.ts"
import { gitMounts } from "../git/git-mounts.ts"
import { createNamedPaths } from "../git/git-settings.ts"
import { foldersAbove, protect, type BaseMounts } from "./protect.ts"
import { hidden, mergeLayouts, type Layout, type Mount, readOnly, writable } from "./mount.ts"
import { privateCaches, type PrivateCaches } from "../caches/private-caches.ts"
import type { SandboxOptions } from "../options.ts"
import type { AskGit } from "../git/ask-git.ts"

/** `readOnlyPaths`: real paths in the roots that are protected. */
type LayoutFor = (readOnlyPaths: readonly string[]) => Promise<Layout>

/** Computed before each command; results that depend only on names are cached. */
export function createLayout(host: Host, options: SandboxOptions, ask: AskGit): LayoutFor {
  const { tier } = options
  const base = tier === "workspace" ? workspaceLayout(host, options, ask) : async () => readOnlyLayout(host, options)
  const closed = options.hidden.map(hidden)
  return async (readOnlyPaths) => {
    const found = await base(readOnlyPaths)
    return { ...found, mounts: [...found.mounts, ...closed] }
  }
}

function workspaceLayout(host: Host, options: SandboxOptions, ask: AskGit): LayoutFor {
  const { roots, kept } = options
  const [outer, inner] = [outermost(roots), roots.filter((root) => isWithin(kept, root))]
  const known: BaseMounts = { writable: [...outer, ...inner], others: kept }
  const namedPaths = createNamedPaths(ask, host.home)
  // Folders between a root and a path inside it. Without mounts of their own they could be renamed together with it.
  const around = (paths: readonly string[]): readonly Mount[] => {
    return paths.flatMap((path) => foldersAbove(path, known) ?? []).map(writable)
  }
  const usual: readonly Mount[] = [
    ...outer.map(writable),
    ...around([...kept, ...roots]),
    ...kept.map(readOnly),
    ...inner.map(writable),
  ]
  let found: Promise<PrivateCaches> | undefined
  return async (readOnlyPaths) => {
    const caches = await (found ??= privateCaches(host, options))
    const temp = await host.realpath(host.tmp).catch(() => host.tmp)
    const places: BaseMounts = { ...known, others: [...kept, ...caches.paths] }
    const projects = roots.filter((root) => root !== temp)
    const git = await Promise.all(projects.map((root) => gitMounts(root, { host, places, namedPaths })))
    const within = roots.filter((root) => isWithin(caches.paths, root)).map(writable)
    const mounts = [...around(caches.paths), ...usual, ...(await caches.mounts()), ...within]
    return mergeLayouts([{ mounts }, ...readOnlyPaths.map((path) => protect(path, places)), ...git])
  }
}

/** A worktree of Gong may be in its home. */
function isWithin(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => folder !== path && isInside(folder, path))
}

/**
 * A root inside another root needs no mount of its own. The workspace always gets one, because a mount point cannot be
 * renamed.
 */
function outermost(roots: readonly string[]): readonly string[] {
  const covered = (root: string, at: number) => at > 0 && roots.some((other) => other !== root && isInside(other, root))
  return roots.filter((root, at) => !covered(root, at)).toSorted()
}

/** Hides the home except the roots and what programs in the PATH need. */
function readOnlyLayout(host: Host, { roots }: SandboxOptions): Layout {
  const homes = host.home === "/" ? [] : [host.home]
  const empty = ["/tmp", "/var/tmp", host.tmp, ...homes].map((path): Mount => ({ how: "empty", path }))
  const programs = pathFolders(host).filter((folder) => homes.some((home) => isInside(home, folder)))
  const shown = [
    ...programs.map((folder) => installationOf(host.home, folder)),
    ...roots.filter((one) => one !== host.tmp),
  ]
  return mergeLayouts([{ mounts: [...empty, ...shown.toSorted().map(readOnly)] }])
}
