import { type Host, phrase, type Text } from "@gong/spec"
import { bubblewrapCall } from "./plan/bubblewrap.ts"
import { callFilter } from "./system-calls/filter.ts"
import type { SandboxFeatures } from "./options.ts"

export type SandboxProbe =
  | { readonly works: true; readonly features: SandboxFeatures }
  | { readonly works: false; readonly reason: Text }

/** A sandbox usually starts in milliseconds. */
const PROBE_MAX_MS = 5000

/**
 * Starts a sandbox with a program that prints its version. If that fails, tries again without the seccomp filter, which
 * some kernels refuse. The reason is a sentence fragment for the user.
 */
export async function probeSandbox(host: Host, bwrap: string, uid: number | null): Promise<SandboxProbe> {
  const filter = callFilter(process.arch) !== null
  const first = await probe(host, { bwrap, uid, filter })
  if (first.works || !filter) return first
  const second = await probe(host, { bwrap, uid, filter: false })
  return second.works ? second : first
}

interface Attempt {
  readonly bwrap: string
  readonly uid: number | null
  readonly filter: boolean
}

async function probe(host: Host, { bwrap, uid, filter }: Attempt): Promise<SandboxProbe> {
  let output = ""
  const { argv, inputs } = bubblewrapCall({
    bwrap,
    mounts: [],
    locked: [],
    network: true,
    uid,
    features: { filter, modes: false },
  })
  try {
    const { code } = await host.exec([...argv, bwrap, "--version"], {
      cwd: "/",
      signal: AbortSignal.timeout(PROBE_MAX_MS),
      onData: (bytes) => void (output += Buffer.from(bytes).toString()),
      onStatus: () => undefined,
      inputs,
    })
    if (code === 0) return { works: true, features: { filter, modes: hasModes(output) } }
    if (code === null) return { works: false, reason: phrase`${bwrap} did not come back` }
    return { works: false, reason: await reasonOf(host, output) }
  } catch (error) {
    return {
      works: false,
      reason: phrase`${bwrap} cannot be run (${error instanceof Error ? error.message : String(error)})`,
    }
  }
}

/** `--perms` exists since 0.5.0. */
function hasModes(output: string): boolean {
  const [, major = "0", minor = "0"] = /^bubblewrap (\d+)\.(\d+)/m.exec(output) ?? []
  return Number(major) > 0 || Number(minor) >= 5
}

const blocked =
  /No permissions to creat|Creating new namespace failed|uid map|Failed RTM_NEWADDR|Operation not permitted/i

async function reasonOf(host: Host, output: string): Promise<Text> {
  if (!blocked.test(output))
    return output.trim().split("\n").at(-1)?.slice(0, 200) ?? phrase`bwrap failed without a word`
  const restricted = await host.readRange("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 0).catch(() => null)
  return restricted?.[0] === "1".charCodeAt(0)
    ? phrase`user namespaces are blocked by AppArmor`
    : phrase`user namespaces are blocked here`
}
