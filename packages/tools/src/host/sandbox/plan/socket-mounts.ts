import type { Host } from "@gong/spec"
import { join } from "../../../posix-path.ts"
import { hidden, type Mount } from "./mount.ts"
import type { SandboxOptions } from "../options.ts"
import { createSocketList, type RunningNamespaces } from "./sockets.ts"

/**
 * Mounts that hide sockets outside of `/run`, because a command could use the rights of another process through its
 * socket. Real paths of existing sockets.
 */
export function createSocketMounts(
  host: Host,
  options: SandboxOptions,
): (running: RunningNamespaces) => Promise<readonly Mount[]> {
  const { roots, revealed, uid } = options
  const real = async (path: string) => host.realpath(path).catch(() => null)
  let sockets: ReturnType<typeof createSocketList> | undefined
  return async (running) => {
    const temp = await real(host.tmp)
    // Other programs of the machine have sockets in the temp folder too.
    sockets ??= createSocketList(host, [...roots.filter((root) => root !== temp), ...revealed])
    const folders = await Promise.all([...new Set(["/tmp", host.tmp])].map(real))
    const terminals = await Promise.all(folders.map((folder) => terminalFolder(host, folder, uid)))
    return [
      ...terminals.flatMap((path): readonly Mount[] => (path === null ? [] : [{ how: "private", path }])),
      ...(await sockets(running)).map(hidden),
    ]
  }
}

/**
 * The folder in which tmux keeps its sockets, through which a command could type into terminals. Only a real folder
 * counts: anything else with this name may belong to another user, and must not become a mount.
 */
async function terminalFolder(host: Host, temp: string | null, uid: number | null): Promise<string | null> {
  if (temp === null || uid === null) return null
  const path = join(temp, `tmux-${uid}`)
  const found = await host.stat(path, { link: true }).catch(() => null)
  return found?.kind === "directory" ? path : null
}
