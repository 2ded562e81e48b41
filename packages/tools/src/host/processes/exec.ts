import type { ChildProcess, StdioOptions } from "node:child_process"
import { closeSync } from "node:fs"
import type { Socket } from "node:net"
import type { ExecOptions, ExecResult } from "@gong/spec"
import { withInheritedCoreFilter } from "./core-dump.ts"
import type { ProcessTree } from "./process-tree.ts"
import { openUnnamed } from "./unnamed-file.ts"

/** How long output is awaited after a program has ended while something it started still holds its pipes. */
const QUIET_MS = 100
const LINGER_MS = 1000
const STATUS_FD = 3
/** How long a killed program may take to be gone: the system can hold it, for a dead network disk for example. */
const KILLED_MS = 3000

/**
 * Runs a program in a session and process group of its own, with stdin closed. When the signal aborts, the whole group is
 * killed, and with a job all else that came of it. Rejects only when the program could not be started (`ENOENT`, `EACCES`,
 * ...).
 */
export function execLocally(
  argv: readonly string[],
  options: ExecOptions,
  processTree: ProcessTree,
): Promise<ExecResult> {
  const { job } = options
  const { promise, resolve, reject } = Promise.withResolvers<ExecResult>()
  const [program = "", ...args] = argv
  const env = job === undefined ? options.env : { ...options.env, GONG_JOB: processTree.begin(job) }
  const child = withInheritedCoreFilter(() => spawnWith(program, args, { ...options, ...(env && { env }) }))
  // A program may well end without having read it all.
  child.stdin?.on("error", () => {})
  child.stdin?.end(options.input)
  const status = readStatus(child, options)
  if (job !== undefined && child.pid !== undefined)
    processTree.started(job, child.pid, () => detach(child, processTree.path))
  let ending: Promise<void> | undefined
  let killed: NodeJS.Timeout | undefined
  const kill = () => {
    killGroup(child)
    if (job !== undefined) ending ??= processTree.end(job)
    killed ??= setTimeout(() => finish({ code: null, signal: "SIGKILL" }), KILLED_MS)
  }
  let listening = true
  const finish = (result: ExecResult) => {
    listening = false
    clearTimeout(killed)
    options.signal.removeEventListener("abort", kill)
    resolve(result)
  }
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.on("data", (bytes: Buffer) => {
      if (listening) options.onData(bytes, stream)
      free(bytes)
    })
  child.on("error", (error) => {
    if (child.pid !== undefined) return
    options.signal.removeEventListener("abort", kill)
    reject(error)
  })
  child.on("exit", (code, signal) => {
    if (job !== undefined) processTree.ended(job)
    Promise.all([afterExit(child), status])
      .then(() => ending)
      .then(() => finish({ code, signal }), reject)
  })
  options.signal.addEventListener("abort", kill, { once: true })
  if (options.signal.aborted) kill()
  return promise
}

function spawnWith(program: string, args: readonly string[], options: ExecOptions): ChildProcess {
  const { spawn } = process.getBuiltinModule("node:child_process")
  const { cwd, env, input, onStatus, inputs = [] } = options
  const files: number[] = []
  try {
    for (const bytes of inputs) files.push(openUnnamed(bytes))
    const more = onStatus || files.length > 0 ? [onStatus ? "pipe" : "ignore", ...files] : []
    const stdio = [input === undefined ? "ignore" : "pipe", "pipe", "pipe", ...more] as StdioOptions
    return spawn(program, args, { cwd, env, detached: true, windowsHide: true, stdio })
  } finally {
    for (const file of files) closeSync(file)
  }
}

/** Every read has a room of its own, and the collector, which sees small objects only, would let many of them pile up. */
function free(bytes: Buffer): void {
  if (bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength) bytes.buffer.transfer(0)
}

/** Ends when the program has closed descriptor 3. */
function readStatus(child: ChildProcess, { onStatus }: ExecOptions): Promise<void> {
  const pipe = child.stdio[STATUS_FD]
  if (!onStatus || !pipe) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  pipe.on("data", (bytes: Buffer) => onStatus(bytes))
  pipe.on("close", () => resolve())
  return promise
}

/** SIGKILL to the group; to the one process when there is no group; nothing when it is gone already. */
export function killGroup(child: Pick<ChildProcess, "pid" | "kill">): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, "SIGKILL")
  } catch {
    child.kill("SIGKILL")
  }
}

/** A program that outlives this one goes on printing: somebody must read it, or it dies of a broken pipe. */
function detach(child: ChildProcess, path: string): void {
  const { spawn } = process.getBuiltinModule("node:child_process")
  for (const pipe of [child.stdout, child.stderr]) {
    pipe?.removeAllListeners("data").pause()
    const reader = spawn("cat", [], {
      cwd: "/",
      env: { PATH: path },
      detached: true,
      stdio: [pipe, "ignore", "ignore"],
    })
    reader.on("error", () => {})
    reader.unref()
  }
  child.unref()
}

/**
 * Ends when both pipes are closed. A process left in the background can hold them for ever: then the wait ends when
 * nothing came for a moment, and what it prints later is read and dropped so that it is not stopped by a full pipe.
 */
function afterExit(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const detach = () => {
    for (const pipe of [child.stdout, child.stderr]) (pipe as Socket | null)?.unref()
    resolve()
  }
  let quiet = setTimeout(detach, QUIET_MS)
  const linger = setTimeout(detach, LINGER_MS)
  const again = () => {
    clearTimeout(quiet)
    quiet = setTimeout(detach, QUIET_MS)
  }
  child.stdout?.on("data", again)
  child.stderr?.on("data", again)
  child.once("close", () => {
    clearTimeout(quiet)
    clearTimeout(linger)
    resolve()
  })
  return promise
}
