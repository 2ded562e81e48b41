import type { Host } from "@gong/spec"
import { isInside } from "../../../posix-path.ts"
import { packageCaches } from "./caches.ts"
import type { SandboxOptions } from "../options.ts"

/**
 * Whether neither a command nor the repository can have created a program: it is outside the roots, the temp folder and
 * all package caches. Cached per program.
 */
export function createTrustCheck(host: Host, options: SandboxOptions): (program: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>()
  return (program) => {
    const found = known.get(program) ?? look(host, options, program)
    known.set(program, found)
    return found
  }
}

async function look(host: Host, options: SandboxOptions, program: string): Promise<boolean> {
  const { roots, caches } = options
  const own = caches === null ? [] : [caches]
  const places = (await packageCaches(host, options)).map(({ path }) => path)
  const within = [...roots, host.tmp, ...own, ...places]
  const real = (path: string) => host.realpath(path).catch(() => path)
  const followed = await Promise.all(within.map(real))
  const at = await real(program)
  return at.startsWith("/") && ![...within, ...followed].some((place) => isInside(place, at))
}
