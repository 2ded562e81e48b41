import type { Host } from "@gong/spec"

const packages = new Map<string, string | null>()

/** Full path of ripgrep on a host: the npm package (this machine only), then the PATH; null if neither exists. */
export async function findRipgrep(host: Host): Promise<string | null> {
  return (host.id === "local" ? packagedRipgrep() : null) ?? host.which("rg", { own: true })
}

/**
 * Resolved on demand by name, so that it also works from a bundle. Package managers without hoisting put the platform's
 * package beside `@vscode/ripgrep` only.
 */
function packagedRipgrep(): string | null {
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg${process.platform === "win32" ? ".exe" : ""}`
  const known = packages.get(name)
  if (known !== undefined) return known
  const { createRequire } = process.getBuiltinModule("node:module")
  const here = createRequire(import.meta.url)
  const found = resolveFrom(here, name) ?? resolveBeside(createRequire, here, name)
  packages.set(name, found)
  return found
}

function resolveBeside(
  createRequire: (from: string) => NodeJS.Require,
  here: NodeJS.Require,
  name: string,
): string | null {
  const main = resolveFrom(here, "@vscode/ripgrep")
  return main === null ? null : resolveFrom(createRequire(main), name)
}

function resolveFrom(require: NodeJS.Require, name: string): string | null {
  try {
    return require.resolve(name)
  } catch {
    return null
  }
}
