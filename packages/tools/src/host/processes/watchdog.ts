import type { ChildProcess } from "node:child_process"
import { ticksNow, TICKS_PER_SECOND } from "./process-list.ts"

/** Outlives this process, however it dies, and then kills the remaining processes of its commands. */
export interface Watchdog {
  started(session: number): void
  /** From this time on, in ticks, the session id may be reused. */
  ended(session: number, at: number): void
  /** Nothing is left to kill, so the watchdog exits. */
  dismiss(): void
}

/** Number of exited commands whose sessions are still checked. */
export const REMEMBERED_MAX = 1000

/**
 * A small shell that reads from a pipe. End of file means that this process has died, even by SIGKILL. It is started
 * before the first command, without waiting. Without /proc it kills the process groups of running commands.
 */
export function startWatchdog(mark: string, path: string): Watchdog {
  const { spawn } = process.getBuiltinModule("node:child_process")
  const [shell = "", ...args] = watchdogCommand(mark)
  const child = spawn(shell, args, {
    cwd: "/",
    // Without the mark of an outer Gong, whose search would kill it.
    env: { PATH: path },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  detach(child)
  const tell = (line: string) => void child.stdin?.write(`${line}\n`)
  return {
    started: (session) => tell(`+ ${session}`),
    ended: (session, at) => tell(`- ${session} ${at}`),
    dismiss: () => void child.stdin?.end("q\n"),
  }
}

/** Reads `+ SESSION` and `- SESSION END`. `q` dismisses it; end of file without `q` starts the kill. */
export function watchdogCommand(mark: string): readonly string[] {
  const since = ticksNow() - TICKS_PER_SECOND
  return ["/bin/sh", "-c", script, "gong-watchdog", mark, String(since), String(REMEMBERED_MAX)]
}

/** Never keeps this process alive. If it cannot start or was killed, commands run without it. */
function detach(child: ChildProcess): void {
  child.on("error", () => {})
  child.stdin?.on("error", () => {})
  child.unref()
  const pipe = child.stdin as (NodeJS.WritableStream & { unref?(): void }) | null
  pipe?.unref?.()
}

/**
 * `live` holds the sessions of running commands, `left` those of exited ones with their exit time. A session in `left`
 * is ours while it has a process older than that time, because the id was taken until then.
 */
const script = [
  "trap '' HUP INT QUIT TERM PIPE",
  "mark=$1 since=$2 most=$3 live=' ' left=' ' count=0",
  "while read -r what session end; do",
  "  case $what in",
  '  +) live="$live$session " ;;',
  "  -)",
  '    case $live in *" $session "*) live="${live%% $session *} ${live#* $session }" ;; esac',
  '    left="$left$session:$end " count=$((count + 1))',
  `    [ $count -gt $most ] && left=" \${left#' '*' '}"`,
  "    ;;",
  "  q) exit 0 ;;",
  "  esac",
  "done",
  "for session in $live; do kill -9 -$session; done",
  "round=0 found=1",
  'while [ -r /proc/self/stat ] && [ -n "$found" ] && [ $round -lt 100 ]; do',
  "  round=$((round + 1)) found='' rows='' ours=$live",
  "  for folder in /proc/[0-9]*; do",
  "    read -r line <$folder/stat || continue",
  "    set -- ${line##*) }",
  "    case $1 in Z | X) continue ;; esac",
  '    rows="$rows ${folder#/proc/}:$4:${20}"',
  '    case $left in *" $4:"*)',
  "      end=${left##* $4:}",
  '      [ ${20} -le ${end%% *} ] && ours="$ours$4 "',
  "      ;;",
  "    esac",
  "  done",
  "  for row in $rows; do",
  "    pid=${row%%:*} start=${row##*:} session=${row#*:}",
  "    case $ours in",
  '    *" ${session%:*} "*) ;;',
  `    *) [ $start -ge $since ] && tr '\\0' '\\n' </proc/$pid/environ | grep -qF "GONG_JOB=$mark." || continue ;;`,
  "    esac",
  "    kill -9 $pid && found=1",
  "  done",
  '  [ -z "$found" ] || sleep 0.02 || sleep 1',
  "done",
].join("\n")
