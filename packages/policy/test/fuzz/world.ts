import { spawnSync } from "node:child_process"
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs"
import { symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** A home with a project full of traps: programs that run leave a file behind. */
export interface FuzzWorld {
  readonly folder: string
  readonly home: string
  readonly project: string
  /** One text with the whole state: a difference means a change. */
  state(): string
  remove(): void
}

const trap = "#!/bin/sh\ntouch /%/trapped\n"

const files: Readonly<Record<string, string>> = {
  "a.txt": "foo 1\nbar 2\nfoo 3\n",
  "src/a.ts": "export const foo = 1\n",
  "src/deep/b.md": "# foo\n",
  "package.json": '{"name": "shop", "scripts": {"test": "touch z1"}}\n',
  "a b.txt": "foo\n",
  "-rf": "foo\n",
  "--output=z0": "foo\n",
  "--pre=./evil": "foo\n",
  "-delete": "foo\n",
  "$(touch z0)": "foo\n",
  "x;touch z0": "foo\n",
  "工.txt": "foo 工\n",
  "script.sed": "w z1\n",
  rgrc: "--pre=./evil\n",
  ".gitattributes": "*.md diff=evil filter=evil\n",
}

export function fuzzWorld(): FuzzWorld {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gong-fuzz-")))
  const home = join(folder, "home")
  const project = join(home, "shop")
  const put = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text.replace("/%", folder), { mode })
  }
  put(join(home, "notes.txt"), "foo\n")
  put(join(home, "ripgreprc"), "--threads=1\n")
  put(join(home, ".gitconfig"), "[user]\n\tname = u\n\temail = u@example.com\n[safe]\n\tdirectory = *\n")
  for (const [name, text] of Object.entries(files)) put(join(project, name), text)
  for (const name of ["evil", "ls", "cat", "git", "rg", "touch-me"]) put(join(project, name), trap, 0o755)
  symlinkSync("a.txt", join(project, "link.txt"))
  symlinkSync("/etc", join(project, "out"))
  const git = (at: string, ...args: readonly string[]): void => {
    const { status, stderr } = spawnSync("git", ["-C", at, ...args], { env: { ...process.env, HOME: home } })
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${String(stderr)}`)
  }
  git(project, "init", "-q", "-b", "main")
  git(project, "add", ".")
  git(project, "commit", "-qm", "one")
  put(join(project, "a.txt"), "foo 1\nbar two\nfoo 3\n")
  git(project, "commit", "-qam", "two")
  git(project, "checkout", "-qb", "side", "HEAD~1")
  put(join(project, "a.txt"), "foo one\nbar 2\nfoo 3\n")
  git(project, "commit", "-qam", "aside")
  git(project, "checkout", "-q", "main")
  git(project, "merge", "-q", "-s", "ours", "-m", "merged", "side")
  put(join(project, "src/a.ts"), "export const foo = 2\n")
  git(project, "init", "-q", "--bare", "bare")
  git(join(project, "bare"), "config", "core.fsmonitor", `${project}/evil`)
  git(join(project, "bare"), "config", "core.bare", "false")
  git(join(project, "bare"), "config", "core.worktree", project)
  return { folder, home, project, state: () => stateOf(folder), remove: () => rmSync(folder, { recursive: true }) }
}

function stateOf(folder: string): string {
  const lines = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => {
    const path = join(folder, name)
    const { mode, size, mtimeNs, ino, nlink } = lstatSync(path, { bigint: true })
    const to = (Number(mode) & 0o170000) === 0o120000 ? readlinkSync(path) : ""
    return [name, mode, size, mtimeNs, ino, nlink, to].join(" ")
  })
  return lines.toSorted().join("\n")
}
