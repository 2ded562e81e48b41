import { readdirSync, readFileSync, statSync, type Stats } from "node:fs"
import { join } from "node:path"

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
}

const settings = { one: "settings file", many: "settings files" }
const hooks = { one: "hook file", many: "hook files" }
const extensions = { one: "extension file", many: "extension files" }
const mcp = { one: "MCP server list", many: "MCP server lists" }
const system = { one: "system prompt", many: "system prompts" }
const templates = { one: "command template", many: "command templates" }
const scripts = { one: "skill script", many: "skill scripts", only: /(?<!\.md)$/i }

const acting: readonly Acting[] = [
  ...[".gong", ".pi"].flatMap((folder) => [
    { path: `${folder}/settings.json`, ...settings },
    { path: `${folder}/hooks.json`, ...hooks },
    { path: `${folder}/hooks`, ...hooks },
    { path: `${folder}/extensions`, ...extensions },
    { path: `${folder}/mcp.json`, ...mcp },
    { path: `${folder}/SYSTEM.md`, ...system },
    { path: `${folder}/APPEND_SYSTEM.md`, ...system },
    { path: `${folder}/prompts`, ...templates },
    { path: `${folder}/skills`, ...scripts },
  ]),
  { path: ".agents/skills", ...scripts },
  { path: ".claude/skills", ...scripts },
]

const limits = { files: 2000, bytes: 64 * 1024 * 1024, depth: 8 }

/** Looks at a handful of fixed places below `root` (a real path); reads nothing else. */
export function findSurface(root: string): Surface {
  const world: World = { root, files: new Map(), bytes: 0, tooLarge: false }
  const counts: string[] = []
  for (const group of grouped()) {
    const before = world.files.size
    for (const place of group) visit(world, place.path, place.only ?? /(?:)/, 0)
    const found = world.files.size - before
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
  tooLarge: boolean
}

function grouped(): readonly (readonly Acting[])[] {
  return Object.values(Object.groupBy(acting, ({ one }) => one)).filter((group) => group !== undefined)
}

function visit(world: World, path: string, only: RegExp, depth: number): void {
  const full = join(world.root, path)
  const stat = statOf(full)
  if (stat === null || world.tooLarge) return
  if (stat.isDirectory()) {
    // Links to a folder above would otherwise never end.
    if (depth === limits.depth) world.tooLarge = true
    else for (const name of readdirSync(full).toSorted()) visit(world, `${path}/${name}`, only, depth + 1)
  } else if (only.test(path)) add(world, path, full, stat)
}

function add(world: World, path: string, full: string, stat: Stats): void {
  world.bytes += stat.size
  if (world.files.size >= limits.files || world.bytes > limits.bytes) world.tooLarge = true
  // A pipe or device is never read: opening it could wait for ever.
  else world.files.set(path, stat.isFile() ? sha256(readFileSync(full)) : "not a regular file")
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
