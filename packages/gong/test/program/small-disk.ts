import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Stage } from "./harness.ts"

/** Why no small disk can be made here; false when it can. */
export const noSmallDisk: string | false = (() => {
  const tried = spawnSync("bwrap", ["--dev-bind", "/", "/", "--size", "4096", "--tmpfs", "/tmp", "true"], {
    encoding: "utf8",
  })
  if (tried.error !== undefined) return "there is no bubblewrap to make a small disk with"
  return tried.status === 0 ? false : `bubblewrap makes no small disk here: ${tried.stderr.trim().split("\n")[0]}`
})()

export interface SmallDisk {
  /** For `RunOptions.under`: the folder is a disk of its own while the program runs. */
  readonly under: readonly string[]
  /** A file that lay on it when the program had ended. */
  read(path: string): string
  /** All that lay there, in a folder that stays. */
  readonly kept: string
}

/** A tmpfs of this many kilobytes at a folder of the stage; `out`: stdout goes to a file `out` on it. */
export function smallDisk(stage: Stage, folder: string, kilobytes: number, { out = false } = {}): SmallDisk {
  const kept = join(stage.root, "kept")
  for (const path of [folder, kept]) mkdirSync(path, { recursive: true })
  const run = out ? '"$@" >"$from/out"' : '"$@"'
  const script = `from=$1 to=$2; shift 2; ${run}; status=$?; cp -a "$from/." "$to"; exit $status`
  const disk = ["--dev-bind", "/", "/", "--size", String(kilobytes * 1024), "--tmpfs", folder]
  return {
    under: ["bwrap", ...disk, "sh", "-c", script, "sh", folder, kept],
    read: (path) => readFileSync(join(kept, path), "utf8"),
    kept,
  }
}
