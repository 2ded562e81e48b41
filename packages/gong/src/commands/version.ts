import { createLocalHost } from "@gong/tools/host/local"
import { findRipgrep } from "@gong/tools/host/ripgrep"
import { signalAfter } from "@gong/app/ports"
import type { World } from "../world.ts"

/** `gong --version --json`. */
export async function versionJson(world: World): Promise<string> {
  const { version, platform, node } = world
  const rg = await ripgrep(world)
  return `${JSON.stringify({ version, node, rg: rg?.version ?? null, platform })}\n`
}

/** Where the search program is and what it says of itself; null when there is none that runs. */
export async function ripgrep(world: World): Promise<{ readonly path: string; readonly version: string } | null> {
  const host = createLocalHost({ cwd: world.cwd, env: world.env })
  const path = await findRipgrep(host)
  if (path === null) return null
  const parts: Uint8Array[] = []
  const signal = signalAfter(5_000)
  await host.exec([path, "--version"], {
    cwd: world.cwd,
    signal,
    onData: (bytes) => void parts.push(new Uint8Array(bytes)),
  })
  const version = /ripgrep (\S+)/.exec(Buffer.concat(parts).toString())?.[1]
  return version === undefined ? null : { path, version }
}
