import type { Host } from "@gong/spec"

/** The shell for commands given as text: the first bash found, never sh. */
export async function findShell(host: Pick<Host, "which">): Promise<string> {
  return (await host.which("/bin/bash")) ?? (await host.which("bash", { own: true })) ?? "/bin/bash"
}
