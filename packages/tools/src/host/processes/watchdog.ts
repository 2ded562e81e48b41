import type { ChildProcess } from "node:child_process"
import { ticksNow, TICKS_PER_SECOND } from "./process-list.ts"

/** Outlives this process, however it dies, and then ends what its commands left running. */
export interface Watchdog {
  started(session: number): void
  /** From now on, in ticks, the number of the session may belong to somebody else. */
  ended(session: number, at: number): void
  /** Nothing is left to end: it goes, and ends nothing. */
  dismiss(): void
}

/** Ended commands whose sessions are still looked at. */
export const REMEMBERED_MAX = 1000

/**
 * A small shell behind a pipe: its end is the end of this process, which no signal can hide from it. It begins before the
 * first command and is not waited for. Without /proc it ends the process groups of the commands that run.
 */
export function startWatchdog(mark: string, path: string): Watchdog {
  const { spawn } = process.getBuiltinModule("node:child_process")
  const [shell = "", ...args] = watchdogCommand(mark)
  const child = spawn(shell, args, {
    cwd: "/",
    // Not the mark of a Gong that runs this one: it must outlive that one's search.
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

/** `+ SESSION` and `- SESSION END` are its input; `q` dismisses it, the end of input without it begins its work. */
export function watchdogCommand(mark: string): readonly string[] {
  const since = ticksNow() - TICKS_PER_SECOND
  return ["/bin/sh", "-c", script, "gong-watchdog", mark, String(since), String(REMEMBERED_MAX)]
}

/** It never keeps this process alive, and where it cannot start or was killed, commands run without it. */
function detach(child: ChildProcess): void {
  child.on("error", () => {})
  child.stdin?.on("error", () => {})
  child.unref()
  const pipe = child.stdin as (NodeJS.WritableStream & { unref?(): void }) | null
  pipe?.unref?.()
}

/**
 * Two lists of sessions: `live` of the commands that run, `left` of those that ended, with the time up to which their
 * number was theirs. A session in `left` is ours as long as one in it is older than that: so long the number was taken.
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
