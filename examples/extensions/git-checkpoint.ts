// Saves all files, including new ones, before the first change of each run: a commit under refs/gong/checkpoints, outside your
// branches and index. /checkpoints lists them, /restore NAME restores one. Ignored files are not included.
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { copyFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { ExtensionApi } from "gong/extension"

const refs = "refs/gong/checkpoints"
const kept = 50

export default function (gong: ExtensionApi): void {
  const git = async (args: readonly string[], signal: AbortSignal, env = process.env): Promise<string> => {
    const all = ["-c", "user.name=gong", "-c", "user.email=gong@localhost", ...args]
    return (await promisify(execFile)("git", all, { cwd: gong.workspace, env, signal, timeout: 20_000 })).stdout.trim()
  }
  /** Each is its name and what it was made before. */
  const list = async (signal: AbortSignal): Promise<readonly string[]> => {
    const rows = await git(["for-each-ref", "--sort=-refname", "--format=%(refname:lstrip=3) %(subject)", refs], signal)
    return rows.split("\n").filter((row) => row !== "")
  }
  const keep = async (why: string, signal: AbortSignal): Promise<void> => {
    const index = join(tmpdir(), `gong-index-${randomUUID()}`)
    const env = { ...process.env, GIT_INDEX_FILE: index }
    try {
      const own = await git(["rev-parse", "--path-format=absolute", "--git-path", "index"], signal)
      // A new repository has none.
      await copyFile(own, index).catch(() => undefined)
      await git(["add", "--all"], signal, env)
      const commit = await git(["commit-tree", "-m", why, await git(["write-tree"], signal, env)], signal)
      await git(["update-ref", `${refs}/${new Date().toISOString().replaceAll(":", "-")}`, commit], signal)
    } finally {
      await rm(index, { force: true })
    }
    for (const row of (await list(signal)).slice(kept))
      await git(["update-ref", "-d", `${refs}/${row.split(" ")[0]}`], signal)
  }

  let run: { readonly why: string; made?: Promise<void> } = { why: "" }
  gong.on("agent.start", ({ prompt }) => void (run = { why: `before: ${prompt.slice(0, 60)}` }))
  gong.hook({
    tools: ["bash", "write", "edit"],
    timeMs: 60_000,
    beforeToolCall: (_, { signal }) => (run.made ??= keep(run.why, signal)),
  })
  gong.command({ name: "checkpoints", about: "lists them, newest first", run: (_, { signal }) => list(signal) })
  gong.command({
    name: "restore",
    about: "brings the files back to a checkpoint; untracked ones made since stay",
    value: "NAME",
    async run(name, { signal, interactive, confirm }) {
      if (!(await list(signal)).some((row) => row.split(" ")[0] === name)) return "Which one? /checkpoints lists them."
      if (interactive && !(await confirm(`Bring all files back to ${name}?`))) return "Nothing was changed."
      await keep(`before /restore ${name}`, signal)
      await git(["restore", `--source=${refs}/${name}`, "--worktree", ":/"], signal)
      return `The files are as in ${name}. What they were until now is the newest of /checkpoints.`
    },
  })
}
