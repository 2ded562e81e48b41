import type { Clock, ExecResult, Host } from "@gong/spec"
import { collectOutput, type Output, type OutputOptions } from "./output/output.ts"
import type { ExitReason } from "./texts.ts"

export interface CommandStart extends OutputOptions {
  readonly host: Host
  readonly clock: Clock
  /** As the model wrote it. */
  readonly text: string
  readonly argv: string | readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly unsandboxed?: boolean
}

/** A command that was started: in the foreground first, perhaps in the background later. */
export interface Command {
  readonly text: string
  /** Its name at the host. */
  readonly name: string
  readonly startedAt: number
  readonly output: Output
  /** How it ended; null while it runs. */
  readonly exit: ExitReason | null
  /** Lines for the model about what the place did to it. */
  readonly notes: readonly string[]
  /** When it has ended and its output is there. Rejects when it could not be started. */
  readonly ended: Promise<ExitReason>
  /** Kills it; of several reasons the first counts. */
  stop(why: ExitReason): void
  /** Who is told new output from now on; null for nobody. */
  watch(watcher: OutputOptions["onOutput"] | null): void
}

/** Commands so far: each has a name of its own at whatever host. */
let count = 0

export function startCommand(start: CommandStart): Command {
  const { host, clock, text, argv, cwd, env, unsandboxed = false } = start
  const name = String(++count)
  const killing = new AbortController()
  let watcher: OutputOptions["onOutput"] | null = start.onOutput
  let why: ExitReason | null = null
  let exit: ExitReason | null = null
  const notes: string[] = []
  const output = collectOutput({ ...start, onOutput: (bytes) => watcher?.(bytes) })
  const startedAt = clock.now()
  const ended = host
    .exec(argv, { cwd, env, unsandboxed, signal: killing.signal, job: name, onData: output.add })
    .then((result) => {
      if (result.note !== undefined) notes.push(result.note)
      return (exit = why ?? exitOf(result))
    })
  return {
    text,
    name,
    startedAt,
    output,
    notes,
    get exit() {
      return exit
    },
    ended,
    stop(reason) {
      why ??= reason
      killing.abort()
    },
    watch: (next) => void (watcher = next),
  }
}

function exitOf({ code, signal }: ExecResult): ExitReason {
  return code === null ? { how: "signal", signal: signal ?? "unknown" } : { how: "exit", code }
}
