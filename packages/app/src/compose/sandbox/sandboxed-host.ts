import { realpathSync } from "node:fs"
import { join } from "node:path"
import { type Host, ownFolder } from "@gong/spec"
import type { NetworkPorts } from "@gong/tools/host/gateway"
import { must } from "@gong/config/usage"
import { systemClock } from "../../ports.ts"
import { attempted } from "./attempted.ts"
import type { SandboxDeps } from "./available-sandbox.ts"
import { nsenterPath } from "./programs.ts"
import { readRevealed, type Sandbox } from "./sandbox.ts"
import { pruneInBackground, toolCaches } from "./tool-caches.ts"

/** The host with sandboxed commands. */
export async function sandboxedHost(
  host: Host,
  deps: SandboxDeps,
  sandbox: Sandbox,
  network: NetworkPorts,
): Promise<Host> {
  const { services, spec, config } = deps
  if (sandbox.mode === "off" || sandbox.bwrap === null) return host
  const { createSandboxedHost } = await import("@gong/tools/host/sandbox")
  const { unsandboxedGit } = await import("@gong/policy/git/unsandboxed-git")
  const { plainGitFetch } = await import("@gong/policy/git/plain-git-fetch")
  const { autorun } = await import("@gong/policy/sensitive/autorun")
  const { home, workspace } = config
  const { hiddenSecrets } = await import("./secrets.ts")
  const revealed = must(await readRevealed(deps))
  const real = attempted(() => realpathSync(home)) ?? home
  const caches = toolCaches(real, workspace.repository)
  pruneInBackground(real, systemClock.now())
  const gateway = async (bwrap: string) => {
    const { createGateway } = await import("@gong/tools/host/gateway")
    const folder = join(real, "cache", "network")
    return createGateway({ bwrap, nsenter: nsenterPath() ?? "", uid: services.uid, network, folder, env: host.env })
  }
  return createSandboxedHost(host, {
    tier: sandbox.mode,
    bwrap: sandbox.bwrap.path,
    features: sandbox.bwrap.features,
    roots: workspace.roots,
    kept: [real],
    hidden: [join(real, "auth.json"), join(real, "mcp.json")],
    secrets: hiddenSecrets(services, revealed),
    revealed: revealed.paths.map((path) => attempted(() => realpathSync(path)) ?? path),
    variables: [...config.settings.values["env.allow"], ...(spec.env ?? [])],
    // New files with these names would control the next session.
    autorun: [...autorun.flatMap(({ names }) => names), ownFolder],
    caches,
    // In another folder a command could have created a repository for git to find, with its own hooks and settings.
    ...(workspace.git && workspace.cwd === workspace.folder ? { outside: unsandboxedGit } : {}),
    fetches: plainGitFetch,
    network: sandbox.network !== "off",
    gateway: sandbox.network === "hosts" ? await gateway(sandbox.bwrap.path) : null,
    uid: services.uid,
  })
}
