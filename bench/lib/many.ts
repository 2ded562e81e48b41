import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { text } from "node:stream/consumers"
import { join } from "node:path"
import type { Bench, Figure } from "./lines.ts"
import type { HostOrder, HostReport } from "./many/host.ts"
import { makeWorkspace } from "./many/work.ts"

/** Milliseconds over which the starts of the sessions are spread. */
const spread = 4000
/** Sessions in one workspace. */
const together = 10
/** Additional milliseconds of a sync on the slow disk. */
const slowSync = 50
const limitMs = 600_000

/** Many sessions in one process: their effect on its event loop and its memory, idle and closed. */
export async function many(bench: Bench): Promise<readonly Figure[]> {
  const [working, idle] = bench.smoke ? [20, 100] : [200, 2000]
  const model = await startModel()
  try {
    const run = (name: string, variant: Variant) => hosted(bench, `${model.url}/${name}`, name, variant)
    const plain = await run("plain", { sessions: working, workspaces: working / together })
    const extended = await run("extended", { sessions: working, workspaces: 2, extension: true })
    const slow = await run("slow", { sessions: working, workspaces: working / together, slow: true })
    const rest = await run("idle", { sessions: idle, workspaces: 1, idle: true })
    return [
      ...worked(`${working} sessions x 5 tool turns`, plain, 400),
      ...worked("  with one extension", extended, 450),
      ...worked(`  each sync ${slowSync} ms longer`, slow, 400),
      amount(`${idle} idle sessions, each`, rest.perSession / 1000, 200, "KB"),
      amount(`  closing them`, rest.closing, 5000, "ms"),
      amount("  event loop blocked by that at most", rest.closingBlock, 100, "ms"),
      amount("  errors", errorsOf(rest), 0, ""),
    ]
  } finally {
    model.close()
  }
}

/** One variant; `megabytes` is the limit of its peak memory. */
function worked(line: string, report: HostReport, megabytes: number): readonly Figure[] {
  return [
    amount(`${line}: errors`, errorsOf(report), 0, ""),
    amount("  event loop late, p50", report.p50, Infinity, "ms"),
    amount("  event loop late, p99", report.p99, 50, "ms"),
    amount("  event loop late, at most", report.worst, Infinity, "ms"),
    amount("  processor time of the process, without commands", report.cpu, Infinity, "ms"),
    amount("  peak memory", report.peak / 1e6, megabytes, "MB"),
    amount("  wall time", report.wall, Infinity, "ms"),
  ]
}

function errorsOf({ errors }: HostReport): number {
  for (const error of errors.slice(0, 3)) console.error(error.slice(0, 500))
  return errors.length
}

function amount(line: string, value: number, limit: number, unit: string): Figure {
  const shown = (one: number) => `${one.toFixed(one < 10 && unit === "ms" ? 1 : 0)} ${unit}`.trim()
  return {
    line,
    budget: limit === Infinity ? "" : `<= ${shown(limit)}`,
    floor: "",
    gong: shown(value),
    judged: value,
    limit,
  }
}

interface Variant extends Pick<HostOrder, "sessions"> {
  /** How many workspaces the sessions share. */
  readonly workspaces: number
  readonly extension?: boolean
  readonly slow?: boolean
  readonly idle?: boolean
}

/** One process of many sessions, from its start to its end. */
async function hosted({ folder, node }: Bench, url: string, name: string, variant: Variant): Promise<HostReport> {
  const place = join(folder, `many ${name}`)
  const home = join(place, "home")
  mkdirSync(join(home, ".gong/extensions"), { recursive: true, mode: 0o700 })
  mkdirSync(join(place, "tmp"))
  const workspaces = Array.from({ length: variant.workspaces }, (_, n) => join(place, `workspace-${n}`))
  workspaces.forEach(makeWorkspace)
  if (variant.extension === true) writeFileSync(join(home, ".gong/extensions/gate.ts"), extension)
  const order: HostOrder = {
    url,
    workspaces,
    sessions: variant.sessions,
    spread: variant.idle === true ? null : spread,
  }
  const preload = variant.slow === true ? ["--require", join(import.meta.dirname, "many/slow-disk.cjs")] : []
  const child = spawn(
    node,
    ["--expose-gc", ...preload, join(import.meta.dirname, "many/host.ts"), JSON.stringify(order)],
    {
      cwd: place,
      env: {
        PATH: "/usr/local/bin:/usr/bin:/bin",
        HOME: home,
        GONG_HOME: join(home, ".gong"),
        TMPDIR: join(place, "tmp"),
        SLOW_MS: String(slowSync),
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  )
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs)
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "exit")])
  clearTimeout(timer)
  rmSync(place, { recursive: true, force: true })
  if (code !== 0) throw new Error(`the process of ${variant.sessions} sessions ended with ${String(code)}`)
  return JSON.parse(printed) as HostReport
}

/** It is asked before each call. */
const extension = `import type { ExtensionApi } from "gong/extension"

export default function (gong: ExtensionApi): void {
  gong.hook({
    beforeToolCall: ({ tool }) => (tool === "forbidden" ? { answer: "block", reason: "not here" } : undefined),
  })
}
`

async function startModel() {
  const child = spawn(process.execPath, [join(import.meta.dirname, "many/model.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line] = (await once(child.stdout, "data")) as [Buffer]
  return { url: line.toString().trim(), close: () => void child.kill() }
}
