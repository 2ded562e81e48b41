import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { IPty } from "@lydell/node-pty"
import type { Bench, Figure } from "./lines.ts"
import { monotonic } from "./run.ts"

// CommonJS.
const { spawn } = createRequire(import.meta.url)("@lydell/node-pty") as typeof import("@lydell/node-pty")

export const size = { cols: 120, rows: 40 }
export const gongScript = join(import.meta.dirname, "../../packages/gong/bin/gong.js")
/** The end of a frame; the first one has the input. */
export const frameEnd = "\u001B[?2026l"
/** Clock ticks of a second in /proc. */
const TICKS = 100

export interface Session {
  readonly pty: IPty
  readonly home: string
  readonly repo: string
  readonly startedAt: number
  /** All bytes so far. */
  output(): string
  bytes(): number
  /** Resolves with the time at which the output contained the text. */
  until(text: string): Promise<number>
  /** `before`: called with the files of the home still there. */
  end(before?: () => void): Promise<void>
}

export async function ended({ pty }: Session, { model }: Bench, replies: number): Promise<void> {
  for (let left = 600; left > 0; left--) {
    await sleep(100)
    const { requests } = await model.log()
    if (requests.filter(({ endedAt }) => Number.isFinite(endedAt)).length >= replies) return sleep(300)
  }
  throw new Error(`the reply did not end (process ${pty.pid})`)
}

/** Arguments for the model server of the benchmark. */
export function modelArgs(bench: Bench): readonly string[] {
  return ["--api", "openai-completions", "--base-url", `${bench.model.url}/v1`, "--api-key", "mock", "-m", "mock"]
}

/** A conversation on the screen. `prepare`: makes files in the home and the repository before the start. */
export function open(
  bench: Bench,
  more: readonly string[] = [],
  prepare: Prepare = () => undefined,
  env: Readonly<Record<string, string>> = {},
): Session {
  return start(bench, [bench.node, gongScript, "--yolo", ...modelArgs(bench), ...more], prepare, env)
}

export type Prepare = (home: string, repo: string) => void

export function start(
  bench: Bench,
  [program = "", ...args]: readonly string[],
  prepare: Prepare = () => undefined,
  env: Readonly<Record<string, string>> = {},
): Session {
  const home = mkdtempSync(join(bench.folder, "terminal-"))
  const repo = join(home, "repo")
  mkdirSync(repo)
  writeFileSync(join(repo, "a.txt"), "a\n")
  prepare(home, repo)
  const startedAt = monotonic()
  const pty = spawn(program, args, {
    ...size,
    name: "xterm-256color",
    cwd: repo,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      GONG_HOME: join(home, "gong"),
      GONG_DIST: "1",
      LANG: "C.UTF-8",
      ...env,
    },
  })
  let output = ""
  let listeners: (() => void)[] = []
  pty.onData((data) => {
    output += data
    for (const listener of listeners) listener()
  })
  const exited = new Promise<void>((resolve) => pty.onExit(() => resolve()))
  return {
    pty,
    home,
    repo,
    startedAt,
    output: () => output,
    bytes: () => Buffer.byteLength(output),
    until: (text) =>
      new Promise((resolve, reject) => {
        const fail = (how: string): void =>
          reject(new Error(`${how} without ${JSON.stringify(text)}: ${JSON.stringify(output.slice(-500))}`))
        const timer = setTimeout(() => fail("60 s"), 60_000)
        const check = (): void => {
          if (!output.includes(text)) return
          clearTimeout(timer)
          resolve(monotonic())
        }
        listeners = [check]
        check()
        exited.then(() => fail("ended"), reject)
      }),
    async end(before) {
      pty.kill("SIGTERM")
      await exited
      before?.()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** A conversation whose session is open. */
export async function ready(
  bench: Bench,
  more: readonly string[] = [],
  prepare?: Prepare,
  env?: Readonly<Record<string, string>>,
): Promise<Session> {
  const gong = open(bench, more, prepare, env)
  await gong.until("mock ·")
  await sleep(300)
  return gong
}

/** User and system time of a process, in milliseconds. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS
}

export function figure(
  line: string,
  value: number,
  { floor, limit, unit }: { readonly floor?: number; readonly limit: number; readonly unit: string },
): Figure {
  const shown = (one: number): string =>
    `${one >= 10 || Number.isInteger(one) ? one.toFixed(0) : one.toFixed(2)} ${unit}`.trim()
  return {
    line,
    budget: `<= ${limit} ${unit}`.trim(),
    floor: floor === undefined ? "" : shown(floor),
    gong: shown(value),
    judged: value,
    limit,
  }
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}
