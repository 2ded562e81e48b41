import type { Host } from "@gong/spec"
import { bubblewrapArguments } from "./arguments.ts"

export type Probed = { readonly works: true } | { readonly works: false; readonly reason: string }

/** A sandbox starts in a few milliseconds. */
const PROBE_MAX_MS = 5000

/** Starts the sandbox once, around a program that only says its version. The reason is half a sentence for people. */
export async function probeSandbox(host: Host, bwrap: string, uid: number | null): Promise<Probed> {
  let said = ""
  const argv = [...bubblewrapArguments({ bwrap, mounts: [], network: true, uid }), bwrap, "--version"]
  try {
    const { code } = await host.exec(argv, {
      cwd: "/",
      signal: AbortSignal.timeout(PROBE_MAX_MS),
      onData: (bytes) => void (said += Buffer.from(bytes).toString()),
      onStatus: () => undefined,
    })
    if (code === 0) return { works: true }
    if (code === null) return { works: false, reason: `${bwrap} did not come back` }
    return { works: false, reason: await reasonOf(host, said) }
  } catch (error) {
    return {
      works: false,
      reason: `${bwrap} cannot be run (${error instanceof Error ? error.message : String(error)})`,
    }
  }
}

const blocked =
  /No permissions to creat|Creating new namespace failed|uid map|Failed RTM_NEWADDR|Operation not permitted/i

async function reasonOf(host: Host, said: string): Promise<string> {
  if (!blocked.test(said)) return said.trim().split("\n").at(-1)?.slice(0, 200) ?? "bwrap failed without a word"
  const restricted = await host.readRange("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 0).catch(() => null)
  return restricted?.[0] === "1".charCodeAt(0)
    ? "user namespaces are blocked by AppArmor"
    : "user namespaces are blocked here"
}
