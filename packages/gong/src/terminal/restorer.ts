import { spawn } from "node:child_process"
import type { Clock } from "@gong/spec"
import { lineModes, modesOff } from "./modes.ts"

/** A process that restores the terminal when this one dies without doing so: killed, or out of memory. */
export interface Restorer {
  /** The modes are set, or restored. */
  tell(isSet: boolean): void
  dismiss(): void
}

export interface RestorerDeps {
  readonly clock: Clock
  /** The variable PATH, for `stty`. */
  readonly path: string
}

/** Milliseconds after which the process is started: not during the start. */
const START_MS = 500

export function createRestorer({ clock, path }: RestorerDeps): Restorer {
  let tell: ((state: string) => void) | null = null
  let state = "restored"
  const cancel = clock.timer(START_MS, () => {
    tell = startShell(path)
    tell(state)
  })
  return {
    tell(isSet) {
      state = isSet ? "set" : "restored"
      tell?.(state)
    },
    dismiss() {
      cancel()
      tell?.("end")
    },
  }
}

/**
 * A small shell that reads from a pipe; its end means that this process has died. A shell that waits for Gong may have set its own
 * modes by then, so `stty` is called only where signals are still off, as this process leaves it.
 */
function startShell(path: string): (state: string) => void {
  const child = spawn("/bin/sh", ["-c", script, "gong-restorer", modesOff], {
    cwd: "/",
    env: { PATH: path },
    detached: true,
    stdio: ["pipe", "ignore", "ignore", 1],
  })
  // Without it the next start repairs the terminal.
  child.on("error", () => {})
  const pipe = child.stdin as (NodeJS.WritableStream & { unref(): void }) | null
  pipe?.on("error", () => {})
  pipe?.unref()
  child.unref()
  return (state) => void pipe?.write(`${state}\n`)
}

/** $1: the bytes that turn the modes off. Standard output of Gong is file 3. */
const script = [
  "trap '' HUP INT QUIT TERM TTOU PIPE",
  "state=set",
  "while read -r line; do",
  '  state=$line; [ "$state" = end ] && exit 0',
  "done",
  '[ "$state" = set ] || exit 0',
  `case $(stty -a <&3) in *-isig*) stty ${lineModes.join(" ")} <&3 ;; esac`,
  'printf %s "$1" >&3',
].join("\n")
