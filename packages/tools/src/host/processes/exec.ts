import type { ChildProcess, StdioOptions } from "node:child_process"
import { closeSync } from "node:fs"
import type { ExecOptions, ExecResult, HostStdin } from "@gong/spec"
import type { ForkServer } from "../fork-server/fork-server.ts"
import { withInheritedCoreFilter } from "./core-dump.ts"
import type { ProcessTree } from "./process-tree.ts"
import { type Exit, type Started, startedHere } from "./started.ts"
import { openUnnamed } from "./unnamed-file.ts"

/** How long to wait for output after a program has exited while a descendant holds its pipes. */
const QUIET_MS = 100
const LINGER_MS = 1000
/** How long to wait for a killed program, which the kernel may hold, for example on a dead network disk. */
const KILLED_MS = 3000

/**
 * Runs a program in a session and process group of its own, with stdin closed. An abort kills the whole group and, with
 * a job, all its descendants. Rejects only if the program cannot be started (`ENOENT`, `EACCES`, ...).
 */
export function execLocally(
  argv: readonly string[],
  options: ExecOptions,
  processTree: ProcessTree,
): Promise<ExecResult> {
  const [program = "", ...args] = argv
  const env = withJob(options, processTree)
  const start = (): ChildProcess => spawnWith(program, args, { ...options, ...(env && { env }) })
  // Only for commands with a job: if this process crashed during the start, its dump would contain its memory.
  const child = options.job === undefined ? start() : withInheritedCoreFilter(start)
  // A program may exit before it has read all input.
  child.stdin?.on("error", () => {})
  if (options.onStdin === undefined) child.stdin?.end(options.input)
  else if (child.stdin) options.onStdin(openStdin(child.stdin))
  return followed(startedHere(child), options, processTree)
}

/** Bytes that a program may leave unread. */
const UNREAD_MAX = 16 * 1024 * 1024

function openStdin(stdin: NonNullable<ChildProcess["stdin"]>): HostStdin {
  return {
    write(text) {
      if (!stdin.writable || stdin.writableLength > UNREAD_MAX) return false
      stdin.write(text)
      return true
    },
    end: () => void stdin.end(),
  }
}

/** The same for a program that the fork server starts. */
export async function execByServer(
  server: Pick<ForkServer, "start">,
  argv: readonly string[],
  options: ExecOptions & { readonly env: Readonly<Record<string, string>> },
  processTree: ProcessTree,
): Promise<ExecResult> {
  const [program = "", ...args] = argv
  const { cwd, input = null, inputs = [] } = options
  const env = withJob(options, processTree) ?? {}
  const status = options.onStatus !== undefined
  return followed(await server.start({ program, args, cwd, env, input, inputs, status }), options, processTree)
}

function withJob({ job, env }: ExecOptions, processTree: ProcessTree): ExecOptions["env"] {
  return job === undefined ? env : { ...env, GONG_JOB: processTree.begin(job) }
}

/** Follows a program from start to result. */
function followed(child: Started, options: ExecOptions, processTree: ProcessTree): Promise<ExecResult> {
  const { job } = options
  options.onStart?.()
  const { promise, resolve, reject } = Promise.withResolvers<ExecResult>()
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
  const after = async (exit: Exit): Promise<ExecResult> => {
    if (job !== undefined) processTree.ended(job)
    await Promise.all([afterExit(child), status])
    await ending
    return exit
  }
  child.exited.then(after).then(finish, (error: unknown) => {
    options.signal.removeEventListener("abort", kill)
    reject(error)
  })
  options.signal.addEventListener("abort", kill, { once: true })
  if (options.signal.aborted) kill()
  return promise
}

function spawnWith(program: string, args: readonly string[], options: ExecOptions): ChildProcess {
  const { spawn } = process.getBuiltinModule("node:child_process")
  const { cwd, env, input, onStdin, onStatus, inputs = [] } = options
  const files: number[] = []
  try {
    for (const bytes of inputs) files.push(openUnnamed(bytes))
    const more = onStatus || files.length > 0 ? [onStatus ? "pipe" : "ignore", ...files] : []
    const stdio = [
      input === undefined && onStdin === undefined ? "ignore" : "pipe",
      "pipe",
      "pipe",
      ...more,
    ] as StdioOptions
    return spawn(program, args, { cwd, env, detached: true, windowsHide: true, stdio })
  } finally {
    for (const file of files) closeSync(file)
  }
}

/** Each read allocates a buffer outside the heap, and the garbage collector would let many of them accumulate. */
function free(bytes: Buffer): void {
  if (bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength) bytes.buffer.transfer(0)
}

/** Resolves when the program has closed descriptor 3. */
function readStatus({ status: pipe }: Started, { onStatus }: ExecOptions): Promise<void> {
  if (!onStatus || !pipe) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  pipe.on("data", (bytes: Buffer) => onStatus(bytes))
  pipe.on("close", () => resolve())
  return promise
}

/** SIGKILL to the group, to the process if it has no group; nothing if it is gone. */
export function killGroup(child: Pick<Started, "pid" | "kill">): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, "SIGKILL")
  } catch {
    child.kill()
  }
}

/** A program that outlives this process keeps printing. Something must read its output, or it gets SIGPIPE. */
function detach(child: Started, path: string): void {
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
 * Resolves when both pipes are closed. A background process can hold them forever: then the wait ends after a moment of
 * silence, and later output is read and dropped so that the process does not block.
 */
function afterExit(child: Started): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const detach = () => {
    for (const pipe of [child.stdout, child.stderr]) pipe?.unref()
    resolve()
  }
  let heard = 0
  const silent = () => {
    const before = heard
    // Where the event loop was blocked for so long, output that has come is read before this.
    setImmediate(() => heard === before && detach())
  }
  let quiet = setTimeout(silent, QUIET_MS)
  const linger = setTimeout(detach, LINGER_MS)
  const again = () => {
    heard += 1
    clearTimeout(quiet)
    quiet = setTimeout(silent, QUIET_MS)
  }
  child.stdout?.on("data", again)
  child.stderr?.on("data", again)
  const closed = () => {
    clearTimeout(quiet)
    clearTimeout(linger)
    resolve()
  }
  child.closed.then(closed, closed)
  return promise
}
