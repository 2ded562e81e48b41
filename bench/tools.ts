import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { autorun } from "../packages/policy/src/sensitive/autorun.ts"
import { secretsOf } from "../packages/policy/src/sensitive/secrets.ts"
import { englishOf, type Host } from "../packages/spec/src/index.ts"
import {
  createBashTool,
  createEditTool,
  createFindTool,
  createGrepTool,
  createReadTool,
  truncateHead,
  truncateTail,
} from "../packages/tools/src/index.ts"
import { createGateway, type NetworkPorts } from "../packages/tools/src/host/gateway/index.ts"
import { createLocalHost } from "../packages/tools/src/host/local.ts"
import { probeSandbox, type SandboxFeatures, createSandboxedHost } from "../packages/tools/src/host/sandbox/index.ts"
import { type Beside, beside, middle } from "./beside.ts"
import { findRipgrep } from "../packages/tools/src/host/ripgrep.ts"

// Measures the tools against the minimum that they need. Prints medians; this is not a test.

const folder = mkdtempSync(join(tmpdir(), "gong-bench-tools-"))
const context = { signal: new AbortController().signal, onProgress() {} }

async function median(runs: number, work: () => unknown): Promise<number> {
  await work()
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return middle(times)
}

function say(what: string, ms: number, more = ""): void {
  console.log(`${what.padEnd(44)} ${ms.toFixed(2).padStart(9)} ms  ${more}`)
}

/** A large file of one repeated line, with one position to change at its end. */
interface EditCase {
  readonly line: string
  readonly target: string
  /** The model's text is stored at this key; the target itself is restored with an additional mark. */
  readonly oldText: string
}

const words = "some words of a line ".repeat(3)
const editCases: Readonly<Record<string, EditCase>> = {
  exact: { line: `${words}\n`, target: "target #\n", oldText: "target #\n" },
  fuzzy: { line: `${words} \u2013 \u2018q\u2019  \n`, target: "\u201ctarget #\u201d\n", oldText: '"target #"\n' },
  "fuzzy, every line": { line: `${words}  \n`, target: "line \u2013 #\n", oldText: "line - #\n" },
  miss: { line: `${words}\n`, target: "target #\n", oldText: "target of words #\n  that is not there\n" },
  CRLF: { line: `${words}\r\n`, target: "target #\r\n", oldText: "target #\n" },
}

/** Growth is measured as processor time (design section 8): the disk time for 20 MB does not depend on the tool. */
async function edit(): Promise<void> {
  for (const [name, one] of Object.entries(editCases)) {
    const sizes = [10, 20].map((megabytes) => ({ megabytes, once: editor(one, megabytes, name === "miss") }))
    const runs = sizes.map(() => ({ wall: [] as number[], cpu: [] as number[] }))
    // Alternating, so that both sizes run in the same conditions; the first turn is a warm-up.
    for (let turn = 0; turn <= 11; turn++)
      for (const [index, { once }] of sizes.entries()) {
        const began = { wall: performance.now(), cpu: processorTime() }
        await once(turn)
        if (turn === 0) continue
        runs[index]?.wall.push(performance.now() - began.wall)
        runs[index]?.cpu.push(processorTime() - began.cpu)
      }
    const [ten = 0, twenty = 0] = runs.map(({ cpu }) => middle(cpu))
    for (const [index, { megabytes }] of sizes.entries())
      say(
        `edit in ${megabytes} MB, ${name}`,
        middle(runs[index]?.wall ?? []),
        index === 1 ? `CPU ${ten.toFixed(0)} to ${twenty.toFixed(0)} ms, x ${(twenty / ten).toFixed(2)}` : "",
      )
  }
}

/** A file of that size, and one edit of it. */
function editor(one: EditCase, megabytes: number, misses: boolean): (turn: number) => Promise<void> {
  const tool = createEditTool(folder)
  const path = join(folder, `edit-${megabytes}.txt`)
  const text = one.line.repeat((megabytes * 1024 * 1024) / Buffer.byteLength(one.line))
  // Marks instead of digits: a unique word would make the search skip the other lines.
  const numbered = (form: string, turn: number) => form.replace("#", "+".repeat(turn + 1))
  writeFileSync(path, `${text}${numbered(one.target, 0)}${one.line.repeat(10)}`)
  return async (turn) => {
    const edits = [{ oldText: numbered(one.oldText, turn), newText: numbered(one.target, turn + 1) }]
    const result = await tool.execute("c", { path, edits }, context)
    if (result.isError !== misses) throw new Error(JSON.stringify(result.content))
  }
}

