import { join } from "node:path"
import { isRecord, parseJson, claudeFolder, libraryFolders, ownFolder, projectFolders, themesFolder } from "@gong/spec"
import { namedFiles } from "./named-files.ts"
import { denyRulesOf } from "../project-files.ts"
import { bytesOf, findAll, type Found, maxTrusted, sha256 } from "./folder-files.ts"
import type { TrustHost } from "@gong/spec"
import type { Translate } from "@gong/texts/translator"

/** Active content of a folder in its current state. AGENTS.md, CLAUDE.md and skill descriptions are text and not included. */
export interface ActiveContent {
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

interface ActivePath {
  readonly path: string
  /** Singular and plural, for people. */
  readonly one: string
  readonly many: string
  /** Only these names inside a folder. */
  readonly only?: RegExp
  /** Number of active items in a file; 0: not active. Default: the file itself. */
  readonly count?: (text: string) => number
  /** Its commands name scripts, which are active as well. */
  readonly scripts?: NamedScript
}

interface NamedScript {
  readonly one: string
  readonly many: string
}

const ofHooks: NamedScript = { one: "{0} script of a hook", many: "{0} scripts of hooks" }
const ofServers: NamedScript = { one: "{0} script of an MCP server", many: "{0} scripts of MCP servers" }

const settings = { one: "{0} settings file", many: "{0} settings files", scripts: ofHooks }
const hooks = { one: "{0} hook", many: "{0} hooks", count: hooksIn, scripts: ofHooks }
const denyRules = { one: "{0} deny rule", many: "{0} deny rules", count: denyRulesIn }
const scriptsOfHooks = { one: "{0} hook file", many: "{0} hook files" }
const extensions = { one: "{0} extension file", many: "{0} extension files" }
const mcp = { one: "{0} MCP server list", many: "{0} MCP server lists", scripts: ofServers }
const system = { one: "{0} system prompt", many: "{0} system prompts" }
const themes = { one: "{0} theme", many: "{0} themes" }
const templates = { one: "{0} command template", many: "{0} command templates" }
const scripts = { one: "{0} skill script", many: "{0} skill scripts", only: /(?<!\.md)$/i }

const activePaths: readonly ActivePath[] = [
  ...projectFolders.flatMap((folder) => [
    { path: `${folder}/settings.json`, ...settings },
    { path: `${folder}/hooks.json`, ...hooks },
    { path: `${folder}/hooks`, ...scriptsOfHooks },
    { path: `${folder}/extensions`, ...extensions },
    { path: `${folder}/mcp.json`, ...mcp },
    { path: `${folder}/SYSTEM.md`, ...system },
    { path: `${folder}/APPEND_SYSTEM.md`, ...system },
  ]),
  { path: ".mcp.json", ...mcp },
  { path: `${ownFolder}/${themesFolder}`, ...themes },
  ...libraryFolders.flatMap((folder) => [
    { path: `${folder}/prompts`, ...templates },
    { path: `${folder}/skills`, ...scripts },
  ]),
  ...["settings.json", "settings.local.json"].flatMap((name) => [
    { path: `${claudeFolder}/${name}`, ...hooks },
    { path: `${claudeFolder}/${name}`, ...denyRules },
  ]),
  { path: `${claudeFolder}/commands`, ...templates, only: /\.md$/i },
  { path: `${claudeFolder}/hooks`, ...scriptsOfHooks },
]

const limits = { files: 2000, bytes: maxTrusted, depth: 8 }

/**
 * Checks a fixed list of paths below `root` (a real path), and the files that their commands name there. Links that lead outside are never
 * followed, and have no effect. `except`: real paths of the user's own files.
 */
export async function findActiveContent(
  t: Translate,
  host: TrustHost,
  root: string,
  except: readonly string[] = [],
): Promise<ActiveContent> {
  const scan: Scan = { host, root, except, files: new Map(), named: new Map(), bytes: 0, found: 0, tooLarge: false }
  const counts: string[] = []
  let total = 0
  for (const group of grouped(scan)) {
    const before = scan.found
    await visitAll(scan, group, 0)
    const found = scan.found - before
    total += found
    if (found > 0) counts.push(t((found === 1 ? group[0]?.one : group[0]?.many) ?? "", found))
  }
  const files = new Map([...scan.files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return {
    host,
    root,
    files,
    get hash() {
      return sha256(JSON.stringify([...files]))
    },
    summary: listed(t, counts),
    count: total,
    tooLarge: scan.tooLarge,
  }
}

interface Scan {
  readonly host: TrustHost
  readonly root: string
  readonly except: readonly string[]
  readonly files: Map<string, string>
  /** Scripts that commands name, with the words for them. */
  readonly named: Map<string, NamedScript>
  bytes: number
  /** Active items. */
  found: number
  tooLarge: boolean
}

/** Files that commands name come last, when the commands are known. */
function* grouped(scan: Scan): Generator<readonly ActivePath[]> {
  for (const group of Object.values(Object.groupBy(activePaths, ({ one }) => one))) if (group !== undefined) yield group
  const named = [...scan.named].filter(([path]) => !scan.files.has(path)).map(([path, words]) => ({ path, ...words }))
  for (const group of Object.values(Object.groupBy(named, ({ one }) => one))) if (group !== undefined) yield group
}

async function visitAll(scan: Scan, entries: readonly ActivePath[], depth: number): Promise<void> {
  const paths = entries.map(({ path }) => path)
  const found = await findAll(scan.host, scan.root, paths)
  for (const [at, entry] of entries.entries()) await visit(scan, entry, found[at] ?? null, depth)
}

async function visit(scan: Scan, entry: ActivePath, found: Found | null, depth: number): Promise<void> {
  const { path } = entry
  const full = join(scan.root, path)
  if (found === null || scan.tooLarge || scan.except.some((one) => `${full}/`.startsWith(`${one}/`))) return
  if (found.kind !== "folder") {
    if (entry.only?.test(path) !== false) await add(scan, entry, found)
    return
  }
  const names = await namesIn(scan, full)
  // Links to a parent folder would never end.
  if (depth === limits.depth) scan.tooLarge = true
  else if (names === null) await add(scan, entry, { kind: "other" })
  else
    await visitAll(
      scan,
      names.map((name) => ({ ...entry, path: `${path}/${name}` })),
      depth + 1,
    )
}

/** Sorted; null if unreadable. */
async function namesIn({ host }: Scan, folder: string): Promise<readonly string[] | null> {
  const [listed] = await host.list([folder])
  return listed?.ok === true ? listed.value.map(({ name }) => name).toSorted() : null
}

async function add(scan: Scan, { path, count, scripts: named }: ActivePath, found: Found): Promise<void> {
  scan.bytes += found.kind === "file" ? found.size : 0
  if (scan.files.size >= limits.files || scan.bytes > limits.bytes) {
    scan.tooLarge = true
    return
  }
  // FIFOs and devices are never read, since opening one could block forever.
  const bytes = found.kind === "file" ? await bytesOf(scan.host, scan.root, path) : null
  const text = bytes === null || (named === undefined && count === undefined) ? null : new TextDecoder().decode(bytes)
  const items = text === null || count === undefined ? 1 : count(text)
  if (items === 0) return
  scan.found += items
  scan.files.set(path, bytes === null ? insteadOf(found) : sha256(bytes))
  if (text === null || named === undefined) return
  for (const name of await namedFiles(scan.host, scan.root, text)) scan.named.set(name, scan.named.get(name) ?? named)
}

function insteadOf(found: Found): string {
  if (found.kind === "outside") return `leads to ${found.real}`
  return found.kind === "file" ? "cannot be read" : "not a regular file"
}

/** Settings of another agent are active only through hooks and deny rules. Invalid JSON may contain hooks. */
function hooksIn(text: string): number {
  const value = parseJson(text)
  if (value === undefined) return 1
  if (!isRecord(value) || !Object.hasOwn(value, "hooks")) return 0
  const groups = isRecord(value["hooks"]) ? Object.values(value["hooks"]).flat() : []
  const commands = groups.flatMap((group: unknown) => (isRecord(group) ? group["hooks"] : [])).filter(isRecord)
  return Math.max(1, commands.length)
}

function denyRulesIn(text: string): number {
  const value = parseJson(text)
  return isRecord(value) ? denyRulesOf(value).length : 0
}

function listed(t: Translate, words: readonly string[]): string {
  return words.length < 2 ? words.join("") : t`${words.slice(0, -1).join(t`, `)} and ${words.at(-1)}`
}
