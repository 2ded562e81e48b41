import { join } from "node:path"
import { isRecord, parseJson, claudeFolder, libraryFolders, ownFolder, projectFolders, themesFolder } from "@gong/spec"
import { namedFiles } from "./named-files.ts"
import { bytesOf, findAll, type Found, maxTrusted, sha256 } from "./place.ts"
import type { TrustHost } from "@gong/spec"
import type { Translate } from "@gong/texts/translator"

/** Active content of a folder in its current state. AGENTS.md, CLAUDE.md and skill descriptions are text and not included. */
export interface Surface {
  /** Its location. */
  readonly host: TrustHost
  /** Real path. */
  readonly root: string
  /** By path inside the root, sorted: SHA-256 (hex), or the kind of a non-file. */
  readonly files: ReadonlyMap<string, string>
  /** Hash of everything; changes with any addition, removal or change. */
  readonly hash: string
  /** `1 settings file and 2 extensions`; empty for none. */
  readonly summary: string
  /** Number of items in `summary`. */
  readonly count: number
  /** Too many or too large files: the folder cannot be trusted. */
  readonly tooLarge: boolean
}

interface Acting {
  readonly path: string
  /** Singular and plural, for people. */
  readonly one: string
  readonly many: string
  /** Only these names inside a folder. */
  readonly only?: RegExp
  /** Number of active items in a file; 0: not active. Default: the file itself. */
  readonly count?: (text: string) => number
  /** Its hooks name scripts, which are active as well. */
  readonly hooks?: true
}

const settings = { one: "{0} settings file", many: "{0} settings files", hooks: true } as const
const hooks = { one: "{0} hook", many: "{0} hooks", count: hooksIn, hooks: true } as const
const scriptsOfHooks = { one: "{0} hook file", many: "{0} hook files" }
const extensions = { one: "{0} extension file", many: "{0} extension files" }
const mcp = { one: "{0} MCP server list", many: "{0} MCP server lists" }
const system = { one: "{0} system prompt", many: "{0} system prompts" }
const themes = { one: "{0} theme", many: "{0} themes" }
const templates = { one: "{0} command template", many: "{0} command templates" }
const scripts = { one: "{0} skill script", many: "{0} skill scripts", only: /(?<!\.md)$/i }

const acting: readonly Acting[] = [
  ...projectFolders.flatMap((folder) => [
    { path: `${folder}/settings.json`, ...settings },
    { path: `${folder}/hooks.json`, ...hooks },
    { path: `${folder}/hooks`, ...scriptsOfHooks },
    { path: `${folder}/extensions`, ...extensions },
    { path: `${folder}/mcp.json`, ...mcp },
    { path: `${folder}/SYSTEM.md`, ...system },
    { path: `${folder}/APPEND_SYSTEM.md`, ...system },
  ]),
  { path: `${ownFolder}/${themesFolder}`, ...themes },
  ...libraryFolders.flatMap((folder) => [
    { path: `${folder}/prompts`, ...templates },
    { path: `${folder}/skills`, ...scripts },
  ]),
  { path: `${claudeFolder}/settings.json`, ...hooks },
  { path: `${claudeFolder}/settings.local.json`, ...hooks },
  { path: `${claudeFolder}/hooks`, ...scriptsOfHooks },
]

const limits = { files: 2000, bytes: maxTrusted, depth: 8 }

/**
 * Checks a fixed list of paths below `root` (a real path), and the files that hooks name there. Links that lead outside are never
 * followed, and have no effect. `except`: real paths of the user's own files.
 */