/** Of all threads of this process, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function ended(program: string, args: readonly string[]): Promise<unknown> {
  return new Promise((done) => spawn(program, args, { cwd: folder, detached: true }).on("close", done))
}

const nothing = ["-c", "true"]
const spawned = () => ended("/bin/bash", nothing)

async function bash(): Promise<void> {
  const tool = createBashTool(folder)
  const { floor, ours, more } = await beside(101, spawned, () => tool.execute("c", { command: "true" }, context))
  say("bash: spawn and wait", floor)
  say("bash: tool", ours, `+ ${more.toFixed(2)} ms`)
  const loud = await peakOf(() => median(1, () => tool.execute("c", { command: "yes | head -c 300000000" }, context)))
  say("bash: 300 MB of output", loud.value, `+ ${loud.megabytes.toFixed(0)} MB`)
}

/** Less than the time of a model's fastest reply. */
const THINKS_MS = 50
/** Consecutive commands without a pause. */
const ROW = 10

async function sandbox(): Promise<void> {
  const local = createLocalHost({ cwd: folder })
  const uid = process.getuid?.() ?? null
  const bwrap = (await local.which("/usr/bin/bwrap")) ?? ""
  const probed = await probeSandbox(local, bwrap, uid)
  if (!probed.works) {
    console.log(`bash: in the sandbox: skipped, ${englishOf(probed.reason)}`)
    return
  }
  const options = sandboxOptions(bwrap, probed.features, uid)
  const run = (host: Host) => {
    const tool = createBashTool(folder, { host })
    return () => tool.execute("c", { command: "true" }, context)
  }
  // Own processes, own devices and a machine that is not written to: no root, no cache, nothing that is hidden.
  const least = ["--unshare-pid", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "/bin/bash", ...nothing]
  const bare = await beside(101, spawned, () => ended(bwrap, least))
  say("bash: spawn and wait", bare.floor)
  say("bubblewrap with the least: spawn and wait", bare.ours, `+ ${bare.more.toFixed(2)} ms`)
  const thinks = () => new Promise((resolve) => setTimeout(resolve, THINKS_MS))
  const sayOurs = (what: string, { ours, more }: Beside, count = 1) =>
    say(`bash: in the sandbox, ${what}`, ours / count, `+ ${(more / count).toFixed(2)} ms`)
  const inside = createSandboxedHost(local, options)
  const gateway = createGateway({ bwrap, nsenter: "/usr/bin/nsenter", uid, network: closed, folder, env: {} })
  const byHost = createSandboxedHost(local, { ...options, gateway })
  sayOurs(`${THINKS_MS} ms apart`, await beside(101, run(local), run(inside), thinks))
  const row = (once: () => Promise<unknown>) => async () => {
    for (let command = 0; command < ROW; command++) await once()
  }
  sayOurs("one behind the other", await beside(11, row(run(local)), row(run(inside))), ROW)
  sayOurs(`by host, ${THINKS_MS} ms apart`, await beside(101, run(local), run(byHost), thinks))
  sayOurs("by host, one behind the other", await beside(11, row(run(local)), row(run(byHost))), ROW)
  await inside.endJobs()
  await byHost.endJobs()
}

/** No connection is allowed: only the setup is measured. */
const closed: NetworkPorts = {
  decide: async () => ({ verdict: "refuse", why: "closed" }),
  ports: async () => [],
  ask: async () => ({ verdict: "refuse", why: "closed" }),
  connect: async () => ({ why: "closed" }),
}

function sandboxOptions(bwrap: string, features: SandboxFeatures, uid: number | null) {
  const roots = [folder, tmpdir()]
  const caches = mkdtempSync(join(folder, "caches-"))
  // As a project has them.
  for (const path of [".vscode/settings.json", ".github/workflows/ci.yml", ".envrc"]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), "")
  }
  const closed = {
    kept: [],
    hidden: [],
    // Lookups are measured even if the home has none of them.
    secrets: secretsOf({ home: homedir(), env: process.env }).map(({ name, base, path }) => ({ name, base, path })),
    revealed: [],
    variables: [],
    autorun: [...autorun.flatMap(({ names }) => names), ".gong"],
    caches,
    network: true,
    features,
    uid,
  }
  return { tier: "workspace", bwrap, roots, ...closed } as const
}

