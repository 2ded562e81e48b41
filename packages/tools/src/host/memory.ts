import type { ExecOptions, ExecResult, Host, HostDirent, HostReads, HostStat } from "@gong/spec"
import { joined } from "../files/content.ts"
import { basename, dirname, join, normalize } from "../posix-path.ts"
import { batchVerbs, notRegular } from "./batch-verbs.ts"
import { isSame } from "./files/stat.ts"

export interface MemoryHostOptions {
  /** Default: `memory`. */
  readonly id?: string
  /** Content by full path. Parent folders are created. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Targets of symbolic links by full path. */
  readonly links?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
  /** Runs commands. Default: every command exits with 127. */
  readonly exec?: (command: string | readonly string[], options: ExecOptions) => Promise<ExecResult>
  /** Milliseconds since the epoch, for file times. Default: 1, 2, 3, ... */
  readonly now?: () => number
}

type Node =
  | (Common & { readonly kind: "file"; bytes: Uint8Array })
  | (Common & { readonly kind: "directory" })
  | (Common & { readonly kind: "symlink"; readonly to: string })

interface Common {
  readonly id: string
  readonly mtimeMs: number
  readonly mode: number
}

const LINKS_MAX = 40
const modes = { read: 0o444, write: 0o222, enter: 0o111 }

/** A host in memory: for tests, and for programs that use tools without a disk. */
export function createMemoryHost(options: MemoryHostOptions = {}): Host {
  const cwd = options.cwd ?? "/work"
  const home = options.home ?? "/home/user"
  const tree = fileTree(options.now)
  for (const path of ["/", "/tmp", cwd, home]) tree.makeFolder(path)
  for (const [path, content] of Object.entries(options.files ?? {})) {
    tree.makeFolder(dirname(path))
    tree.put(path, { kind: "file", bytes: typeof content === "string" ? Buffer.from(content) : content }, 0o644)
  }
  for (const [path, to] of Object.entries(options.links ?? {})) {
    tree.makeFolder(dirname(path))
    tree.put(path, { kind: "symlink", to }, 0o777)
  }
  const reads = readsOf(tree)
  return {
    id: options.id ?? "memory",
    cwd,
    home,
    tmp: "/tmp",
    env: options.env ?? {},
    ...reads,
    ...batchVerbs(reads),
    ...writesOf(tree),
    async exec(command, execOptions) {
      execOptions.onStart?.()
      return options.exec?.(command, execOptions) ?? { code: 127, signal: null }
    },
    endJobs: async () => {},
    which: async () => null,
  }
}

type Content =
  | Omit<Extract<Node, { kind: "file" }>, keyof Common>
  | Omit<Extract<Node, { kind: "symlink" }>, keyof Common>

/** Files, folders and links by full path. Functions throw errors with the code that a disk would give. */
interface FileTree {
  readonly nodes: ReadonlyMap<string, Node>
  /** The path with all links resolved. The last name need not exist. */
  follow(path: string): string
  /** As on a disk: a link on a checked path must have been created later (`replaceFile` of the port). */
  realOnly(path: string): string
  lookUp(path: string): Node | undefined
  demand(path: string): Node
  /** With all folders above it. */
  makeFolder(path: string): void
  put(path: string, content: Content, mode: number): void
  remove(path: string): boolean
}

function fileTree(time: (() => number) | undefined): FileTree {
  const nodes = new Map<string, Node>()
  let ticks = 0
  const now = time ?? (() => ++ticks)
  let count = 0
  const created = (mode: number): Common => ({ id: `memory:${++count}`, mtimeMs: now(), mode })
  const follow = (path: string, depth = 0): string => {
    if (depth > LINKS_MAX) throw failure("ELOOP", path)
    if (path === "/") return path
    const real = join(follow(dirname(path), depth), basename(path))
    const node = nodes.get(real)
    if (node?.kind !== "symlink") return real
    return follow(node.to.startsWith("/") ? normalize(node.to) : join(dirname(real), node.to), depth + 1)
  }
  const lookUp = (path: string): Node | undefined => nodes.get(follow(normalize(path)))
  const makeFolder = (path: string): void => {
    if (nodes.has(path)) return
    if (path !== "/") makeFolder(dirname(path))
    nodes.set(path, { kind: "directory", ...created(0o755) })
  }
  return {
    nodes,
    follow,
    realOnly(path) {
      const plain = normalize(path)
      if (follow(plain) !== plain) throw failure("ESTALE", path)
      return plain
    },
    lookUp,
    demand(path) {
      const node = lookUp(path)
      if (node === undefined) throw failure("ENOENT", path)
      return node
    },
    makeFolder,
    put: (path, content, mode) => void nodes.set(path, { ...content, ...created(mode) }),
    remove: (path) => nodes.delete(path),
  }
}

function readsOf({ nodes, follow, realOnly, lookUp, demand }: FileTree): HostReads {
  return {
    async stat(path, how = {}) {
      const plain = normalize(path)
      const node = how.link && plain !== "/" ? nodes.get(join(follow(dirname(plain)), basename(plain))) : lookUp(plain)
      return node === undefined ? null : statOf(node)
    },
    async realpath(path) {
      demand(path)
      return follow(normalize(path))
    },
    async readRange(path, from, to, how = {}) {
      const node = demand(how.real ? realOnly(path) : path)
      if (node.kind === "directory") throw failure("EISDIR", path)
      if (node.kind !== "file") throw notRegular(path)
      return node.bytes.slice(from, to)
    },
    async access(path, mode) {
      const node = demand(path)
      if ((node.mode & modes[mode]) === 0) throw failure("EACCES", path)
    },
    async readdir(path) {
      if (demand(path).kind !== "directory") throw failure("ENOTDIR", path)
      return entriesOf(nodes, follow(normalize(path)))
    },
  }
}

function writesOf({
  nodes,
  realOnly,
  makeFolder,
  put,
  remove,
}: FileTree): Pick<Host, "mkdir" | "replaceFile" | "remove"> {
  return {
    mkdir: async (path) => makeFolder(realOnly(path)),
    async replaceFile(path, content, { expect, announce } = {}) {
      const target = () => {
        const real = realOnly(path)
        const old = nodes.get(real)
        if (expect !== undefined && !isSame(expect, old ? statOf(old) : null)) throw failure("ESTALE", path)
        if (old?.kind === "directory") throw failure("EISDIR", path)
        if (nodes.get(dirname(real))?.kind !== "directory") throw failure("ENOENT", path)
        return { real, old }
      }
      target()
      await announce?.()
      const { real, old } = target()
      put(real, { kind: "file", bytes: joined(content) }, old?.mode ?? 0o644)
    },
    async remove(path) {
      const plain = normalize(path)
      const real = join(realOnly(dirname(plain)), basename(plain))
      if (entriesOf(nodes, real).length > 0) throw failure("ENOTEMPTY", path)
      if (!remove(real)) throw failure("ENOENT", path)
    },
  }
}

function statOf(node: Node): HostStat {
  return {
    kind: node.kind,
    size: node.kind === "file" ? node.bytes.length : 0,
    mtimeMs: node.mtimeMs,
    ctimeMs: node.mtimeMs,
    mode: node.mode,
    links: 1,
    id: node.id,
  }
}

function entriesOf(nodes: ReadonlyMap<string, Node>, folder: string): readonly HostDirent[] {
  const entries: HostDirent[] = []
  for (const [path, node] of nodes)
    if (path !== "/" && dirname(path) === folder) entries.push({ name: basename(path), kind: node.kind })
  return entries
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code })
}
