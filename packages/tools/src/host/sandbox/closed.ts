import type { Host } from "@gong/spec"
import { join } from "../../posix-path.ts"
import { hidden, type Mount } from "./mount.ts"
import type { SandboxOptions } from "./options.ts"
import { createSocketList, type Running } from "./sockets.ts"

/**
 * Mounts that keep commands from services outside of `/run`: over a socket a command could have another process act for it,
 * with all of that one's rights. Real paths of what is there now.
 */
export function createClosed(host: Host, options: SandboxOptions): (running: Running) => Promise<readonly Mount[]> {
  const { roots, revealed, uid } = options
  const real = async (path: string) => host.realpath(path).catch(() => null)
  let sockets: ReturnType<typeof createSocketList> | undefined
  return async (running) => {
    const temp = await real(host.tmp)
    // In the temporary folder the programs of the machine listen too.
    sockets ??= createSocketList(host, [...roots.filter((root) => root !== temp), ...revealed])
    const terminals = await Promise.all(terminalFolders(host, uid).map(real))
    return [
      ...terminals.flatMap((path): readonly Mount[] => (path === null ? [] : [{ how: "private", path }])),
      ...(await sockets(running)).map(hidden),
    ]
  }
}

/** Where tmux looks for terminals that it could type into, and makes its own. */
function terminalFolders(host: Host, uid: number | null): readonly string[] {
  return uid === null ? [] : [...new Set(["/tmp", host.tmp])].map((folder) => join(folder, `tmux-${uid}`))
}
