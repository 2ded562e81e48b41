import { environmentOf, isStill, listProcesses, type ProcessRow, ticksNow, TICKS_PER_SECOND } from "./process-list.ts"
import { type Watchdog, REMEMBERED_MAX, startWatchdog } from "./watchdog.ts"

/**
 * What the named commands of one host have started. It is known by its session, which `setsid` leaves, and by its mark in
 * the environment, which `env -i` leaves: only what sheds both gets away.
 */
export interface ProcessTree {
  /** Where programs are looked for that it needs. */
  readonly path: string
  /**
   * To be called before a command is started: what ends it when this process dies is there first. Gives what the command
   * carries in its environment, as `GONG_JOB`.
   */
  begin(job: string): string
  /** `letGo`: leaves it to itself, when it shall outlive this process. */
  started(job: string, session: number, detach: () => void): void
  ended(job: string): void
  /** Kills what is left of one command; resolves when nothing of it is found any more. */
  end(job: string): Promise<void>
  /** Kills what is left of all of them but those in `keep`, which go on without this process. */
  endAll(keep: readonly string[]): Promise<void>
}

interface Command {
  readonly job: string
  readonly session: number
  detach(): void
  /** Ticks since boot; null while it runs. */
  endedAt: number | null
}

/** A killed process takes a moment to go, and its last child may have come just before. */
const ROUNDS_MAX = 200
const ROUND_MS = 5

/** One mark for this process: the time tells it from an earlier one with the same number. */
const ourMark = `${process.pid}-${process.hrtime.bigint().toString(36)}-${Date.now().toString(36)}`
let hostCount = 0
/** The reaper of this process, and the places with commands that it watches. */
let watchdog: Watchdog | null = null
const watched = new Set<number>()

export function createProcessTree(path: string): ProcessTree {
  const hostNumber = ++hostCount
  const commands = new Map<string, Command>()
  /** Nothing older than the first command can have come from one. */
  let since = Infinity

  const mark = (job: string) => `${ourMark}.${hostNumber}.${job}`
  const killUntilGone = async (wanted: readonly Command[], isMarked: (mark: string) => boolean) => {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const processes = listProcesses()
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
      // A second more than now: clocks are coarse, and no number comes round again so soon.
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
      one.start >= since && one.pid !== process.pid && (sessions.has(one.session) || isMarked(markOf(one.pid) ?? "")),
  )
}

/**
 * The number of a session is taken as long as one process is in it. So it is still the command's while that runs, and after
 * it as long as one is there that began before it ended; else it may be a stranger's by now.
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

function markOf(pid: number): string | null {
  return /\0GONG_JOB=([^\0]*)/.exec(environmentOf(pid))?.[1] ?? null
}

/** Without /proc only the groups of commands that run are certainly theirs. */
function endGroups(commands: readonly Command[]): void {
  for (const { session, endedAt } of commands) if (endedAt === null) kill(-session)
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // Gone already, or another user's.
  }
}
