import { statSync } from "node:fs"

// Fixed paths: a project may put its own programs into the PATH.
const bwrapPaths = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"]
const nsenterPaths = ["/usr/bin/nsenter", "/bin/nsenter", "/run/current-system/sw/bin/nsenter"]

export function bwrapPath(): string | null {
  return firstExisting(bwrapPaths)
}

export function nsenterPath(): string | null {
  return firstExisting(nsenterPaths)
}

function firstExisting(paths: readonly string[]): string | null {
  return paths.find((path) => modifiedAt(path) !== null) ?? null
}

export function modifiedAt(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null
}
