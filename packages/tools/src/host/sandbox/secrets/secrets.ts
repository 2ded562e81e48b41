import type { Host } from "@gong/spec"
import { isInside, join } from "../../../posix-path.ts"
import { pathFolders } from "../caches/caches.ts"
import { isThere } from "../disk.ts"
import { protect } from "../plan/protect.ts"
import { hidden, mergeLayouts, type Layout, type Mount, readOnly } from "../plan/mount.ts"
import type { SandboxOptions, SecretPath } from "../options.ts"
import { createMountAliases } from "./mount-aliases.ts"
import { createPresence, isSettled, type Present } from "./presence.ts"

interface Found extends SecretPath {
  /** Its path, with links in parent folders resolved but not its own. */
  readonly at: string
  /** With links resolved. */
  readonly real: string
}

/** An existing secret that is hidden from commands completely or partly. */
export interface Withheld extends Found {
  readonly mount: Mount
}

export interface Secrets {
  readonly withheld: readonly Withheld[]
  /** Mounted below all others, so that the path to a secret cannot be renamed or changed. */
  readonly around: Layout
  readonly mounts: readonly Mount[]
}

/**
 * Searches for secrets before each command, since they may appear during a session. A path once found stays hidden,
 * because a link to it may be removed.
 */
export function createSecrets(host: Host, options: SandboxOptions): () => Promise<Secrets> {
  const { roots, kept, revealed, secrets } = options
  const looks = [...Map.groupBy(secrets, ({ base }) => base)].map(([base, places]) => lookBelow(host, base, places))
  const mountFor = createMountFor(host)
  const mountAliases = createMountAliases()
  // A folder that contains the home is not a secret, whatever a variable or a link says.
  const isOpen = (real: string) => isInside(real, host.home) || revealed.some((open) => isInside(open, real))
  const opened = [...revealed, ...pathFolders(host)]
  const known = new Map<string, Found>()
  return async () => {
    for (const { base, found } of await Promise.all(looks.map((look) => look())))
      for (const one of found)
        if (!isProjects(roots, base, one.real) && !isOpen(one.real)) known.set(`${one.name} ${one.at} ${one.real}`, one)
    const looked = [...known.values()].map(async (one) => {
      const mount = await mountFor(one)
      return mount === null ? [] : [{ ...one, mount }]
    })
    const withheld = (await Promise.all(looked)).flat()
    if (withheld.length === 0) return { withheld, around: mergeLayouts([]), mounts: [] }
    const second = mountAliases()
    const mounts = withheld.flatMap(({ real, mount }) => [real, ...second(real)].map((path) => ({ ...mount, path })))
    const folders = withheld.flatMap(({ real, mount }) => (mount.how === "bare" ? [real] : []))
    const inner = opened.filter((open) => folders.some((one) => one !== open && isInside(one, open)) && isThere(open))
    const ways = [...withheld.map(({ at }) => at), ...mounts.map(({ path }) => path)].filter(isThere)
    const around = mergeLayouts([...new Set(ways)].map((path) => protect(path, { writable: roots, others: kept })))
    return {
      withheld,
      // The end of each path has a mount of its own.
      around: { ...around, mounts: around.mounts.filter(({ how }) => how === "writable") },
      mounts: [...strictest(mounts), ...inner.map(readOnly)],
    }
  }
}

/**
 * Several secrets may be links to one file. The strictest mount wins, and a file with two different texts is hidden.
 */
function strictest(mounts: readonly Mount[]): readonly Mount[] {
  return [...Map.groupBy(mounts, ({ path }) => path)].flatMap(([path, all]) => {
    const [first] = all
    const whole = all.find(({ how }) => how !== "text")
    const isOne = new Set(all.map((one) => (one.how === "text" ? one.text : ""))).size === 1
    return whole ?? (isOne ? first : undefined) ?? hidden(path)
  })
}

interface Below {
  /** With links resolved. */
  readonly base: string
  readonly found: readonly Found[]
}

function lookBelow(host: Host, base: string, places: readonly SecretPath[]): () => Promise<Below> {
  const byPath = new Map(places.map((place) => [place.path, place]))
  const present = createPresence(host, base, [...byPath.keys()])
  return async () => {
    const realBase = await host.realpath(base).catch(() => base)
    const placed = ({ path, real }: Present): readonly Found[] => {
      const place = byPath.get(path)
      return place === undefined ? [] : [{ ...place, at: join(realBase, path), real }]
    }
    return { base: realBase, found: (await present()).flatMap(placed) }
  }
}

/** Files in a root are visible, unless the root is a whole home. */
function isProjects(roots: readonly string[], base: string, real: string): boolean {
  return roots.some((root) => isInside(root, real) && !isInside(root, base))
}

/** Settings files are short; larger ones are hidden completely. */
const TEXT_MAX_BYTES = 1_000_000

/** Null if the file can be shown unchanged. */
function createMountFor(host: Host): (one: Found) => Promise<Mount | null> {
  const known = new Map<string, { readonly changed: string; readonly mount: Mount | null }>()
  return async ({ at, real, blank }) => {
    const found = await host.stat(real).catch(() => null)
    if (found === null || found.kind === "other") return null
    if (found.kind === "directory") return { how: "bare", path: real }
    if (blank === undefined || found.size > TEXT_MAX_BYTES) return hidden(real)
    const changed = `${real} ${found.ctimeMs} ${found.size}`
    const before = known.get(at)
    if (before?.changed === changed) return before.mount
    const mount = await textMount(host, real, blank)
    if (isSettled(found.ctimeMs)) known.set(at, { changed, mount })
    return mount
  }
}

async function textMount(host: Host, path: string, blank: (text: string) => string | null): Promise<Mount | null> {
  const bytes = await host.readRange(path, 0).catch(() => null)
  if (bytes === null) return hidden(path)
  const text = new TextDecoder().decode(bytes)
  const shown = blank(text)
  if (shown === null) return hidden(path)
  return shown === text ? null : { how: "text", path, text: shown }
}