async function read(): Promise<void> {
  const path = join(folder, "huge.txt")
  writeFileSync(path, "a line of text that is not long\n".repeat(200_000))
  truncateSync(path, 5 * 1024 ** 3)
  const tool = createReadTool(folder)
  const small = join(folder, "small.txt")
  writeFileSync(small, "a line of text that is not long\n".repeat(200))
  say("read: 6 KB", await median(41, () => tool.execute("c", { path: small }, context)))
  const page = await peakOf(() => median(21, () => tool.execute("c", { path }, context)))
  say("read: first page of 5 GB", page.value, `+ ${page.megabytes.toFixed(0)} MB`)
  const far = await peakOf(() => median(1, () => tool.execute("c", { path, offset: 300_000 }, context)))
  const rate = (5 * 1024 ** 3) / 1e6 / far.value
  say("read: offset behind 5 GB", far.value, `${rate.toFixed(2)} GB/s, + ${far.megabytes.toFixed(0)} MB`)
}

/** The growth of resident memory during some work, in megabytes. */
async function peakOf<T>(work: () => Promise<T>): Promise<{ value: T; megabytes: number }> {
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5)
  const value = await work()
  clearInterval(watch)
  peak = Math.max(peak, process.memoryUsage().rss)
  return { value, megabytes: (peak - before) / 1e6 }
}

async function truncate(): Promise<void> {
  const text = "a line of text that is not long\n".repeat(330_000)
  say("truncateHead of 10 MB", await median(21, () => truncateHead(text)))
  say("truncateTail of 10 MB", await median(21, () => truncateTail(text)))
}

/** 100,000 small files; every 500th contains the searched word. */
function plant(tree: string): void {
  for (let dir = 0; dir < 500; dir++) {
    const folder = join(tree, `part${dir % 20}`, "src", `module${dir}`)
    mkdirSync(folder, { recursive: true })
    for (let file = 0; file < 200; file++) {
      const needle = file === 7 && dir % 5 < 2 ? "needle\n" : ""
      writeFileSync(
        join(folder, `file${file}.${file % 4 === 0 ? "txt" : "ts"}`),
        `export const a = ${file}\nline\n${needle}`,
      )
    }
  }
}

async function search(): Promise<void> {
  const tree = join(folder, "tree")
  plant(tree)
  const host = createLocalHost({ cwd: tree })
  const rg = (await findRipgrep(host)) ?? "rg"
  const besideRipgrep = async (
    what: string,
    args: readonly string[],
    work: () => Promise<unknown>,
    matches = 0,
  ): Promise<void> => {
    const { floor, ours } = await beside(15, () => spawnSync(rg, args, { cwd: tree, maxBuffer: 1e9 }), work)
    const perMatch = matches === 0 ? "" : `; less 3 us a match x ${((ours - matches * 0.003) / floor).toFixed(2)}`
    say(`rg ${args.join(" ")}`, floor)
    say(what, ours, `x ${(ours / floor).toFixed(2)}${perMatch}`)
  }
  const grep = createGrepTool(tree)
  const find = createFindTool(tree)
  const list = ["--files", "--hidden", "--no-require-git"]
  const json = ["--json", "--line-number", "--hidden", "--no-require-git"]
  await besideRipgrep("grep needle (200 matches)", [...json, "needle", "./"], () =>
    grep.execute("c", { pattern: "needle", limit: 1000 }, context),
  )
  await besideRipgrep("grep without a match", [...json, "absent", "./"], () =>
    grep.execute("c", { pattern: "absent" }, context),
  )
  const everything = () => find.execute("c", { pattern: "*" }, context)
  await besideRipgrep("find * (100,000 matches)", [...list, "--sortr", "modified"], everything)
  await besideRipgrep("find file7.ts (500)", list, () => find.execute("c", { pattern: "file7.ts" }, context), 500)
  await besideRipgrep(
    "find **/module33/*.txt (50)",
    list,
    () => find.execute("c", { pattern: "**/module33/*.txt" }, context),
    50,
  )
  await besideRipgrep("find without a match", list, () => find.execute("c", { pattern: "absent*" }, context))
  const elsewhere = { ...host, id: "elsewhere", which: async () => null }
  const walker = createFindTool(tree, { host: elsewhere })
  say("find file7.ts, built-in walker", await median(3, () => walker.execute("c", { pattern: "file7.ts" }, context)))
  const searcher = createGrepTool(tree, { host: elsewhere })
  say("grep needle, built-in walker", await median(3, () => searcher.execute("c", { pattern: "needle" }, context)))
}

// `node bench/tools.ts search edit` runs only these two.
const parts = { edit, bash, sandbox, read, truncate, search }
const named = process.argv.slice(2)
try {
  for (const [name, part] of Object.entries(parts)) if (named.length === 0 || named.includes(name)) await part()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
