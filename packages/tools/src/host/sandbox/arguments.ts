import type { Host } from "@gong/spec"
import type { Mount } from "./mount.ts"

/** What root keeps inside: enough to install packages and to become another user, nothing that reaches the machine. */
const rootsRights = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "NET_BIND_SERVICE", "SETGID", "SETUID"]

/** Root may write to these of a fresh /proc whatever its rights are, and some of them name programs that the kernel runs. */
const machineWide = ["/proc/sys", "/proc/sysrq-trigger", "/proc/fs"]

/** All of it to be seen and nothing to be written to; devices and processes are the sandbox's own. */
const machine = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]

/** The descriptor on which bubblewrap tells whether it has started the command. */
export const STATUS_FD = 3

export interface Confinement {
  readonly bwrap: string
  readonly mounts: readonly Mount[]
  readonly network: boolean
  readonly uid: number | null
}

/** The command line in front of a command's own. Its processes see only each other and end with it, and it ends with us. */
export function bubblewrapArguments({ bwrap, mounts, network, uid }: Confinement): readonly string[] {
  const root = uid === 0
  return [
    bwrap,
    "--unshare-pid",
    "--die-with-parent",
    "--new-session",
    ...(network ? [] : ["--unshare-net"]),
    ...(root ? ["--cap-drop", "ALL", ...rootsRights.flatMap((right) => ["--cap-add", `CAP_${right}`])] : []),
    ...machine,
    ...(root ? machineWide.flatMap((path) => ["--ro-bind-try", path, path]) : []),
    ...mounts.flatMap(argumentsOf),
    "--json-status-fd",
    String(STATUS_FD),
    "--",
  ]
}

function argumentsOf(mount: Mount): readonly string[] {
  const { path } = mount
  switch (mount.how) {
    case "writable":
      return ["--bind", path, path]
    case "read-only":
      return ["--ro-bind", path, path]
    case "shown":
      return ["--ro-bind", mount.from, path]
    case "empty":
      return ["--tmpfs", path]
    case "hidden":
      return ["--ro-bind", "/dev/null", path]
  }
}

/** With links followed and without what is not there. */
export async function presentMounts(host: Host, mounts: readonly Mount[]): Promise<readonly Mount[]> {
  const isThere = async (path: string) => (await host.stat(path).catch(() => null)) !== null
  const found = await Promise.all(
    mounts.map(async (mount): Promise<readonly Mount[]> => {
      // Asked first because most are not there, and that is no error worth making.
      if (!(await isThere(mount.path))) return []
      const path = await host.realpath(mount.path)
      const bare = mount.how === "shown" && !(await isThere(mount.from))
      return [bare ? { how: "read-only", path } : { ...mount, path }]
    }),
  )
  return found.flat()
}
