import { readdirSync, readFileSync, statSync, type Stats } from "node:fs"
import { join } from "node:path"
import { isRecord } from "@gong/spec"
import { libraryFolders, projectFolders } from "../folders.ts"

/** What a folder brings that can act, as it is now. AGENTS.md, CLAUDE.md and skill descriptions are text and not in it. */
export interface Surface {
  /** Real path. */
  readonly root: string
  /** SHA-256 (hex) by path inside the root, sorted by path. */
  readonly files: ReadonlyMap<string, string>
  /** Over all of it; changes when anything that can act is added, removed or changed. */
  readonly hash: string
  /** `1 settings file and 2 extensions`; empty when there is nothing. */
  readonly summary: string
  /** Too many or too large files to be judged: such a folder cannot be trusted. */
  readonly tooLarge: boolean
}

interface Acting {
  readonly path: string
  /** For people: one of it, and several. */
  readonly one: string
  readonly many: string
  /** Only these names inside a folder. */
  readonly only?: RegExp
  /** How many things that act stand in a file of it; 0: it is nothing that acts. Default: the file itself. */
  readonly count?: (text: string) => number
}

const settings = { one: "settings file", many: "settings files" }
const hooks = { one: "hook", many: "hooks", count: hooksIn }
const scriptsOfHooks = { one: "hook file", many: "hook files" }
const extensions = { one: "extension file", many: "extension files" }
const mcp = { one: "MCP server list", many: "MCP server lists" }
const system = { one: "system prompt", many: "system prompts" }
const templates = { one: "command template", many: "command templates" }
const scripts = { one: "skill script", many: "skill scripts", only: /(?<!\.md)$/i }

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
  ...libraryFolders.flatMap((folder) => [
    { path: `${folder}/prompts`, ...templates },
    { path: `${folder}/skills`, ...scripts },
  ]),
  { path: ".claude/settings.json", ...hooks },
  { path: ".claude/settings.local.json", ...hooks },
]

const limits = { files: 2000, bytes: 64 * 1024 * 1024, depth: 8 }

/** Looks at a handful of fixed places below `root` (a real path); reads nothing else. */
export function findSurface(root: string): Surface {
  const world: World = { root, files: new Map(), bytes: 0, found: 0, tooLarge: false }
  const counts: string[] = []
  for (const group of grouped()) {
    const before = world.found
    for (const place of group) visit(world, place, place.path, 0)
    const found = world.found - before
    if (found > 0) counts.push(`${found} ${found === 1 ? group[0]?.one : group[0]?.many}`)
  }
  const files = new Map([...world.files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return {
    root,
    files,
    get hash() {
      return sha256(JSON.stringify([...files]))
    },
    summary: listed(counts),
    tooLarge: world.tooLarge,
  }
}

interface World {
  readonly root: string
  readonly files: Map<string, string>
  bytes: number
  /** Things that act. */
  found: number
  tooLarge: boolean
}

function grouped(): readonly (readonly Acting[])[] {
  return Object.values(Object.groupBy(acting, ({ one }) => one)).filter((group) => group !== undefined)
}

function visit(world: World, place: Acting, path: string, depth: number): void {
  const full = join(world.root, path)
  const stat = statOf(full)
  if (stat === null || world.tooLarge) return
  if (stat.isDirectory()) {
    // Links to a folder above would otherwise never end.
    if (depth === limits.depth) world.tooLarge = true
    else for (const name of readdirSync(full).toSorted()) visit(world, place, `${path}/${name}`, depth + 1)
  } else if (place.only?.test(path) !== false) add(world, place, path, stat)
}

function add(world: World, { count }: Acting, path: string, stat: Stats): void {
  world.bytes += stat.size
  if (world.files.size >= limits.files || world.bytes > limits.bytes) {
    world.tooLarge = true
    return
  }
  // A pipe or device is never read: opening it could wait for ever.
  const bytes = stat.isFile() ? readFileSync(join(world.root, path)) : null
  const found = bytes === null || count === undefined ? 1 : count(bytes.toString("utf8"))
  if (found === 0) return
  world.found += found
  world.files.set(path, bytes === null ? "not a regular file" : sha256(bytes))
}

/** Settings of another program act only by their hooks. What strict JSON cannot read may hold some. */
function hooksIn(text: string): number {
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value) || !Object.hasOwn(value, "hooks")) return 0
    const groups = isRecord(value["hooks"]) ? Object.values(value["hooks"]).flat() : []
    const commands = groups.flatMap((group: unknown) => (isRecord(group) ? group["hooks"] : [])).filter(isRecord)
    return Math.max(1, commands.length)
  } catch {
    return 1
  }
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

function sha256(data: string | Uint8Array): string {
  // Most folders bring nothing to hash, and starting in them should not load what hashing needs.
  return process.getBuiltinModule("node:crypto").hash("sha256", data, "hex")
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`
}
