import { createLocalHost } from "@gong/tools/host/local"
import { findRipgrep } from "@gong/tools/host/ripgrep"
import { signalAfter } from "@gong/app/ports"
import type { Services } from "@gong/app/services"

/** `gong --version --json`. */
export async function versionJson(services: Services): Promise<string> {
  const { version, platform, node } = services
  const rg = await ripgrep(services)
  return `${JSON.stringify({ version, node, rg: rg?.version ?? null, platform })}\n`
}

/** The path and version of ripgrep; null if none can be run. */
export async function ripgrep(services: Services): Promise<{ readonly path: string; readonly version: string } | null> {
  const host = createLocalHost({ cwd: services.cwd, env: services.env })
  const path = await findRipgrep(host)
  if (path === null) return null
  const parts: Uint8Array[] = []
  const signal = signalAfter(5_000)
  await host.exec([path, "--version"], {
    cwd: services.cwd,
    signal,
    onData: (bytes) => void parts.push(new Uint8Array(bytes)),
  })
  const version = /ripgrep (\S+)/.exec(Buffer.concat(parts).toString())?.[1]
  return version === undefined ? null : { path, version }
}
