import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { effectsIn } from "./effects.ts"
import type { FuzzWorld } from "./world.ts"

/** An effect of one of the commands other than reading. */
export interface Effect {
  /** Its index among the run commands; null: unknown. */
  readonly index: number | null
  readonly what: string
}

export interface BatchRun {
  readonly effects: readonly Effect[]
  /** Not all of them came to their end in time. */
  readonly hung: boolean
}

/** The one bash that runs a batch: each command as `bash -c` would take it, in a shell of its own, after its number. */
const driver = `i=0
while IFS= read -r -d '' command <&3; do
  read -r _ 2>/dev/null </batch/$i
  (eval "$command") </dev/null >/dev/null 2>&1 3<&-
  i=$((i+1))
done 3<"$1"
`

/** Why nothing can be run here; false when it can. */
export function toolsMissing(): string | false {
  for (const words of [
    [...confined("/tmp"), "true"],
    ["bash", "-c", "true"],
    ["git", "--version"],
    [...confined("/tmp"), "strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=openat", "-o", "/dev/null", "true"],
  ]) {
    const [program = "", ...args] = words
    if (spawnSync(program, args).status !== 0) return `${program} cannot do here what this needs: ${words.join(" ")}`
  }
  return false
}

/** Runs commands one after the other, confined to the world and without network, and returns the changes they made or attempted. */
export function runBatch(world: FuzzWorld, commands: readonly string[], seconds: number): BatchRun {
  const batch = join(world.folder, "batch")
  const log = join(world.folder, "log")
  writeFileSync(batch, commands.map((command) => `${command}\0`).join(""))
  writeFileSync(log, "")
  const before = world.state()
  const [program, ...args] = [...confined(world.folder), ...traced(log), "bash", "-c", driver, "driver", batch]
  const { status } = spawnSync(program, args, {
    cwd: world.project,
    env: environment(world),
    timeout: seconds * 1000,
    killSignal: "SIGKILL",
    stdio: "ignore",
  })
  const effects: Effect[] = [...effectsIn(readFileSync(log, "latin1"), world.folder)]
  const after = world.state()
  if (effects.length === 0 && !sameBut(before, after, ["log"]))
    effects.push({ index: null, what: "the folder changed" })
  return { effects, hung: status !== 0 }
}

function sameBut(before: string, after: string, names: readonly string[]): boolean {
  const kept = (state: string) => state.split("\n").filter((line) => !names.some((name) => line.startsWith(`${name} `)))
  return kept(before).join("\n") === kept(after).join("\n")
}

function confined(folder: string): readonly string[] {
  const bound = folder === "/tmp" ? [] : ["--bind", folder, folder]
  const alone = ["--unshare-all", "--die-with-parent", "--new-session"]
  return ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", ...bound, ...alone]
}

/** System calls that start a program, open a file, or change something. */
const watched =
  "execve,execveat,open,openat,openat2,creat,/^(rename|link|symlink|unlink|mkdir|rmdir|mknod|f?ch(mod|own)|lchown|f?truncate|utime|futimes|l?(set|remove)xattr|u?mount|chroot|connect|bind|send)"

function traced(log: string): readonly string[] {
  return ["strace", "-f", "-qq", "-s", "300", "--seccomp-bpf", "-e", `trace=${watched}`, "-o", log]
}

/** As Gong passes it to commands. */
export function environment({ home, folder }: FuzzWorld): Record<string, string> {
  const ripgrep = createRequire(import.meta.url).resolve("@vscode/ripgrep-linux-x64/bin/rg")
  return {
    HOME: home,
    PATH: `/usr/local/bin:/usr/bin:/bin:${dirname(ripgrep)}`,
    TMPDIR: folder,
    LANG: "C.UTF-8",
    PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    GIT_OPTIONAL_LOCKS: "0",
    // Threads cost time under strace.
    RIPGREP_CONFIG_PATH: join(home, "ripgreprc"),
  }
}
