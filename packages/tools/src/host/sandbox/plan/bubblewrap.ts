import type { Host } from "@gong/spec"
import { dirname } from "../../../posix-path.ts"
import { callFilter } from "../system-calls/filter.ts"
import { innermost, type Mount } from "./mount.ts"
import type { SandboxFeatures } from "../options.ts"

/**
 * The capabilities of root inside: enough to install packages and to become another user, none that affects the
 * machine.
 */
const rootsRights = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "NET_BIND_SERVICE", "SETGID", "SETUID"]

/**
 * Root may write to these in a new /proc regardless of capabilities. bubblewrap itself makes `sysrq-trigger`, `irq` and
 * `bus` read-only.
 */
const machineWide = ["/proc/sys", "/proc/fs"]

/** The whole machine, read-only; devices and processes belong to the sandbox. */
const machine = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]

/** The descriptor on which bubblewrap reports whether it started the command. */
export const STATUS_FD = 3

const INPUTS_FD = 4

export interface Confinement {
  readonly bwrap: string
  readonly mounts: readonly Mount[]
  /** Folders that are locked while the sandbox runs. */
  readonly locked: readonly string[]
  readonly network: boolean
  readonly uid: number | null
  readonly features: SandboxFeatures
}

export interface BubblewrapCall {
  /** The command line before the command itself. */
  readonly argv: readonly string[]
  /** Inputs for descriptors 4, 5, and so on. */
  readonly inputs: readonly Uint8Array[]
}

/**
 * The processes of a command see only each other. They end with the command, and it ends with this process. System V
 * shared memory and POSIX message queues are private too.
 */
export function bubblewrapCall({ bwrap, mounts, locked, network, uid, features }: Confinement): BubblewrapCall {
  const root = uid === 0
  const filter = features.filter ? callFilter(process.arch) : null
  const inputs: Uint8Array[] = []
  const input = (bytes: Uint8Array) => String(INPUTS_FD + inputs.push(bytes) - 1)
  const argv = [
    bwrap,
    "--unshare-pid",
    "--unshare-ipc",
    "--die-with-parent",
    "--new-session",
    ...(network ? [] : ["--unshare-net"]),
    ...(root ? ["--cap-drop", "ALL", ...rootsRights.flatMap((right) => ["--cap-add", `CAP_${right}`])] : []),
    ...machine,
    ...(root ? machineWide.flatMap((path) => ["--ro-bind-try", path, path]) : []),
    ...mounts.flatMap((mount) => argumentsOf(mount, { features, input })),
    // After everything mounted inside them.
    ...mounts.flatMap(({ how, path }) => (how === "bare" ? ["--remount-ro", path] : [])),
    ...locked.flatMap((folder) => ["--lock-file", folder]),
    ...(filter === null ? [] : ["--seccomp", input(filter)]),
    "--json-status-fd",
    String(STATUS_FD),
    "--",
  ]
  return { argv, inputs }
}

interface Means {
  readonly features: SandboxFeatures
  /** Returns the descriptor from which bubblewrap reads these bytes. */
  input(bytes: Uint8Array): string
}

function argumentsOf(mount: Mount, { features, input }: Means): readonly string[] {
  const { path } = mount
  switch (mount.how) {
    case "writable":
      return ["--bind", path, path]
    case "read-only":
      return ["--ro-bind", path, path]
    case "own":
      return ["--bind", mount.from, path]
    case "shown":
      return ["--ro-bind", mount.from, path]
    case "empty":
    case "bare":
      return ["--tmpfs", path]
    case "text":
      return ["--ro-bind-data", input(new TextEncoder().encode(mount.text)), path]
    case "private":
      return [...(features.modes ? ["--perms", "0700"] : []), "--tmpfs", path]
    case "hidden":
      return ["--ro-bind", "/dev/null", path]
  }
}

/** Outer mounts first, because a mount hides earlier ones inside it. Mounts inside a hidden path are dropped. */
export function inOrder(mounts: readonly Mount[]): readonly Mount[] {
  const last = [...new Map(mounts.map((mount) => [mount.path, mount])).values()]
  const shown = new Set(mounts.filter(({ how }) => how === "read-only").map(({ path }) => path))
  const isNeeded = ({ how, path }: Mount) => {
    if (how !== "hidden" && how !== "private" && how !== "bare" && how !== "text") return true
    const over = innermost(last, dirname(path))?.how
    // Visible parts of the user's cache were checked to fit.
    if (over === "own" && how === "text") return shown.has(path)
    return over === undefined || over === "writable" || over === "read-only"
  }
  return last.filter(isNeeded).toSorted((a, b) => a.path.split("/").length - b.path.split("/").length)
}

/** Resolves links and drops missing paths. */
export async function presentMounts(host: Host, mounts: readonly Mount[]): Promise<readonly Mount[]> {
  const isThere = async (path: string) => (await host.stat(path).catch(() => null)) !== null
  const found = await Promise.all(
    mounts.map(async (mount): Promise<readonly Mount[]> => {
      // Checked first, because most are missing and an error would be expensive.
      if (!(await isThere(mount.path))) return []
      const path = await host.realpath(mount.path)
      if (!("from" in mount) || (await isThere(mount.from))) return [{ ...mount, path }]
      return [{ how: mount.how === "own" ? "empty" : "read-only", path }]
    }),
  )
  return found.flat()
}
