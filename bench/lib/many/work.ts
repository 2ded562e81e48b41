import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { PlayedCall } from "../../../testing/src/model-server.ts"

const files = 40
export const turns = 5

/** The calls of one session: reading, writing, a command, a search, repeated. */
export function callsOf(session: number): readonly PlayedCall[] {
  const file = `file${session % files}.txt`
  const kinds: readonly PlayedCall[] = [
    { name: "read", args: { path: file } },
    { name: "write", args: { path: `notes/${session}.txt`, content: `Notes of session ${session}.\n`.repeat(20) } },
    { name: "bash", args: { command: `sort ${file} > sorted/${session}.txt` } },
    { name: "grep", args: { pattern: "line 7 of", path: "." } },
  ]
  return Array.from({ length: turns }, (_, turn) => kinds[turn % kinds.length] as PlayedCall)
}

/** A git repository like a real project: its files are committed, files of sessions are ignored. */
export function makeWorkspace(folder: string): void {
  for (const path of ["notes", "sorted"]) mkdirSync(join(folder, path), { recursive: true })
  for (let file = 0; file < files; file++) {
    const lines = Array.from({ length: 20 }, (_, row) => `line ${row + 1} of file${file}: the quick brown fox\n`)
    writeFileSync(join(folder, `file${file}.txt`), lines.join(""))
  }
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" }
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, env, stdio: "ignore" })
  git("init")
  git("add", ".")
  git("-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-m", "bench")
}
