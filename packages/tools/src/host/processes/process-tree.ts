import {
  environmentOf,
  isStill,
  type ProcessRow,
  sharedProcessList,
  ticksNow,
  TICKS_PER_SECOND,
} from "./process-list.ts"
import { type Watchdog, REMEMBERED_MAX, startWatchdog } from "./watchdog.ts"

/**
 * Tracks all descendants of a host's named commands. They are recognized by their session, which `setsid` leaves, and
 * by a mark in their environment, which `env -i` removes. Only a process that does both escapes.
 */
export interface ProcessTree {
  /** The PATH for helper programs. */
  readonly path: string
  /**
   * Called before a command is started, so that the watchdog exists first. Returns the mark for its environment,
   * `GONG_JOB`.
   */
  begin(job: string): string
  /** `detach` is called if the command shall outlive this process. */
  started(job: string, session: number, detach: () => void): void
  ended(job: string): void
  /** Kills the remaining processes of one command. Resolves when none is found any more. */
  end(job: string): Promise<void>
  /** Kills the remaining processes of all commands except those in `keep`, which are detached. */
  endAll(keep: readonly string[]): Promise<void>
}

interface Command {
  readonly job: string
  readonly session: number
  detach(): void
  /** Ticks since boot; null while it runs. */
  endedAt: number | null
}

/** A killed process takes a moment to exit, and may have forked just before. */
const ROUNDS_MAX = 200
const ROUND_MS = 5

/** Unique for this process: the time distinguishes it from an earlier process with the same pid. */
const ourMark = `${process.pid}-${process.hrtime.bigint().toString(36)}-${Date.now().toString(36)}`
let hostCount = 0
/** The watchdog of this process, and the hosts whose commands it watches. */
let watchdog: Watchdog | null = null
const watched = new Set<number>()

export function createProcessTree(path: string): ProcessTree {
  const hostNumber = ++hostCount
  const commands = new Map<string, Command>()
  /** A process older than the first command cannot be a descendant. */
  let since = Infinity

  const mark = (job: string) => `${ourMark}.${hostNumber}.${job}`
  const killUntilGone = async (wanted: readonly Command[], isMarked: (mark: string) => boolean) => {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const processes = await sharedProcessList()
      if (processes === null) return endGroups(wanted)
      const found = findDescendants(processes, wanted, since, isMarked)
      if (found.length === 0) return
      for (const one of found) if (isStill(one)) kill(one.pid)
      await new Promise((resolve) => setTimeout(resolve, ROUND_MS))
    }
  }
  return {
    path,
    begin(job) {
      watched.add(hostNumber)
      watchdog ??= startWatchdog(ourMark, path)
      return mark(job)
    },
    started(job, session, detach) {
      since = Math.min(since, ticksNow() - TICKS_PER_SECOND)
      commands.set(job, { job, session, detach, endedAt: null })
      forgetOldest(commands)
      watchdog?.started(session)
    },
    ended(job) {
      const command = commands.get(job)
      if (command === undefined || command.endedAt !== null) return
      // One second later, because the clock is coarse and pids are not reused so soon.
      command.endedAt = ticksNow() + TICKS_PER_SECOND
      watchdog?.ended(command.session, command.endedAt)
    },
    async end(job) {
      const command = commands.get(job)
      const wanted = mark(job)
      if (command !== undefined) await killUntilGone([command], (found) => found === wanted)
    },
    async endAll(keep) {
      for (const { job, endedAt, detach } of commands.values()) if (keep.includes(job) && endedAt === null) detach()
      const spared = new Set(keep.map(mark))
      const wanted = [...commands.values()].filter(({ job }) => !keep.includes(job))
      const prefix = mark("")
      if (commands.size > 0) await killUntilGone(wanted, (found) => found.startsWith(prefix) && !spared.has(found))
      commands.clear()
      watched.delete(hostNumber)
      if (watched.size > 0) return
      watchdog?.dismiss()
      watchdog = null
    },
  }
}

function forgetOldest(commands: Map<string, Command>): void {
  if (commands.size <= REMEMBERED_MAX) return
  for (const { job, endedAt } of commands.values()) if (endedAt !== null) return void commands.delete(job)
}

function findDescendants(
  processes: readonly ProcessRow[],
  commands: readonly Command[],
  since: number,
  isMarked: (mark: string) => boolean,
): readonly ProcessRow[] {
  const sessions = ownedSessions(processes, commands)
  return processes.filter(
    (one) =>
      one.start >= since && one.pid !== process.pid && (sessions.has(one.session) || isMarked(markOf(one) ?? "")),
  )
}

/**
 * A session id stays taken while the session has a process. So it belongs to the command while that runs, and
 * afterwards as long as it has a process older than the exit of the command. Otherwise it may have been reused.
 */
export function ownedSessions(
  processes: readonly Pick<ProcessRow, "session" | "start">[],
  commands: readonly Pick<Command, "session" | "endedAt">[],
): ReadonlySet<number> {
  const ends = new Map<number, number>()
  for (const { session, endedAt } of commands) ends.set(session, endedAt ?? Infinity)
  const theirs = new Set<number>()
  for (const { session, start } of processes) if (start <= (ends.get(session) ?? -1)) theirs.add(session)
  return theirs
}

/** Of the rows of a list that several hosts look through. */
const marks = new WeakMap<ProcessRow, string | null>()

function markOf(row: ProcessRow): string | null {
  const known = marks.get(row)
  if (known !== undefined) return known
  const mark = /\0GONG_JOB=([^\0]*)/.exec(environmentOf(row.pid))?.[1] ?? null
  marks.set(row, mark)
  return mark
}

/** Without /proc only the process groups of running commands are certain. */
function endGroups(commands: readonly Command[]): void {
  for (const { session, endedAt } of commands) if (endedAt === null) kill(-session)
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // Already gone, or owned by another user.
  }
}