export async function findSurface(
  t: Translate,
  host: TrustHost,
  root: string,
  except: readonly string[] = [],
): Promise<Surface> {
  const world: World = { host, root, except, files: new Map(), named: new Set(), bytes: 0, found: 0, tooLarge: false }
  const counts: string[] = []
  let total = 0
  for (const group of grouped(world)) {
    const before = world.found
    await visitAll(world, group, 0)
    const found = world.found - before
    total += found
    if (found > 0) counts.push(t((found === 1 ? group[0]?.one : group[0]?.many) ?? "", found))
  }
  const files = new Map([...world.files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return {
    host,
    root,
    files,
    get hash() {
      return sha256(JSON.stringify([...files]))
    },
    summary: listed(t, counts),
    count: total,
    tooLarge: world.tooLarge,
  }
}

interface World {
  readonly host: TrustHost
  readonly root: string
  readonly except: readonly string[]
  readonly files: Map<string, string>
  /** Scripts named by hooks. */
  readonly named: Set<string>
  bytes: number
  /** Active items. */
  found: number
  tooLarge: boolean
}

/** Files named by hooks come last, when the hooks are known. */
function* grouped(world: World): Generator<readonly Acting[]> {
  for (const group of Object.values(Object.groupBy(acting, ({ one }) => one))) if (group !== undefined) yield group
  const named = [...world.named].filter((path) => !world.files.has(path))
  if (named.length > 0) yield named.map((path) => ({ path, one: "{0} script of a hook", many: "{0} scripts of hooks" }))
}

async function visitAll(world: World, places: readonly Acting[], depth: number): Promise<void> {
  const paths = places.map(({ path }) => path)
  const found = await findAll(world.host, world.root, paths)
  for (const [at, place] of places.entries()) await visit(world, place, found[at] ?? null, depth)
}

async function visit(world: World, place: Acting, found: Found | null, depth: number): Promise<void> {
  const { path } = place
  const full = join(world.root, path)
  if (found === null || world.tooLarge || world.except.some((one) => `${full}/`.startsWith(`${one}/`))) return
  if (found.kind !== "folder") {
    if (place.only?.test(path) !== false) await add(world, place, found)
    return
  }
  const names = await namesIn(world, full)
  // Links to a parent folder would never end.
  if (depth === limits.depth) world.tooLarge = true
  else if (names === null) await add(world, place, { kind: "other" })
  else
    await visitAll(
      world,
      names.map((name) => ({ ...place, path: `${path}/${name}` })),
      depth + 1,
    )
}

/** Sorted; null if unreadable. */
async function namesIn({ host }: World, folder: string): Promise<readonly string[] | null> {
  const [listed] = await host.list([folder])
  return listed?.ok === true ? listed.value.map(({ name }) => name).toSorted() : null
}

async function add(world: World, { path, count, hooks: hasHooks }: Acting, found: Found): Promise<void> {
  world.bytes += found.kind === "file" ? found.size : 0
  if (world.files.size >= limits.files || world.bytes > limits.bytes) {
    world.tooLarge = true
    return
  }
  // FIFOs and devices are never read, since opening one could block forever.
  const bytes = found.kind === "file" ? await bytesOf(world.host, world.root, path) : null
  const text = bytes === null || !hasHooks ? null : new TextDecoder().decode(bytes)
  const things = text === null || count === undefined ? 1 : count(text)
  if (things === 0) return
  world.found += things
  world.files.set(path, bytes === null ? insteadOf(found) : sha256(bytes))
  if (text !== null) for (const name of await namedFiles(world.host, world.root, text)) world.named.add(name)
}

function insteadOf(found: Found): string {
  if (found.kind === "outside") return `leads to ${found.real}`
  return found.kind === "file" ? "cannot be read" : "not a regular file"
}

/** Settings of another agent are active only through hooks. Invalid JSON may contain some. */
function hooksIn(text: string): number {
  const value = parseJson(text)
  if (value === undefined) return 1
  if (!isRecord(value) || !Object.hasOwn(value, "hooks")) return 0
  const groups = isRecord(value["hooks"]) ? Object.values(value["hooks"]).flat() : []
  const commands = groups.flatMap((group: unknown) => (isRecord(group) ? group["hooks"] : [])).filter(isRecord)
  return Math.max(1, commands.length)
}

function listed(t: Translate, words: readonly string[]): string {
  return words.length < 2 ? words.join("") : t`${words.slice(0, -1).join(t`, `)} and ${words.at(-1)}`
}
