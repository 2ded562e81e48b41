import assert from "node:assert/strict"
import { lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { TestContext } from "node:test"
import { attack, type Attempt, type Guard } from "@gong/testing/attacks"
import { openStage, type RunOptions, type Stage } from "../program/harness.ts"

// Another user of the machine reads and writes as permitted by file modes, and the user's umask may permit everything.

const open: RunOptions = { under: ["sh", "-c", 'umask 000; exec "$@"', "sh"] }

/** All files of Gong: sessions, artifacts, settings, keys, the index, caches, recordings, input from stdin. */
async function used(stage: Stage): Promise<void> {
  const calls = [
    { name: "write", args: { path: "a.txt", content: "x\n".repeat(9000) } },
    { name: "bash", args: { command: "seq 100000; touch made" } },
  ]
  stage.server.begin([{ calls }, { text: "Right." }, { text: "Right." }, { text: "Right." }])
  const runs: readonly (readonly [readonly string[], RunOptions?])[] = [
    [["-p", "--yolo", "--set", "record=on", "look"]],
    [["-p", "look"], { stdin: "long\n".repeat(100_000) }],
    [["config", "set", "theme", "dark"]],
    [["login", "--base-url", stage.env["GONG_BASE_URL"] ?? ""], { stdin: "sk-0123456789\n" }],
    [["sessions", "search", "look"]],
    [["trust", "no"]],
    [["doctor"]],
  ]
  for (const [args, more] of runs) {
    const run = await stage.gong(args, { ...open, ...more })
    assert.ok(run.status === 0 || args[0] === "doctor", `${args.join(" ")}: ${run.err}`)
  }
}

/** Files that others could read or write, if they get through the parent folders. */
function openTo(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    const found = lstatSync(path)
    if (found.isSymbolicLink() || (found.mode & 0o077) === 0) return []
    return [path, ...(found.isDirectory() ? openTo(path) : [])]
  })
}

attack("what Gong keeps in its home and in the temporary folder is open to nobody else, whatever the umask", keeps)

async function keeps(t: TestContext, guard: Guard): Promise<Attempt> {
  const stage = await openStage(t)
  await used(stage)
  const places = guard === "on" ? [stage.gongHome, stage.temp] : [stage.repo]
  const found = places.flatMap(openTo).filter((path) => !path.includes("/.git/"))
  const own = (lstatSync(stage.gongHome).mode & 0o077) !== 0 ? [stage.gongHome] : []
  return { reached: found.length > 0 || (guard === "on" && own.length > 0), printed: [...own, ...found].join(" ") }
}
