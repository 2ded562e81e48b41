import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Task } from "./task.ts"

/** Milliseconds. */
const checkTimeout = 20_000

/** What a check has beside Node (`Task.check`). */
const prelude = `import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
const workspace = process.argv[2]
const place = (path) => join(workspace, path)
const load = (path) => import(pathToFileURL(place(path)))
const text = (path) => readFileSync(place(path), "utf8")
const run = (...args) => execFileSync(process.execPath, args, { cwd: workspace, encoding: "utf8", stdio: "pipe", timeout: 10000 })
`

/** Writes files by path below a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

/** Runs the check of a task on a workspace, from a folder of its own: null if it passes, else its error. */
export async function runCheck(task: Task, workspace: string): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), "gong-check-"))
  const file = join(folder, "check.mjs")
  writeFileSync(file, prelude + task.check)
  const { promise, resolve } = Promise.withResolvers<string | null>()
  execFile(process.execPath, [file, workspace], { cwd: folder, timeout: checkTimeout }, (error, _, stderr) => {
    resolve(error === null ? null : stderr.trim() || error.message)
  })
  try {
    return await promise
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
