import type { Host } from "@gong/spec"
import { isInside, join } from "../../posix-path.ts"
import { caches } from "./caches.ts"
import type { SandboxOptions } from "./options.ts"

/**
 * Whether a program lies where neither a command nor the repository can have put it: not in a root, not in the temp folder,
 * not in a package cache. Each program is looked at once.
 */
export function isOutOfReach(host: Host, options: SandboxOptions): (program: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>()
  return (program) => {
    const found = known.get(program) ?? look(host, options, program)
    known.set(program, found)
    return found
  }
}

async function look(host: Host, { roots }: SandboxOptions, program: string): Promise<boolean> {
  const within = [...roots, host.tmp, ...caches.map((name) => join(host.home, name))]
  const real = (path: string) => host.realpath(path).catch(() => path)
  const places = await Promise.all(within.map(real))
  const at = await real(program)
  return at.startsWith("/") && ![...within, ...places].some((place) => isInside(place, at))
}
