import { createLocalHost } from "@gong/tools/host/local"
import { findRipgrep } from "@gong/tools/host/ripgrep"
import { signalAfter } from "@gong/app/ports"
import type { Cli } from "../cli.ts"

/** `gong --version --json`. */
export async function versionJson(cli: Cli): Promise<string> {
  const { version, platform, node } = cli
  const rg = await ripgrep(cli)
  return `${JSON.stringify({ version, node, rg: rg?.version ?? null, platform })}\n`
}

/** Where the search program is and what it says of itself; null when there is none that runs. */
export async function ripgrep(cli: Cli): Promise<{ readonly path: string; readonly version: string } | null> {
  const host = createLocalHost({ cwd: cli.cwd, env: cli.env })
  const path = await findRipgrep(host)
  if (path === null) return null
  const parts: Uint8Array[] = []
  const signal = signalAfter(5_000)
  await host.exec([path, "--version"], {
    cwd: cli.cwd,
    signal,
    onData: (bytes) => void parts.push(new Uint8Array(bytes)),
  })
  const version = /ripgrep (\S+)/.exec(Buffer.concat(parts).toString())?.[1]
  return version === undefined ? null : { path, version }
}
