import type { Host } from "@gong/spec"
import { join } from "../../../posix-path.ts"
import { hidden, type Mount } from "./mount.ts"
import type { SandboxOptions } from "../options.ts"
import { createSocketList, type RunningNamespaces } from "./sockets.ts"

/**
 * Mounts that keep commands from services outside of `/run`: over a socket a command could have another process act for it,
 * with all of that one's rights. Real paths of what is there now.
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
    // In the temporary folder the programs of the machine listen too.
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
 * Where tmux looks for terminals that it could type into, and makes its own. It takes a folder only; anything else under the
 * name, as a link to the workspace, may be another user's, and nothing is to be laid over what that means.
 */
async function terminalFolder(host: Host, temp: string | null, uid: number | null): Promise<string | null> {
  if (temp === null || uid === null) return null
  const path = join(temp, `tmux-${uid}`)
  const found = await host.stat(path, { link: true }).catch(() => null)
  return found?.kind === "directory" ? path : null
}
