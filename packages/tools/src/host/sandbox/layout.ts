import type { Host } from "@gong/spec"
import { isInside, join } from "../../posix-path.ts"
import { caches } from "./caches.ts"
import { gitParts } from "./git.ts"
import type { Layout, Mount } from "./mount.ts"
import type { SandboxOptions } from "./options.ts"

/** Over these sockets a command could have another process act for it, with all of that one's rights. */
const doors = ["/run/docker.sock", "/run/podman/podman.sock", "/run/containerd/containerd.sock"]

/** Looks at what is there before each command; what names alone decide is worked out once. */
export function createLayout(host: Host, options: SandboxOptions): () => Promise<Layout> {
  const { tier, hidden, uid } = options
  const base = tier === "workspace" ? workspaceLayout(host, options) : async () => readOnlyLayout(host, options)
  const closed: readonly Mount[] = [
    ...[...hidden, ...doors].map((path): Mount => ({ how: "hidden", path })),
    ...(uid === null ? [] : userDoors(host, uid)),
  ]
  return async () => {
    const found = await base()
    return { ...found, mounts: [...found.mounts, ...closed] }
  }
}

function workspaceLayout(host: Host, options: SandboxOptions): () => Promise<Layout> {
  const { roots, kept, own: name, blank } = options
  const usual: readonly Mount[] = [
    ...outermost(roots).map(writable),
    ...kept.map(readOnly),
    ...roots.filter((root) => isWithin(kept, root)).map(writable),
    ...cacheMounts(host),
  ]
  return async () => {
    const temp = await host.realpath(host.tmp).catch(() => host.tmp)
    const projects = roots.filter((root) => root !== temp)
    const git = await Promise.all(projects.map((root) => gitParts(host, root, roots)))
    const own = await Promise.all(projects.map((root) => ownFolder(host, join(root, name), blank)))
    return {
      mounts: [...usual, ...own, ...git.flatMap(({ mounts }) => mounts)],
      made: [...own.map(({ path }) => path), ...git.flatMap(({ made }) => made)],
      unwanted: git.flatMap(({ unwanted }) => unwanted),
    }
  }
}

/** What is not there could be made, and an empty folder git would try to clean away. */
async function ownFolder(host: Host, path: string, blank: string): Promise<Mount> {
  const found = await host.stat(path, { link: true })
  const isFolder = found?.kind === "directory"
  const bare = found === null || (isFolder && (await host.readdir(path).catch(() => [])).length === 0)
  return bare ? { how: "shown", path, from: blank } : readOnly(path)
}

/** A worktree of Gong's own may lie in its home. */
function isWithin(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => folder !== path && isInside(folder, path))
}

/** A root inside another needs nothing of its own; the workspace always gets it: what is laid there cannot be moved away. */
function outermost(roots: readonly string[]): readonly string[] {
  const covered = (root: string, at: number) => at > 0 && roots.some((other) => other !== root && isInside(other, root))
  return roots.filter((root, at) => !covered(root, at)).toSorted()
}

/** Writable, but for the folders in them from which programs are started by name. */
function cacheMounts(host: Host): readonly Mount[] {
  const folders = pathFolders(host)
  return caches.flatMap((name) => {
    const cache = join(host.home, name)
    const programs = folders.filter((folder) => isInside(cache, folder))
    return programs.includes(cache) ? [] : [writable(cache), readOnly(join(cache, "bin")), ...programs.map(readOnly)]
  })
}

/** The home is hidden but for the roots and what the programs in the PATH need. */
function readOnlyLayout(host: Host, { roots }: SandboxOptions): Layout {
  const homes = host.home === "/" ? [] : [host.home]
  const empty = ["/tmp", "/var/tmp", host.tmp, ...homes].map((path): Mount => ({ how: "empty", path }))
  const programs = pathFolders(host).filter((folder) => homes.some((home) => isInside(home, folder)))
  const shown = [
    ...programs.map((folder) => installationOf(host.home, folder)),
    ...roots.filter((one) => one !== host.tmp),
  ]
  return { mounts: [...empty, ...shown.toSorted().map(readOnly)], made: [], unwanted: [] }
}

/** `~/.nvm/versions/node/v24/bin` needs what lies beside it; `~/.local/bin` must not show all of `~/.local`. */
function installationOf(home: string, folder: string): string {
  const names = folder.slice(home.length + 1).split("/")
  return names.length > 2 && names.at(-1) === "bin" ? join(folder, "..") : folder
}

function pathFolders(host: Host): readonly string[] {
  const folders = (host.env["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"))
  return [...new Set(folders.map((folder) => join(folder, ".")))].filter((folder) => folder !== host.home)
}

/** The user's session bus and service manager, and terminals that could be typed into. */
function userDoors(host: Host, uid: number): readonly Mount[] {
  const folders = [`/run/user/${uid}`, "/run/screen", `/tmp/tmux-${uid}`, join(host.tmp, `tmux-${uid}`)]
  return [...new Set(folders)].map((path) => ({ how: "empty", path }))
}

function writable(path: string): Mount {
  return { how: "writable", path }
}

function readOnly(path: string): Mount {
  return { how: "read-only", path }
}
