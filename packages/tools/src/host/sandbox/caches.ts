import type { Host } from "@gong/spec"
import { join } from "../../posix-path.ts"

const anyone = "*"

/** What package managers keep for all projects, in the home, and the program that says whether it is missed. */
const owners: Readonly<Record<string, string | null>> = {
  ".npm": "npm",
  ".cache": anyone,
  ".cargo/registry": "cargo",
  ".cargo/git": "cargo",
  "go/pkg": "go",
  ".gradle": "gradle",
  ".m2/repository": "mvn",
  ".local/share/pnpm": "pnpm",
  ".local/share/pnpm/store": "pnpm",
  ".bun/install": "bun",
  "Library/Caches": null,
  ".nuget/packages": "dotnet",
}

/** Paths from the home. */
export const caches: readonly string[] = Object.keys(owners)

/**
 * Makes those whose program is here: in a home that it has not been used in yet it could not do so from inside. They stay,
 * as they do when the program makes them. One that cannot be made is left out, as if it were not wanted.
 */
export async function makeCaches(host: Host): Promise<void> {
  const home = await host.realpath(host.home).catch(() => null)
  if (home === null) return
  for (const [cache, owner] of Object.entries(owners)) {
    const path = join(home, cache)
    if (owner === null || (await host.stat(path).catch(() => null)) !== null) continue
    if (owner === anyone || (await host.which(owner)) !== null) await host.mkdir(path).catch(() => undefined)
  }
}
