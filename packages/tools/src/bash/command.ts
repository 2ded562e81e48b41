import type { Clock, ExecResult, Host } from "@gong/spec"
import { collectOutput, type Output, type OutputOptions } from "./output/output.ts"
import type { ExitReason } from "./texts.ts"

export interface CommandStart extends OutputOptions {
  readonly host: Host
  readonly clock: Clock
  /** The command as the model wrote it. */
  readonly text: string
  readonly argv: string | readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly unsandboxed?: boolean
}

/** A started command. It may move to the background later. */
export interface Command {
  readonly text: string
  /** The job name at the host. */
  readonly name: string
  readonly startedAt: number
  readonly output: Output
  /** How it exited; null while it runs. */
  exit(): ExitReason | null
  /** Notes for the model from the host, for example from the sandbox. */
  readonly notes: readonly string[]
  /** What a sandbox denied to it; null while it runs, too. */
  blocked(): string | null
  /** Resolves when it has exited and all output was received. Rejects if it could not be started. */
  readonly ended: Promise<ExitReason>
  /** Kills it. The first reason wins. */
  stop(why: ExitReason): void
  /** Replaces the receiver of new output; null for none. */
  watch(watcher: OutputOptions["onOutput"] | null): void
}

/** Counts commands, so that each has a unique job name at any host. */
let count = 0

export function startCommand(start: CommandStart): Command {
  const { host, clock, text, argv, cwd, env, unsandboxed = false } = start
  const name = String(++count)
  const killing = new AbortController()
  let watcher: OutputOptions["onOutput"] | null = start.onOutput
  let why: ExitReason | null = null
  let exit: ExitReason | null = null
  const notes: string[] = []
  let blocked: string | null = null
  const output = collectOutput({ ...start, onOutput: (bytes) => watcher?.(bytes) })
  const startedAt = clock.now()
  const ended = host
    .exec(argv, { cwd, env, unsandboxed, signal: killing.signal, job: name, onData: output.add })
    .then((result) => {
      if (result.note !== undefined) notes.push(result.note)
      blocked = result.blocked ?? null
      return (exit = why ?? exitOf(result))
    })
  return {
    text,
    name,
    startedAt,
    output,
    notes,
    blocked: () => blocked,
    exit: () => exit,
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
